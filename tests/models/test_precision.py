"""Lower precisions of linear layers: how far they are from float32, and what they must not change."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from models import checkpoints, small
from tertium.decoding.beam import Beam
from tertium.decoding.search import search
from tertium.errors import OptionError, UnknownName
from tertium.models.huggingface import load_huggingface
from tertium.models.precision import PRECISIONS, Int8, Packed, apply
from tertium.native.network import FAST

SPELLINGS = ("transformer:layers=2,width=32,heads=2,hidden=48,dropout=0", "lstm:width=24,hidden=32,dropout=0")
SOURCES = ("the cat", "where is the mouse now?", "Über den Fluß läuft der Hund.", "dog", "a cat sat on the mat")


def layer(inputs: int = 96, outputs: int = 50, *, bias: bool = True) -> nn.Linear:
    torch.manual_seed(3)
    return nn.Linear(inputs, outputs, bias=bias)


def at(precision: str, linear: nn.Linear) -> Any:
    return Int8(linear) if precision == "int8" else Packed(linear, precision)


def log_probs(model: Any, texts: Sequence[str], tokens: Tensor) -> Tensor:
    """What the model says at the start and after each token, for each text."""
    step = model.start([model.source_tokens(text) for text in texts])
    return torch.cat([step.log_probs[:, None], model.advance(step.state, tokens).log_probs], 1)


@pytest.mark.parametrize("bias", [True, False])
@torch.inference_mode()
def test_a_packed_float32_layer_is_the_layer(bias: bool) -> None:
    """Up to the rounding of sums; inputs may have any number of axes."""
    linear, x = layer(bias=bias), torch.randn(3, 5, 96)
    torch.testing.assert_close(at("float32", linear)(x), linear(x), rtol=1e-5, atol=1e-5)


@torch.inference_mode()
def test_bfloat16_is_within_its_rounding() -> None:
    """Inputs, weights, the bias and the result are rounded to 8 bits, each by at most 2^-8 of itself (sums are
    float32): |error| <= 2^-8 |result| + (2 * 2^-8 + 2^-16) sum |x w| + 2^-8 |b|, and a hair for the sums."""
    linear, x = layer(), torch.randn(40, 96)
    exact = linear.double()(x.double())
    magnitudes = x.double().abs() @ linear.weight.abs().T
    bound = 2**-8 * exact.abs() + (2.1 * 2**-8) * magnitudes + 2**-8 * linear.bias.abs()
    error = (at("bfloat16", layer())(x) - exact).abs()
    assert (error <= bound + 1e-5).all()
    assert error.max() > 1e-4  # it is no float32


@torch.inference_mode()
def test_int8_is_within_its_rounding() -> None:
    """An input is off by at most half of its row's scale, max |x| / 127, a weight by half of its output's: the sums of
    products are off by at most sum |x| dw + |w| dx + dx dw."""
    linear, x = layer(), torch.randn(40, 96) * torch.logspace(-6, 6, 40)[:, None]
    exact = linear.double()(x.double())
    x, weight = x.double(), linear.weight
    dx = x.abs().amax(1, keepdim=True) / 254  # (rows, 1)
    dw = weight.abs().amax(1) / 254  # (outputs,)
    bound = x.abs().sum(1, keepdim=True) * dw + dx * weight.abs().sum(1) + 96 * dx * dw
    error = (at("int8", layer())(x.float()) - exact).abs()
    assert (error <= bound * (1 + 1e-5) + 1e-6).all()
    assert (error > 0).any()


@pytest.mark.parametrize("precision", PRECISIONS)
@torch.inference_mode()
def test_a_rows_result_is_the_same_in_every_batch(precision: str) -> None:
    """To the last bit: beside other rows, however many, also where another row is a million times larger."""
    made, rows = at(precision, layer()), torch.randn(37, 96)
    rows[5] *= 1e6
    together = made(rows)
    for size in (1, 2, 7, 32):
        torch.testing.assert_close(made(rows[:size]), together[:size], rtol=0, atol=0)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-4), ("bfloat16", 0.1), ("int8", 0.2)])
def test_models_say_nearly_the_same(spelling: str, precision: str, tolerance: float) -> None:
    """Probabilities of every token, after any prefix, are those of the model as it was loaded."""
    model = small.trained(spelling)
    lighter = apply(model, precision)
    tokens = torch.randint(4, model.vocabulary_size, (len(SOURCES), 5), generator=torch.Generator().manual_seed(1))
    exact, near = (log_probs(each, SOURCES, tokens).exp() for each in (model, lighter))
    distance = (exact - near).abs().sum(-1) / 2  # total variation
    assert distance.max() < tolerance
    torch.testing.assert_close(near.sum(-1), torch.ones_like(near[..., 0]))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_translations_do_not_depend_on_the_batch(spelling: str, precision: str) -> None:
    """Each source alone gives the hypotheses that it gives among the others, with the same scores."""
    model = apply(small.trained(spelling), precision)
    sources = [model.source_tokens(text) for text in SOURCES]
    together = search(model, sources, Beam(width=3, count=3))
    for source, expected in zip(sources, together, strict=True):
        (alone,) = search(model, [source], Beam(width=3, count=3))
        assert [each.tokens for each in alone] == [each.tokens for each in expected]
        assert [each.score for each in alone] == pytest.approx([each.score for each in expected], abs=1e-5)


@pytest.mark.skipif(not FAST, reason="torch's attention rounds sums in another order for each shape")
@pytest.mark.parametrize("kind", ["encoder-decoder", "prefix", "decoder"])
def test_int8_transformers_say_the_same_to_the_last_bit(kind: str) -> None:
    """A hypothesis that was found among others, one token at a time, has the very log probabilities that it has alone,
    all tokens at once."""
    model = apply(small.trained(f"transformer:kind={kind},layers=2,width=32,heads=2,hidden=48,dropout=0"), "int8")
    sources = [model.source_tokens(text) for text in SOURCES]
    for source, found in zip(sources, search(model, sources, Beam(width=3, count=3)), strict=True):
        for hypothesis in found:
            start = model.start([source])
            after = model.advance(start.state, torch.tensor([hypothesis.tokens]))
            said = torch.cat([start.log_probs[:, None], after.log_probs], 1)[0]
            of_tokens = said[range(len(hypothesis.tokens)), hypothesis.tokens]
            assert of_tokens.tolist() == list(hypothesis.token_log_probs)


@pytest.mark.parametrize("kind", ["marian", "t5", "llama"])
@pytest.mark.parametrize("precision", PRECISIONS)
def test_networks_of_hugging_face_have_precisions_too(kind: str, precision: str, tmp_path: Path) -> None:
    """Their linear layers are of the same class; a tiny random network's probabilities hardly change."""
    checkpoints.make(kind, tmp_path)
    model = load_huggingface(tmp_path, **checkpoints.OPTIONS.get(kind, {}))
    lighter = apply(model, precision)
    exact, near = (each.start([each.source_tokens("a cat")]).log_probs.exp() for each in (model, lighter))
    assert any(isinstance(module, Packed | Int8) for module in lighter.network.modules())
    assert (exact - near).abs().sum() / 2 < 0.1


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_model_itself_stays_as_it_is(precision: str) -> None:
    """It can still be trained and saved; the embeddings are the same memory."""
    model = small.trained(SPELLINGS[0])
    before = {name: weight.clone() for name, weight in model.network.state_dict().items()}
    lighter = apply(model, precision)
    for name, weight in model.network.state_dict().items():
        assert torch.equal(weight, before[name])
    assert not any(isinstance(module, Packed | Int8) for module in model.network.modules())
    assert lighter.network.target_embedding.weight is model.network.target_embedding.weight
    assert lighter.network.output_weight is model.network.output_weight
    model.network.project(model.network(torch.ones(1, 2).long(), torch.ones(1, 2).long())).sum().backward()


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    """Unknown precisions, a second precision, and saving what has no weights any more."""
    model = small.trained(SPELLINGS[0])
    with pytest.raises(UnknownName, match=r"unknown precision 'int4'.*int8"):
        apply(model, "int4")
    lighter = apply(model, "int8")
    with pytest.raises(OptionError, match="apply bfloat16 to the model as it was loaded"):
        apply(lighter, "bfloat16")
    with pytest.raises(OptionError, match="cannot be saved"):
        lighter.save(tmp_path)
