"""CTranslate2 folders as engines: ours, Hugging Face's and SentencePiece's texts; what goes wrong is said."""

import shutil
from pathlib import Path
from typing import Any

import ctranslate2
import pytest
import sentencepiece
import torch

from models import checkpoints, small
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.search import Limits, search
from tertium.errors import InputError, MissingFile, OptionError, TertiumError
from tertium.models.ctranslate2 import CTranslate2, CTranslate2Options
from tertium.models.ctranslate2_conversion import to_ctranslate2
from tertium.models.engine import RankingEngine
from tertium.models.huggingface import load_huggingface
from tertium.models.trained import TrainedModel

SHAPE = "transformer:layers=3,decoder_layers=2,width=32,heads=4,hidden=48,dropout=0"
TEXTS = ["a cat sat", "", "the dog ran to the cat", "where?", " \t", "Über den Hund und die Maus: no mat"]
LONGEST = 60
TOKENIZERS = ("source.spm", "target.spm", "vocab.json", "tokenizer_config.json", "tokenizer.json")


@pytest.fixture(scope="module")
def model() -> TrainedModel:
    return small.trained(SHAPE, ends=0.3, seed=1)


@pytest.fixture(scope="module")
def folder(model: TrainedModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ours")
    to_ctranslate2(model, path)
    return Path(path)


def opened(folder: Path, compute_type: str = "float32", **options: Any) -> CTranslate2:
    options.setdefault("max_decoding_length", LONGEST)
    return CTranslate2(folder, CTranslate2Options(**options), compute_type=compute_type, threads=1)


def test_texts_are_translated_as_by_our_search(model: TrainedModel, folder: Path) -> None:
    """From text to text, all alternatives and scores, texts without words in their places; batches change nothing."""
    engine = opened(folder)
    found = engine.n_best(TEXTS, 4)
    assert isinstance(engine, RankingEngine)
    sources = [model.source_tokens(text) for text in TEXTS if text.strip()]
    ours = iter(search(model, sources, Beam(width=4, count=4, stop="patience"), limits=Limits(absolute=LONGEST)))
    for text, alternatives in zip(TEXTS, found, strict=True):
        if not text.strip():
            assert alternatives == [(text, 0.0)]
            continue
        expected = next(ours)
        assert [each.text for each in alternatives] == [model.text(each.tokens) for each in expected]
        assert [each.score for each in alternatives] == pytest.approx([each.score for each in expected], rel=1e-4)
    assert engine.translate(TEXTS) == [alternatives[0].text for alternatives in found]
    assert opened(folder, batch_tokens=1).translate(TEXTS) == engine.translate(TEXTS)


def test_given_translations_are_scored(model: TrainedModel, folder: Path) -> None:
    """Token by token, the end included, as our model scores them."""
    pairs = [("a cat sat", "the mat </s>"), ("where?", "")]
    scored = opened(folder).token_log_probs(*zip(*pairs, strict=True))
    for (source, target), log_probs in zip(pairs, scored, strict=True):
        assert log_probs == pytest.approx(forced(model, source, target), abs=1e-4)
    with pytest.raises(InputError, match="1 translations of 2 sources"):
        opened(folder).token_log_probs(["a", "b"], ["c"])


def forced(model: Any, source: str, target: str) -> list[float]:
    """The log probabilities of a translation's tokens under a model of Tertium."""
    tokens = model.target_tokens(target)
    step = model.start([model.source_tokens(source)])
    said = [step.log_probs[:, None]]
    if tokens[:-1]:
        said.append(model.advance(step.state, torch.tensor([tokens[:-1]])).log_probs)
    return [float(each[token]) for each, token in zip(torch.cat(said, 1)[0], tokens, strict=True)]


@pytest.mark.parametrize("kind", ["marian", "nllb", "t5"])
def test_converted_hugging_face_folders(kind: str, tmp_path: Path) -> None:
    """What CTranslate2's own converter makes of a Hugging Face folder scores texts as the folder does in Tertium: two
    implementations of the network, of its tokenizer's tokens, and of the languages."""
    languages = {key: value for key, value in checkpoints.OPTIONS.get(kind, {}).items() if "language" in key}
    original = checkpoints.make(kind, tmp_path / "original")
    converted = tmp_path / "converted"
    ctranslate2.converters.TransformersConverter(str(original)).convert(str(converted))
    for name in TOKENIZERS:
        if (original / name).exists():
            shutil.copy(original / name, converted)
    options = CTranslate2Options(max_decoding_length=20)
    engine = CTranslate2(converted, options, compute_type="float32", threads=1, **languages)
    model = load_huggingface(original, **languages)
    (log_probs,) = engine.token_log_probs(["a cat sat"], ["the mat"])
    expected = forced(model, "a cat sat", "the mat")
    assert log_probs == pytest.approx(expected, abs=1e-3)
    assert not any(code in engine.translate(["a cat"])[0] for code in ("deu_Latn", "</s>"))


def test_sentencepiece_cuts_where_nothing_else_is_said(model: TrainedModel, folder: Path, tmp_path: Path) -> None:
    """A folder with SentencePiece's files, for both sides or one: its pieces, nothing around them."""
    checkpoints.pieces(tmp_path, "spiece")
    cutter = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "spiece.model"))
    for names in (("source.spm", "target.spm"), ("spiece.model",)):
        other = shutil.copytree(folder, tmp_path / f"with {names[0]}")
        (other / "vocabulary.json").unlink()
        for name in names:
            shutil.copy(tmp_path / "spiece.model", other / name)
        engine = opened(other)
        assert engine.pieces.source("a cat") == cutter.encode("a cat", out_type=str)
        assert engine.pieces.text(engine.pieces.target("a cat sat")) == "a cat sat"
        assert len(engine.translate(["a cat"])) == 1
    (tmp_path / "with source.spm" / "target.spm").unlink()
    with pytest.raises(MissingFile, match=r"there is no target\.spm"):
        opened(tmp_path / "with source.spm")


