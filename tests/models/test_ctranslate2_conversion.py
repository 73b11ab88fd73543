"""Our Transformer in CTranslate2: the same numbers and the same translations, by CTranslate2's own search."""

from pathlib import Path
from typing import Any

import ctranslate2
import pytest
import torch

from models import small
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.search import Limits, search
from tertium.errors import OptionError, UnknownName
from tertium.models.ctranslate2_conversion import QUANTIZATIONS, to_ctranslate2
from tertium.models.precision import apply
from tertium.models.trained import TrainedModel

SOURCES = ["a cat sat", "the dog ran to the cat", "where?", "Über den Hund und die Maus: no mat", "cat cat cat cat"]
LONGEST = 40
SHAPE = "transformer:layers=3,decoder_layers=2,width=32,heads=4,hidden=48,dropout=0"


@pytest.fixture(scope="module")
def model() -> TrainedModel:
    return small.trained(SHAPE, ends=0.24, seed=1)


@pytest.fixture(scope="module")
def engine(model: TrainedModel, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("ctranslate2")
    to_ctranslate2(model, folder)
    return ctranslate2.Translator(str(folder), compute_type="float32", intra_threads=1)


def pieces(model: TrainedModel, tokens: list[int]) -> list[str]:
    return [model.target_vocabulary.piece(token) for token in tokens]


@pytest.mark.parametrize(("width", "alpha"), [(1, 0.0), (2, 1.0), (4, 0.7), (5, 0.3)])
def test_ctranslate2_finds_what_our_search_finds(model: TrainedModel, engine: Any, width: int, alpha: float) -> None:
    """Under the same rule (stop at as many hypotheses as the beam is wide, divide by T^alpha) all hypotheses and scores
    of CTranslate2's beam are ours. Sentences that reach the length limit are left out: ours end there by force."""
    sources = [model.source_tokens(text) for text in SOURCES]
    found = engine.translate_batch(
        [pieces(model, source) for source in sources],
        beam_size=width,
        num_hypotheses=width,
        length_penalty=alpha,
        max_decoding_length=LONGEST,
        min_decoding_length=0,
        return_end_token=True,
        return_scores=True,
    )
    strategy = Greedy() if width == 1 else Beam(width=width, count=width, alpha=alpha, stop="patience")
    ours = search(model, sources, strategy, limits=Limits(absolute=LONGEST))
    compared = 0
    for theirs, hypotheses in zip(found, ours, strict=True):
        if max(map(len, theirs.hypotheses)) < LONGEST:
            assert theirs.hypotheses == [pieces(model, list(hypothesis.tokens)) for hypothesis in hypotheses]
            assert theirs.scores == pytest.approx([hypothesis.score for hypothesis in hypotheses], rel=1e-5)
            compared += 1
    assert compared >= (2 if width == 1 else 4)


def test_ctranslate2_scores_as_we_do(model: TrainedModel, engine: Any) -> None:
    """The log probability of each token of a given translation, its end included, is that of our model."""
    source, target = model.source_tokens("where is the dog?"), model.target_tokens("a mat, now: 漢")
    (scored,) = engine.score_batch([pieces(model, source)], [pieces(model, target[:-1])])
    step = model.start([source])
    after = model.advance(step.state, torch.tensor([target[:-1]]))
    distributions = torch.cat([step.log_probs[:, None], after.log_probs], 1)[0]
    ours = distributions.gather(1, torch.tensor(target)[:, None])[:, 0].tolist()
    assert scored.log_probs == pytest.approx(ours, abs=1e-5)


@pytest.mark.parametrize("quantization", QUANTIZATIONS)
def test_the_model_stays_as_it_is(tmp_path: Path, quantization: str) -> None:
    """Also where CTranslate2 rounds the weights."""
    model = small.trained(SHAPE)
    before = {name: weight.clone() for name, weight in model.network.state_dict().items()}
    to_ctranslate2(model, tmp_path, quantization=quantization)
    for name, weight in model.network.state_dict().items():
        assert torch.equal(weight, before[name]), name


def test_two_vocabularies_are_written_both(tmp_path: Path) -> None:
    """Where source and target have their own subwords, CTranslate2 gets both and translates from one to the other."""
    model = small.trained(SHAPE)
    other = small.vocabulary(texts=["Hund und Katze", "die Maus"], size=280)
    network = type(model.network.options)(layers=1, width=8, heads=2, hidden=8, shared=False).build(
        len(model.source_vocabulary), len(other)
    )
    mixed = TrainedModel(small.livened(network), model.source_vocabulary, other)
    to_ctranslate2(mixed, tmp_path)
    translator = ctranslate2.Translator(str(tmp_path), compute_type="float32", intra_threads=1)
    source = mixed.source_tokens("a cat")
    step = mixed.start([source])
    (scored,) = translator.score_batch([[mixed.source_vocabulary.piece(token) for token in source]], [[]])
    assert scored.log_probs == pytest.approx([float(step.log_probs[0, mixed.end])], abs=1e-5)


def test_what_ctranslate2_cannot_run_is_refused(tmp_path: Path) -> None:
    """Other networks and unknown quantizations are named."""
    with pytest.raises(OptionError, match="takes no lstm:attention=luong"):
        to_ctranslate2(small.trained("lstm:width=8,hidden=8"), tmp_path)
    with pytest.raises(OptionError, match="kind=prefix"):
        to_ctranslate2(small.trained("transformer:kind=prefix,layers=1,width=8,heads=2,hidden=8"), tmp_path)
    with pytest.raises(OptionError, match="open it as trainable=True"):
        to_ctranslate2(apply(small.trained(SHAPE), "float32"), tmp_path)
    with pytest.raises(UnknownName, match="int9"):
        to_ctranslate2(small.trained(SHAPE), tmp_path, quantization="int9")
