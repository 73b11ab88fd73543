"""Encoder-decoders of Hugging Face are fine-tuned by the same loop, to the loss that they compute themselves."""

from pathlib import Path
from typing import Any

import pytest
import torch

from models.checkpoints import make
from tertium.errors import OptionError
from tertium.models.opening import open_model
from tertium.training import loop
from tertium.training.batches import batch_of
from tertium.training.feeding import Feeding
from tertium.training.huggingface import HuggingFaceTrainee
from tertium.training.loop import train
from tertium.training.objectives import CrossEntropy
from tertium.training.parallel import ParallelText
from training.small import small

TEXT = ParallelText(["a cat sat on the mat", "the dog"], ["the dog ran", "a mouse, no cat"])


@pytest.mark.parametrize("kind", ["marian", "t5", "mt5", "bart"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_gradients_are_those_of_transformers(kind: str, smoothing: float, tmp_path: Path) -> None:
    """Of its own logits, by torch's cross entropy."""
    model: Any = open_model(make(kind, tmp_path), trainable=True)
    trainee = HuggingFaceTrainee(model, kind)
    batch = batch_of(trainee.pairs(TEXT), -1)
    network = trainee.network.eval()
    loss = CrossEntropy(smoothing).loss(network, batch, Feeding(), 0)  # type: ignore[arg-type]
    weights = [each for each in network.parameters() if each.requires_grad]
    ours = torch.autograd.grad(loss.total, weights, allow_unused=True)

    fed = torch.cat([torch.tensor([list(model.begin)] * 2), batch.target[:, :-1].clamp(min=0)], 1)
    source = batch.source
    mask = (source >= 0).long()
    out = model.network(input_ids=source.clamp(min=0), attention_mask=mask, decoder_input_ids=fed, use_cache=False)
    logits = out.logits[:, len(model.begin) - 1 :]
    real = batch.target >= 0
    answers = batch.target[real]
    theirs = torch.nn.functional.cross_entropy(logits[real], answers, reduction="sum", label_smoothing=smoothing)
    torch.testing.assert_close(loss.total.detach(), theirs.detach(), rtol=1e-5, atol=1e-4)
    wanted = torch.autograd.grad(theirs, weights, allow_unused=True)
    for one, other in zip(ours, wanted, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-4)


def test_a_fine_tuned_folder_is_a_folder_of_its_kind(tmp_path: Path) -> None:
    """mT5, tiny: it learns, and what comes out is opened as what went in was."""
    folder = make("mt5", tmp_path / "start")
    changes = {"training__steps": 12, "validation__every": 6, "training__learning_rate": 0.01}
    config = small(tmp_path, model__start=str(folder), **changes)
    found = train(config, tmp_path / "tuned")
    assert found.history[-1].loss < found.history[0].loss
    before: Any = open_model(folder)
    after: Any = open_model(tmp_path / "tuned")
    assert type(after) is type(before)
    assert after.source_tokens("the cat") == before.source_tokens("the cat")
    weight = before.network.get_input_embeddings().weight
    assert not torch.equal(weight, after.network.get_input_embeddings().weight)


def test_our_own_models_are_trained_further(tmp_path: Path) -> None:
    """From the weights in the folder, with its vocabulary: the loss begins where it ended."""
    first = train(small(tmp_path, training__steps=40, validation__every=40), tmp_path / "first")
    start = str(tmp_path / "first")
    config = small(tmp_path, model__start=start, training__steps=1, training__learning_rate=1e-9)
    second = train(config, tmp_path / "second")
    assert second.history[0].loss == pytest.approx(first.best.loss, rel=1e-3)


def test_what_was_opened_to_translate_learns_with_dropout(tmp_path: Path) -> None:
    """Every part of the network is in its training mode while it learns."""
    config = small(tmp_path, model__start=str(make("t5", tmp_path / "t5")), training__steps=2)
    modes: set[bool] = set()

    def look(step: int, loss: float, measured: Any) -> None:
        if measured is None:
            modes.update(each.training for each in trainee.network.modules())

    trainee: Any = None
    make_trainee = loop.trainee_of

    def caught(*arguments: Any) -> Any:
        nonlocal trainee
        trainee = make_trainee(*arguments)
        return trainee

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "trainee_of", caught)
        train(config, tmp_path / "tuned", look)
    assert modes == {True}


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    """A language model, an engine, and feeding that a network of others does not know."""
    with pytest.raises(OptionError, match="cannot be trained"):
        train(small(tmp_path, model__start="command:cat"), tmp_path / "engine")
    folder = str(make("llama", tmp_path / "llama"))
    with pytest.raises(OptionError, match="cannot be trained"):
        train(small(tmp_path, model__start=folder), tmp_path / "causal")
    folder = str(make("t5", tmp_path / "t5"))
    config = small(tmp_path, model__start=folder, training__feeding="feeding:kind=soft")
    with pytest.raises(OptionError, match="feeding: soft is for networks of ours"):
        train(config, tmp_path / "soft")
