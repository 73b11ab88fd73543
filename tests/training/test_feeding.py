"""What the decoder is fed: the reference, its own output as a token or as a mixture, or either by chance."""

import pytest
import torch

from tertium import registry
from tertium.errors import OptionError, UnknownName
from tertium.models.network import BEGIN, END
from tertium.training.batches import Batch, batch_of
from tertium.training.feeding import Feeding

NETWORKS = (
    "transformer:layers=1,width=16,heads=2,hidden=16,dropout=0",
    "transformer:kind=prefix,layers=1,width=16,heads=2,hidden=16,dropout=0",
    "lstm:attention=luong,width=8,hidden=8,dropout=0",
    "lstm:attention=bahdanau,width=8,hidden=8,dropout=0",
)


@pytest.fixture(params=NETWORKS)
def network(request: pytest.FixtureRequest) -> torch.nn.Module:
    """A network of each kind, with weights at random."""
    torch.manual_seed(1)
    made: torch.nn.Module = registry.make("network", request.param).build(20, 20)
    return made


@pytest.fixture
def batch() -> Batch:
    """Two pairs of different length."""
    return batch_of([([5, 6, 7, END], [8, 9, 10, 11, END]), ([12, END], [13, 14, END])])


def with_begin(batch: Batch) -> torch.Tensor:
    """What the decoder is fed of the targets."""
    return torch.cat([torch.full((len(batch.target), 1), BEGIN), batch.target[:, :-1]], 1)


def test_feeding_the_reference_step_by_step_is_teacher_forcing(network: torch.nn.Module, batch: Batch) -> None:
    """Where chance never takes the model's own token, the hidden states are those computed all at once."""
    teacher = Feeding().hidden(network, batch, 0)  # type: ignore[arg-type]
    stepwise = Feeding(kind="scheduled")._running(network, batch.source, with_begin(batch), 0.0)  # type: ignore[arg-type]
    real = batch.target != 0
    torch.testing.assert_close(stepwise[real], teacher[real], rtol=1e-4, atol=1e-5)


def test_argmax_feeds_what_the_model_finds_likeliest(network: torch.nn.Module, batch: Batch) -> None:
    """The hidden states are those of teacher forcing with the model's own tokens as the reference."""
    hidden = Feeding(kind="argmax").hidden(network, batch, 0)  # type: ignore[arg-type]
    own = network.project(hidden).argmax(-1)[:, :-1]  # type: ignore[operator]
    fed = torch.cat([torch.full((2, 1), BEGIN), own], 1)
    torch.testing.assert_close(network(batch.source, fed), hidden, rtol=1e-4, atol=1e-5)


def test_a_certain_mixture_is_the_token_itself(network: torch.nn.Module) -> None:
    """A one-hot distribution is embedded as its token is."""
    tokens = torch.tensor([[5, 7]])
    one_hot = torch.nn.functional.one_hot(tokens, 20).float()
    torch.testing.assert_close(network.embed_target(one_hot), network.embed_target(tokens))  # type: ignore[operator]


def test_gradients_flow_through_soft_feedback_and_not_through_tokens(network: torch.nn.Module, batch: Batch) -> None:
    """A loss at the last position alone reaches the first step's output only where that was fed as a mixture."""
    found = {}
    for kind in ("argmax", "soft"):
        seen: list[torch.Tensor] = []
        project = network.project

        def watched(hidden: torch.Tensor, seen: list[torch.Tensor] = seen, project=project) -> torch.Tensor:  # type: ignore[no-untyped-def]
            logits: torch.Tensor = project(hidden)
            seen.append(logits)
            return logits

        network.project = watched  # type: ignore[assignment]
        last = Feeding(kind=kind).hidden(network, batch, 0)[:, -1].sum()  # type: ignore[arg-type]
        (gradient,) = torch.autograd.grad(last, seen[0], allow_unused=True)
        found[kind] = gradient
        network.project = project
    assert found["argmax"] is None
    assert found["soft"].abs().sum() > 0


def test_the_chance_rises_on_a_line() -> None:
    """From 0 at the first step to the share at the step `rise`, where it stays."""
    feeding = Feeding(kind="scheduled", share=0.5, rise=100)
    assert [feeding.chance(step) for step in (0, 50, 100, 500)] == [0.0, 0.25, 0.5, 0.5]
    assert (Feeding().chance(5), Feeding(kind="soft").chance(0)) == (0.0, 1.0)


def test_options_that_make_no_sense_are_refused() -> None:
    """With the field's name."""
    with pytest.raises(UnknownName, match="feeding 'teach'"):
        Feeding(kind="teach")
    with pytest.raises(OptionError, match=r"share=1\.5"):
        Feeding(share=1.5)
