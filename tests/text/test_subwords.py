"""SentencePiece schemes: pieces and BLEU equal those of sacreBLEU on the same model; models are found, not fetched."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import text
from tertium.errors import InputError, MissingFile
from tertium.metrics.bleu import BLEU
from tertium.text import subwords

sentencepiece = pytest.importorskip("sentencepiece")
peer_tokenizers = pytest.importorskip("sacrebleu.tokenizers.tokenizer_spm")
metrics = pytest.importorskip("sacrebleu.metrics")

TRAINING = [
    "the cat sat on the mat", "a cat is on a mat", "der Hund sitzt auf der Matte", "die Katze saß, 3,5 Meter weit!",
    "猫はマットの上に座った。", "кошка сидела на ковре", "what is on the mat? a dog & a cat", "ÄÖÜ ß éèê 1234567890",
]  # fmt: skip
SYSTEM = ["the dog sat on a mat", "die Katze ist 3,5 Meter weit!", ""]
REFERENCE = ["the cat sat on the mat", "die Katze saß, 3,5 Meter weit!", "кошка"]


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model, under the file name that FLORES-101's has."""
    folder = tmp_path_factory.mktemp("home") / "models"
    folder.mkdir()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TRAINING * 20),
        model_prefix=str(folder / "tiny"),
        model_type=request.param,
        vocab_size=150,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return (folder / "tiny.model").rename(folder / subwords.MODELS["flores101"].file)


@pytest.fixture
def peer(model: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """sacreBLEU's flores101 tokenizer, reading the tiny model from what it takes for its own folder."""
    monkeypatch.setattr(peer_tokenizers, "SACREBLEU_DIR", str(model.parents[1]))
    return metrics.BLEU(tokenize="flores101", force=True)


def test_pieces_are_those_of_sacrebleu(model: Path, peer: object) -> None:
    """For any text the tokens equal those of sacreBLEU's tokenizer with the same model, U+0000 included."""
    mine = text.scheme(f"spm:{model}")

    @given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("thecatonmat 猫\n\0")))
    def holds(line: str) -> None:
        assert mine(line) == peer.tokenizer(line.rstrip()).split()  # type: ignore[attr-defined]

    holds()


def test_bleu_equals_sacrebleu(model: Path, peer: object) -> None:
    """BLEU over pieces has sacreBLEU's counts and score."""
    metric = BLEU(tokenize=f"spm:{model}")
    total = metric.statistics(SYSTEM, REFERENCE).sum(axis=0)
    wanted = peer.corpus_score(SYSTEM, [REFERENCE])  # type: ignore[attr-defined]
    assert total.tolist() == [wanted.sys_len, wanted.ref_len, *wanted.counts, *wanted.totals]
    assert float(metric.score(total)) == pytest.approx(wanted.score, abs=1e-9)


@pytest.mark.parametrize(("variable", "inside"), [("TERTIUM_MODELS", "models"), ("SACREBLEU", ".")])
def test_published_model_is_found(model: Path, variable: str, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model in TERTIUM_MODELS, or where sacreBLEU keeps it, is found by its name, and `spm` means flores101."""
    monkeypatch.setenv("HOME", str(model.parent / "nobody"))
    monkeypatch.delenv("TERTIUM_MODELS", raising=False)
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.setenv(variable, str(model.parents[1] / inside))
    for name in ("flores101", "spm"):
        assert text.scheme(name)("the cat") == text.scheme(f"spm:{model}")("the cat")
    assert text.scheme("spm").signature == "flores101"


@pytest.mark.parametrize("folder", [".cache/tertium/models", ".sacrebleu/models"])
def test_published_model_is_found_under_home(
    model: Path, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any variable the two folders under the home directory are looked through."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("TERTIUM_MODELS", raising=False)
    monkeypatch.delenv("SACREBLEU", raising=False)
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / subwords.MODELS["flores200"].file).write_bytes(model.read_bytes())
    assert text.scheme("flores200")("the cat") == text.scheme(f"spm:{model}")("the cat")


@pytest.mark.parametrize("name", subwords.MODELS)
def test_absent_model_says_where_to_put_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a model is not found, the error names the file, the folders and the origin; nothing is downloaded."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TERTIUM_MODELS", str(tmp_path / "mine"))
    with pytest.raises(MissingFile) as caught:
        text.scheme(name)
    message, model = str(caught.value), subwords.MODELS[name]
    assert all(part in message for part in (model.file, model.origin, str(tmp_path / "mine"), ".cache/tertium/models"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", subwords.MODELS)
def test_file_names_are_those_of_sacrebleu(name: str) -> None:
    """A model that sacreBLEU has stored is found: file name and origin are its own."""
    url = peer_tokenizers.SPM_MODELS[name]["url"]
    assert (subwords.MODELS[name].origin, subwords.MODELS[name].file) == (url, url.rpartition("/")[2])


def test_wrong_file_is_refused(tmp_path: Path) -> None:
    """A path without a file and a file that is no model are errors that name the path."""
    with pytest.raises(MissingFile, match=r"gone\.model"):
        text.scheme(f"spm:{tmp_path / 'gone.model'}")
    (tmp_path / "bad.model").write_text("no model")
    with pytest.raises(InputError, match=r"bad\.model is not a SentencePiece model"):
        text.scheme(f"spm:{tmp_path / 'bad.model'}")
