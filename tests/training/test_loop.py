"""A training from configuration to model folder: it learns, goes on exactly, stops for its reasons, keeps the best."""

import dataclasses
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
import torch

from tertium.decoding.greedy import Greedy
from tertium.decoding.translate import translate
from tertium.errors import InputError, OptionError, TertiumError
from tertium.models.trained import TrainedModel
from tertium.training.loop import Trained, train
from tertium.training.picture import read_log
from training.small import small


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """The weights of the last step of a training."""
    state = torch.load(folder / "training" / "state.ckpt", weights_only=False)
    return dict(state["state_dict"])


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    """Whether weights are equal bit by bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Sixty steps."""
    folder = tmp_path_factory.mktemp("learned")
    return train(small(folder, training__steps=60, validation__every=20), folder / "model")


def test_it_learns(learned: Trained) -> None:
    """The loss of held-out text falls by half, from about the logarithm of the vocabulary's size."""
    losses = [each.loss for each in learned.history]
    assert losses[-1] < 0.5 * 5.7
    assert losses == sorted(losses, reverse=True)
    assert (learned.ended, learned.steps, [each.step for each in learned.history]) == ("steps", 60, [20, 40, 60])


def test_the_folder_is_a_model(learned: Trained) -> None:
    """It translates, and the score of its translations is the one reported."""
    import tertium

    model = TrainedModel.load(learned.folder)
    lines = [line.split("\t") for line in (learned.folder.parent / "numbers.valid.tsv").read_text().split("\n")[1:-1]]
    found = [each[0].text for each in translate(model, [line[0] for line in lines], Greedy())]
    score = tertium.score("chrf", found, [line[1] for line in lines]).score
    assert score == pytest.approx(learned.score)
    assert model.longest_source == 200
    assert "steps, " in (learned.folder / "README.md").read_text(encoding="utf-8")


def test_log_picture_and_result_are_written(learned: Trained) -> None:
    """Every validation is in the log; the picture is a PNG; the result can be read by programs."""
    work = learned.folder / "training"
    rows = [row for row in read_log(work / "log" / "metrics.csv") if "valid_score" in row]
    assert [(row["step"], row["valid_score"]) for row in rows] == [(m.step, m.score) for m in learned.history]
    assert (work / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((work / "result.json").read_text())["best"]["score"] == learned.best.score


class Interrupt:
    """Reports nothing and presses Ctrl-C once, after a step."""

    def __init__(self, step: int) -> None:
        self.step = step

    def __call__(self, step: int, loss: float, measured: Any) -> None:
        if step == self.step:
            self.step = 0
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("accumulate", [1, 2])
def test_an_interrupted_training_goes_on_as_if_it_had_not_been(tmp_path: Path, accumulate: int) -> None:
    """Weights, losses and scores are equal bit by bit, dropout and the order of batches included."""
    config = small(tmp_path, training__accumulate=accumulate)
    whole = train(config, tmp_path / "whole")
    first = train(config, tmp_path / "parts", Interrupt(3))
    assert first.ended == "interrupted"
    assert first.steps < 6
    second = train(config, tmp_path / "parts")
    assert second.ended == "steps"
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    assert [(m.step, m.loss, m.score) for m in second.history] == [(m.step, m.loss, m.score) for m in whole.history]


def test_ctrl_c_works_as_before_when_the_training_is_over(tmp_path: Path) -> None:
    """The handler is put back."""
    before = signal.getsignal(signal.SIGINT)
    train(small(tmp_path, training__steps=2), tmp_path / "model", Interrupt(1))
    assert signal.getsignal(signal.SIGINT) is before


def test_it_stops_when_it_no_longer_learns(tmp_path: Path) -> None:
    """With a rate of nearly 0 no validation is better than the first; two of them are patience enough."""
    config = small(tmp_path, training__learning_rate=1e-12, training__steps=50, validation__patience=2)
    found = train(config, tmp_path / "model")
    assert (found.ended, found.steps, found.best.step) == ("patience", 6, 2)


def test_it_stops_when_its_time_is_over(tmp_path: Path) -> None:
    """After the step in which the minutes are over, with a validation."""
    found = train(small(tmp_path, training__minutes=1e-6, training__steps=50), tmp_path / "model")
    assert (found.ended, found.steps, len(found.history)) == ("minutes", 1, 1)


def test_the_mean_of_snapshots_is_taken_only_where_it_is_better(tmp_path: Path) -> None:
    """The score of the folder is never below that of the best step."""
    found = train(small(tmp_path, training__steps=8, training__average=3), tmp_path / "model")
    assert found.averaged is None or found.averaged > found.best.score
    assert found.score >= max(each.score for each in found.history)


def test_another_configuration_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    """The field is named; more steps are no other configuration."""
    config = small(tmp_path, training__steps=2)
    train(config, tmp_path / "model")
    with pytest.raises(OptionError, match=r"\[training\] tokens was 512, not 256: name another folder"):
        train(small(tmp_path, training__tokens=256), tmp_path / "model")
    longer = dataclasses.replace(config, training=dataclasses.replace(config.training, steps=4))
    assert train(longer, tmp_path / "model").steps == 4


def test_a_loss_that_is_no_number_is_an_error(tmp_path: Path) -> None:
    """With what to do about it."""
    config = small(tmp_path, training__learning_rate=1e30, training__steps=20, validation__every=20)
    with pytest.raises(TertiumError, match=r"the loss at step .* is not finite: lower .* learning_rate"):
        train(config, tmp_path / "model")


def test_pairs_that_are_all_too_long_are_an_error(tmp_path: Path) -> None:
    """Instead of a training on nothing."""
    with pytest.raises(InputError, match="at most 2 tokens: raise"):
        train(small(tmp_path, data__longest=2), tmp_path / "model")


def test_every_feeding_and_network_can_be_trained(tmp_path: Path) -> None:
    """One step of each."""
    for number, (network, feeding) in enumerate(
        [
            ("lstm:attention=bahdanau,width=8,hidden=8", "feeding:kind=soft"),
            ("lstm:attention=luong,width=8,hidden=8", "feeding:kind=argmax"),
            ("transformer:kind=prefix,layers=1,width=8,heads=2,hidden=8", "feeding:kind=scheduled,rise=1"),
            ("transformer:kind=decoder,layers=1,width=8,heads=2,hidden=8", "feeding"),
        ]
    ):
        config = small(tmp_path, model__network=network, training__feeding=feeding, training__steps=1)
        assert train(config, tmp_path / str(number)).steps == 1


def test_bfloat16_learns_as_float32_does(tmp_path: Path) -> None:
    """The weights stay float32 and the losses are near."""
    losses = {}
    for precision in ("float32", "bfloat16"):
        config = small(tmp_path, training__precision=precision, training__steps=20, validation__every=20)
        losses[precision] = train(config, tmp_path / precision).history[-1].loss
        assert {each.dtype for each in weights(tmp_path / precision).values()} == {torch.float32}
    assert losses["bfloat16"] == pytest.approx(losses["float32"], rel=0.05)


@pytest.mark.slow
def test_two_processes_learn_together(tmp_path: Path) -> None:
    """On two devices each takes its own batches; the folder is the same kind of model."""
    import subprocess
    import sys

    small(tmp_path)
    options = [f"training.{each}" for each in ("devices=2", "steps=4", "tokens=512")]
    command = [sys.executable, "-m", "tertium", "train", "numbers.toml", "-o", "model", "--set", *options]
    command += ["validation.every=2", "vocabulary.size=300"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr
    assert TrainedModel.load(tmp_path / "model").parameters > 0