def test_options_are_passed_on(model: TrainedModel, folder: Path) -> None:
    """Greedy search is our greedy search; sampling depends on its seed; int8 computes something near."""
    text = TEXTS[-1]
    source = model.source_tokens(text)
    ((greedy,),) = search(model, [source], Greedy(), limits=Limits(absolute=LONGEST))
    assert opened(folder, beam_size=1).translate([text]) == [model.text(greedy.tokens)]
    draws = [opened(folder, beam_size=1, sampling_topk=0, seed=seed).translate(["where?"] * 5) for seed in (1, 2, 1)]
    assert draws[0] == draws[2]
    assert draws[0] != draws[1]
    (exact,), (rough,) = (
        opened(folder, compute_type=kind).token_log_probs(["a cat"], ["the mat"]) for kind in ("float32", "int8")
    )
    assert rough == pytest.approx(exact, abs=0.5)
    assert rough != exact


def test_a_cut_translation_is_said(folder: Path) -> None:
    """CTranslate2 cuts at max_decoding_length in silence; we warn."""
    with pytest.warns(UserWarning, match="translations were cut at max_decoding_length=3 tokens"):
        opened(folder, max_decoding_length=3, min_decoding_length=3).translate(["where?", "a cat"])


def test_a_text_beyond_the_positions_is_refused(model: TrainedModel, tmp_path: Path) -> None:
    """Nothing is cut: the folder has a table of 16 positions."""
    to_ctranslate2(model, tmp_path, positions=16)
    engine = opened(tmp_path, max_decoding_length=10)
    assert len(engine.translate(["a cat"])) == 1
    with pytest.raises(InputError, match=r"CTranslate2 says: .*16"):
        engine.translate(["a cat " * 20])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"beam_size": 0}, "beam_size"),
        ({"max_decoding_length": 0}, "max_decoding_length"),
        ({"min_decoding_length": 99}, "min_decoding_length"),
        ({"beam_size": "many"}, "whole number"),
    ],
)
def test_options_are_checked(folder: Path, options: dict[str, Any], said: str) -> None:
    """By their names."""
    with pytest.raises(OptionError, match=said):
        opened(folder, **options)
    with pytest.raises(OptionError, match="8 translations of a text need beam_size=8 or more, not 4"):
        opened(folder).n_best(["a"], 8)


def test_what_is_no_such_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    """A missing folder or part, a language model, a damaged file, pieces that know no languages."""
    with pytest.raises(MissingFile, match="there is no model folder"):
        opened(tmp_path / "nowhere")
    copy = shutil.copytree(folder, tmp_path / "copy")
    with pytest.raises(OptionError, match="know no languages"):
        CTranslate2(copy, source_language="de", target_language="en")
    for part in ("vocabulary.json", "config.json", "model.bin"):
        kept = (copy / part).read_bytes()
        (copy / part).unlink()
        with pytest.raises(TertiumError, match="no .*" + part.replace(".", r"\.")):
            opened(copy)
        (copy / part).write_bytes(kept)
    (copy / "shared_vocabulary.json").rename(copy / "kept")
    with pytest.raises(InputError, match=r"CTranslate2 cannot open it: .*vocabulary"):
        opened(copy)
    (copy / "kept").rename(copy / "shared_vocabulary.json")
    whole = (copy / "model.bin").read_bytes()
    (copy / "model.bin").write_bytes(whole[:5000])
    with pytest.raises(InputError, match="CTranslate2 cannot open it"):
        opened(copy)
    for head in (whole.replace(b"TransformerSpec", b"WhisperSpecific", 1), b"", b"abc"):
        (copy / "model.bin").write_bytes(head)
        with pytest.raises(InputError, match="is no model that translates"):
            opened(copy)
