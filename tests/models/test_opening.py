"""From what a user writes to a model: each kind is told by what lies in its folder, and errors say what is missing."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from models import checkpoints, small
from tertium.decoding.greedy import Greedy
from tertium.decoding.translate import translate
from tertium.errors import InputError, MissingFile, OptionError, TertiumError, UnknownName
from tertium.models.command import Command
from tertium.models.ctranslate2 import CTranslate2
from tertium.models.ctranslate2_conversion import to_ctranslate2
from tertium.models.engine import Engine
from tertium.models.ensemble import Ensemble
from tertium.models.huggingface import Causal, EncoderDecoder
from tertium.models.next_token import TextModel
from tertium.models.opening import open_model
from tertium.models.precision import Int8, Packed
from tertium.models.trained import TrainedModel

SHAPE = "transformer:layers=1,width=16,heads=2,hidden=24,dropout=0"
APERTIUM = pytest.mark.skipif(shutil.which("apertium") is None, reason="apertium is not installed: .ci/prepare-tests")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of folders: one of each kind."""
    root = Path(tmp_path_factory.mktemp("models"))
    for name, seed in (("one", 1), ("two", 2)):
        small.trained(SHAPE, seed=seed).save(root / name)
    to_ctranslate2(small.trained(SHAPE), root / "fast")
    for kind in ("marian", "nllb", "llama"):
        checkpoints.make(kind, root / kind)
    return root


def greedy(model: Any, text: str = "a cat sat") -> str:
    ((found,),) = translate(model, [text], Greedy())
    return found.text


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("one", TrainedModel),
        ("fast", CTranslate2),
        ("fast:beam_size=2,max_decoding_length=9,source_language=none", None),
        ("marian", EncoderDecoder),
        ("nllb:source_language=eng_Latn,target_language=deu_Latn", EncoderDecoder),
        ("llama:template=English: {source}%2C German:", Causal),
        ("ensemble:{}/one+{}/two", Ensemble),
    ],
)
def test_each_kind_is_told_by_its_folder(place: Path, what: str, kind: type | None) -> None:
    """Ours, Hugging Face's and CTranslate2's, with options of their kinds, and several as one."""
    name = what.format(place, place, source="{source}") if what.startswith("ensemble") else f"{place}/{what}"
    if kind is None:
        with pytest.raises(OptionError, match="know no languages"):
            open_model(name)
        return
    model = open_model(name)
    assert type(model) is kind
    assert isinstance(model, TextModel) != isinstance(model, Engine)


def test_options_are_read_from_the_text(place: Path) -> None:
    """What stands after the colon is what could be said in Python, numbers as numbers and commas as %2C."""
    spelled = open_model(f"{place}/fast:beam_size=2,length_penalty=0.5")
    said = open_model(place / "fast", beam_size=2, length_penalty=0.5)
    assert isinstance(spelled, CTranslate2)
    assert isinstance(said, CTranslate2)
    assert spelled.options == said.options
    llama = open_model(f"{place}/llama:template=a%2C {{source}} 100%25:")
    assert isinstance(llama, Causal)
    assert (llama.words.before, llama.words.behind) == ("a, ", " 100%:")


def test_an_ensemble_is_the_average_of_its_folders(place: Path) -> None:
    """Half of one and half of two, or by weights."""
    one, two = open_model(place / "one"), open_model(place / "two")
    both = open_model(f"ensemble:{place}/one + {place}/two", weights=[3, 1])
    assert isinstance(both, Ensemble)
    source = both.source_tokens("a cat")
    probs = [model.start([source]).log_probs.exp() for model in (one, two)]  # type: ignore[union-attr]
    torch.testing.assert_close(both.start([source]).log_probs.exp(), 0.75 * probs[0] + 0.25 * probs[1])
    assert greedy(both)


def test_commands_are_engines() -> None:
    """With their arguments, and with options said in Python."""
    engine = open_model("command: tr a-z A-Z", lines=5)
    assert engine == Command("tr a-z A-Z", lines=5)
    assert isinstance(engine, Engine)
    assert engine.translate(["a"]) == ["A"]


@APERTIUM
@pytest.mark.parametrize(
    ("direction", "texts", "expected"),
    [
        (
            "eng-spa",
            ["I have two cats.", "", "The house is very big."],
            [" Tengo dos gatos.", "", "La casa es muy grande."],
        ),
        ("eng-cat", ["The house is very big."], ["La casa és molt gran."]),
        ("fra-cat", ["La maison est grande."], ["La casa és gran."]),
    ],
)
def test_apertium_translates(direction: str, texts: list[str], expected: list[str]) -> None:
    """A real translation system, Debian's apertium: translations that anyone can check (it leaves the space before a
    pronoun that Spanish does not say)."""
    engine = open_model(f"command:apertium {direction}")
    assert isinstance(engine, Engine)
    assert engine.translate(texts) == expected


