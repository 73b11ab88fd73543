"""A model's folder: it has all that the model is, and says which part is missing or broken."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from models import small
from models.catalogue import OURS
from tertium.errors import InputError, MissingFile, OptionError, TertiumError
from tertium.models.trained import TrainedModel
from tertium.models.transformer import TransformerOptions

TEXTS = ["a cat sat on the mat", "Über <s>", ""]


def said(model: Any) -> torch.Tensor:
    step = model.start([model.source_tokens(text) for text in TEXTS])
    return model.advance(step.state, torch.full((len(TEXTS), 2), 270)).log_probs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small.trained(OURS["transformer"]).save(tmp_path)
    return tmp_path


def two_vocabularies() -> TrainedModel:
    """A network whose sides have different subwords."""
    source, target = small.vocabulary(), small.vocabulary("unigram", texts=["Hund und Katze", "Maus"], size=280)
    options = TransformerOptions(layers=1, width=8, heads=2, hidden=8, shared=False)
    return TrainedModel(options.build(len(source), len(target)).eval(), source, target)


@pytest.mark.parametrize("spelling", OURS.values(), ids=list(OURS))
def test_what_is_saved_is_read(spelling: str, tmp_path: Path) -> None:
    """The same log probabilities to the last bit, the same limits, texts and facts."""
    model = small.trained(spelling, kind="unigram")
    model.longest_source, model.longest_target = 30, 40
    model.facts = {"title": "Cats", "languages": "en-de"}
    model.save(tmp_path)
    again = TrainedModel.load(tmp_path)
    assert torch.equal(said(again), said(model))
    assert repr(again.network.options) == repr(model.network.options)
    assert (again.longest_source, again.longest_target, again.facts) == (30, 40, model.facts)
    assert "# Cats" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.part"))


def test_two_vocabularies_are_kept_apart(tmp_path: Path) -> None:
    """Also where another model was in the folder before, and the other way round."""
    model, other = two_vocabularies(), small.trained(OURS["transformer"])
    for each in (other, model, other, model):
        each.save(tmp_path)
        again = TrainedModel.load(tmp_path)
        assert again.source_vocabulary == each.source_vocabulary
        assert again.target_vocabulary == each.target_vocabulary
        assert torch.equal(said(again), said(each))


def test_weights_are_stored_once(folder: Path) -> None:
    """The one matrix of embeddings and output is in the file under one name."""
    weights = load_file(str(folder / "model.safetensors"))
    model = TrainedModel.load(folder)
    assert sum(weight.numel() for weight in weights.values()) == model.parameters
    assert model.network.output.weight is model.network.source_embedding.weight


@pytest.mark.parametrize("part", ["config.json", "model.safetensors", "vocabulary.json"])
def test_a_missing_part_is_named(folder: Path, part: str) -> None:
    """The folder's parts, each; its card is for people and may be gone."""
    (folder / "README.md").unlink()
    TrainedModel.load(folder)
    (folder / part).unlink()
    with pytest.raises(MissingFile, match=part):
        TrainedModel.load(folder)


def test_a_missing_half_of_the_vocabulary_is_named(tmp_path: Path) -> None:
    """source.json alone is not enough."""
    two_vocabularies().save(tmp_path)
    (tmp_path / "target.json").unlink()
    with pytest.raises(MissingFile, match=r"target\.json"):
        TrainedModel.load(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A folder that is not there, and a file in its place."""
    for path in (tmp_path / "nowhere", tmp_path / "file"):
        (tmp_path / "file").touch()
        with pytest.raises(MissingFile, match=f"there is no model folder .*{path.name}"):
            TrainedModel.load(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(folder: Path, value: float) -> None:
    """One is enough; it is named."""
    path = folder / "model.safetensors"
    weights = load_file(str(path))
    weights["decoder.0.widen.bias"][3] = value
    save_file(weights, str(path))
    with pytest.raises(InputError, match=r"decoder\.0\.widen\.bias has values that are not finite"):
        TrainedModel.load(folder)


def test_weights_of_another_network_are_refused(folder: Path) -> None:
    """One too few, one too many, one of another shape, a file cut off."""
    path = folder / "model.safetensors"
    weights = load_file(str(path))
    name = "decoder_norm.weight"
    for changed, message in (
        ({key: value for key, value in weights.items() if key != name}, f"lacks {name}"),
        ({**weights, "more": torch.ones(2)}, "more does not fit"),
        ({**weights, name: torch.ones(3)}, f"{name} does not fit"),
    ):
        save_file(changed, str(path))
        with pytest.raises(InputError, match=message):
            TrainedModel.load(folder)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="is damaged"):
        TrainedModel.load(folder)


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ("{", InputError, "is no JSON"),
        ("[]", InputError, "must be a JSON object"),
        ('{"tertium": "0.1.0", "format": 99, "network": "lstm"}', InputError, "its format is 99"),
        ('{"tertium": "0.1.0", "format": 1}', InputError, "its format is 1"),
        ('{"format": 1, "network": "transfomer"}', TertiumError, "did you mean transformer"),
        ('{"format": 1, "network": "transformer:layers=0"}', OptionError, "layers"),
    ],
)
def test_a_config_of_something_else_is_refused(folder: Path, config: str, error: type[Exception], message: str) -> None:
    """Damaged, of a later version, of a network that is not known."""
    (folder / "config.json").write_text(config)
    with pytest.raises(error, match=message):
        TrainedModel.load(folder)


def test_the_config_is_plain_json(folder: Path) -> None:
    """People read it: what the network is stands there as it is spelled."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["network"].startswith("transformer:kind=encoder-decoder,layers=2,width=16")
    assert config["tertium"]
