"""Every mistake in a training's description is found before anything is computed, and named by its field."""

from pathlib import Path

import pytest

from tertium.errors import InputError, MissingFile, OptionError, UnknownName
from tertium.training.config import parse_training, presets, read_preset, read_training
from training.small import small

DATA = '[data]\nsource = "a"\ntarget = "b"\nvalid_source = "c"\nvalid_target = "d"\n'


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("[training", InputError, "my.toml is no TOML"),
        ("[trainig]\nsteps = 5", UnknownName, "section of my.toml 'trainig'; did you mean training"),
        ("[training]\nstep = 5", UnknownName, r"field in my.toml: \[training\] 'step'; did you mean steps"),
        ('[training]\nsteps = "many"', OptionError, r"my.toml: \[training\] steps is 'many'; it takes a whole number"),
        ("[training]\nsteps = true", OptionError, "steps is True; it takes a whole number"),
        ("[training]\nsteps = 0", OptionError, "steps is 0; it must be 1 or more"),
        ("[training]\nlearning_rate = 0", OptionError, "learning_rate and clip must be above 0"),
        ('[training]\nprecision = "half"', UnknownName, "precision in my.toml 'half'"),
        ('[training]\nfeeding = "feeding:kind=x"', OptionError, r"my.toml: \[training\] feeding: unknown feeding 'x'"),
        ('[model]\nnetwork = "transfomer"', OptionError, "unknown network 'transfomer'; did you mean transformer"),
        ('[model]\nnetwork = "transformer:width=30,heads=4"', OptionError, "width=30 is no multiple of heads=4"),
        (
            '[validation]\nmetric = "blue"',
            OptionError,
            r"\[validation\] metric: unknown metric 'blue'; did you mean bl",
        ),
        ('[vocabulary]\nkind = "words"', UnknownName, "kind of vocabulary in my.toml 'words'"),
        ("[vocabulary]\nsize = 100", OptionError, r"\[vocabulary\] size is 100; it must be 264 or more"),
        ("model = 5", OptionError, r"\[model\] must be a section"),
    ],
)
def test_a_mistake_is_named(text: str, error: type[Exception], message: str) -> None:
    """With the file, the section and the field."""
    with pytest.raises(error, match=message):
        parse_training(f"{text}\n{DATA}" if text.startswith("model =") else f"{DATA}{text}", "my.toml")


def test_missing_and_wrong_files_are_named() -> None:
    """Which field they belong to, and what it takes."""
    with pytest.raises(OptionError, match=r"\[data\] valid_source is missing: it takes a file, or a list of files"):
        parse_training('[data]\nsource = "a"\ntarget = "b"', "my.toml")
    with pytest.raises(OptionError, match=r"\[data\] source is \[1\]"):
        parse_training(DATA.replace('"a"', "[1]"), "my.toml")
    with pytest.raises(MissingFile, match=r"there is no file nowhere\.toml"):
        read_training("nowhere.toml")


def test_files_are_looked_for_beside_the_description(tmp_path: Path) -> None:
    """One file or a list of them; files of the command line stay as they are."""
    (tmp_path / "my.toml").write_text(DATA.replace('"a"', '["a1", "/b/a2:en"]'))
    data = read_training(tmp_path / "my.toml", {"data.target": ["here"]}).data
    assert data.source == (str(tmp_path / "a1"), "/b/a2:en")
    assert data.target == ("here",)
    assert data.valid_source == (str(tmp_path / "c"),)


def test_overrides_go_before_the_file(tmp_path: Path) -> None:
    """Also for sections that the file does not have."""
    config = small(tmp_path, training__steps=77, validation__patience=3)
    assert (config.training.steps, config.validation.patience) == (77, 3)


@pytest.mark.parametrize("name", ["lstm", "transformer-base", "transformer-tiny"])
def test_presets_are_whole(name: str) -> None:
    """All they lack is the data."""
    assert name in presets()
    files = dict.fromkeys(("data.source", "data.target", "data.valid_source", "data.valid_target"), "x")
    assert read_preset(name, files).training.steps > 0
    with pytest.raises(OptionError, match=rf"preset {name}: \[data\] source is missing"):
        read_preset(name, {})


def test_an_unknown_preset_names_the_known() -> None:
    """Before anything else."""
    with pytest.raises(UnknownName, match="unknown preset 'tiny'"):
        read_preset("tiny", {})