@APERTIUM
def test_apertium_says_what_it_lacks() -> None:
    """A direction that is not installed: apertium's own words."""
    engine = open_model("command:apertium eng-xyz")
    assert isinstance(engine, Engine)
    with pytest.raises(TertiumError, match=r"command 'apertium eng-xyz' .* Mode eng-xyz does not exist"):
        engine.translate(["a"])


@pytest.mark.parametrize(
    ("what", "error", "said"),
    [
        ("nowhere", MissingFile, "there is no model folder .*nowhere"),
        ("no/where", MissingFile, "there is no model folder .*no/where"),
        ("nowhere:beam_size=4", MissingFile, "there is no model folder .*nowhere"),
        ("empty", MissingFile, "is no model's folder: it has no config.json"),
        ("other", InputError, "has neither `tertium` nor `model_type`"),
        ("unwhole", MissingFile, "without its model.bin"),
        ("one:beam_size=4", OptionError, "takes no options: leave beam_size out"),
        ("fast:beam=4", UnknownName, "did you mean beam_size"),
        ("fast:beam_size=four", OptionError, "beam_size cannot be 'four'"),
        ("marian:templat=a", UnknownName, "did you mean template"),
        ("nllb", OptionError, "is multilingual: say source_language and target_language"),
    ],
)
def test_folders_that_cannot_be_opened(place: Path, what: str, error: type[Exception], said: str) -> None:
    """Each in one line that names it and says what to do."""
    (place / "empty").mkdir(exist_ok=True)
    for name, config in (("other", {}), ("unwhole", {"add_source_bos": False})):
        (place / name).mkdir(exist_ok=True)
        (place / name / "config.json").write_text(json.dumps(config))
    with pytest.raises(error, match=said) as raised:
        open_model(f"{place}/{what}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("what", "error", "said"),
    [
        ("comand:apertium eng-spa", UnknownName, "unknown kind of model 'comand'; did you mean command"),
        ("command:", OptionError, "there is no command"),
        ("command:  ", OptionError, "there is no command"),
        ("ensemble:", OptionError, "no model is named"),
        ("", OptionError, "no model is named"),
        ("ensemble:command:cat", OptionError, "decodes by itself"),
    ],
)
def test_texts_that_name_no_model(what: str, error: type[Exception], said: str) -> None:
    """Misspelled kinds, nothing after a colon, engines where models are wanted."""
    with pytest.raises(error, match=said):
        open_model(what)


def test_members_of_an_ensemble_must_have_one_vocabulary(place: Path) -> None:
    """Marian's tokens are not ours, and another vocabulary of ours is not either, though as large."""
    with pytest.raises(InputError, match="model 2 of the ensemble has 41 tokens, the first 300"):
        open_model(f"ensemble:{place}/one+{place}/marian")
    words, other = small.vocabulary(), small.vocabulary(texts=[text[::-1] for text in small.TEXTS])
    assert len(words) == len(other)
    network = open_model(place / "one").network.options  # type: ignore[union-attr]
    models = [TrainedModel(network.build(len(each), len(each)), each, each) for each in (words, other)]
    with pytest.raises(InputError, match="model 2 of the ensemble has another source vocabulary"):
        Ensemble(models)


def test_precision_is_refused_where_there_is_none(place: Path) -> None:
    """A command computes as it does; unknown ones are named."""
    open_model("command:cat", precision="float32")
    with pytest.raises(OptionError, match="computes as it does"):
        open_model("command:cat", precision="int8")
    for folder in ("one", "marian"):
        with pytest.raises(UnknownName, match="unknown precision 'int9'"):
            open_model(place / folder, precision="int9")


@pytest.mark.parametrize("folder", ["one", "marian"])
def test_models_are_opened_for_translating_or_for_training(place: Path, folder: str) -> None:
    """With linear layers of the precision that is asked for, of float32 where none is; or as they were stored."""
    for precision, kind in (("int8", Int8), ("float32", Packed), (None, Packed)):
        model: Any = open_model(place / folder, precision=precision)
        assert any(isinstance(module, kind) for module in model.network.modules())
    model = open_model(place / folder, trainable=True)
    assert not any(isinstance(module, Int8 | Packed) for module in model.network.modules())


def test_ctranslate2_computes_in_the_precision_that_is_asked_for(place: Path) -> None:
    """CTranslate2 converts the weights when it opens a folder."""
    fast = open_model(place / "fast", precision="int8")
    assert isinstance(fast, CTranslate2)
    assert fast.translator.compute_type.startswith("int8")
