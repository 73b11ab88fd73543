"""A whole training: from a configuration to a model's folder, and on from where it was interrupted.

    FOLDER/                the best model, see `tertium.models.trained`
    FOLDER/training/       config.json     what was asked for
                           vocabulary      learned before the first step
                           state.ckpt      from which it goes on exactly
                           snapshots/      the best weights
                           log/            losses and scores as CSV, and for TensorBoard where that is installed
                           loss.png        the same as a picture
                           result.json     what came out

Called again with the same configuration and folder, it goes on. More steps, minutes or patience may then be given;
everything else must be as it was.
"""

import dataclasses
import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import lightning.pytorch
import torch
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger

from tertium.errors import InputError, OptionError
from tertium.training.batches import TokenBatches
from tertium.training.config import TrainingConfig
from tertium.training.module import TranslationModule
from tertium.training.parallel import fitting, read_parallel
from tertium.training.picture import draw
from tertium.training.trainee import Trainee, trainee_of
from tertium.training.validation import HeldOut, Measured
from tertium.training.watch import STATE, Reporter, Watch, silent

MAY_CHANGE = ("steps", "minutes", "patience")


@dataclass(frozen=True)
class Trained:
    """What came out of a training."""

    folder: Path
    ended: str  # steps, minutes, patience or interrupted: why it stopped
    steps: int
    minutes: float
    best: Measured
    averaged: float | None  # the score of the mean of the best snapshots
    history: list[Measured]

    @property
    def score(self) -> float:
        """The score of the model in the folder."""
        return self.best.score if self.averaged is None else self.averaged


def train(config: TrainingConfig, folder: str | Path, report: Reporter = silent) -> Trained:
    """Train a model and leave it in a folder; goes on with a training that was interrupted there."""
    folder = Path(folder)
    work = folder / "training"
    work.mkdir(parents=True, exist_ok=True)
    _same_as_before(config, work / "config.json")
    data = config.data
    text = read_parallel(data.source, data.target)
    trainee = trainee_of(config, text, work)
    pairs = fitting(trainee.pairs(text), data.longest)
    if not pairs:
        raise InputError(f"no pair of {', '.join(data.source)} has at most {data.longest} tokens: raise [data] longest")
    padding = trainee.network.padding
    batches = TokenBatches(pairs, tokens=config.training.tokens, seed=config.training.seed, padding=padding)
    watch = Watch(trainee, _held_out(config, trainee), config.training, work, report)
    steps = _fit(trainee, batches, watch, config, work)
    return _finish(trainee, watch, folder, steps, _facts(config, len(pairs), steps, watch))


def _fit(trainee: Trainee, batches: TokenBatches, watch: Watch, config: TrainingConfig, work: Path) -> int:
    """Take the steps that are left; returns how many have been taken in all."""
    module = TranslationModule(trainee.network, batches, config.training)
    state = work / STATE
    with quiet():
        trainer = lightning.pytorch.Trainer(
            max_steps=config.training.steps,
            max_epochs=-1,
            precision="bf16-mixed" if config.training.precision == "bfloat16" else "32-true",
            devices=config.training.devices,
            strategy="ddp" if config.training.devices > 1 else "auto",
            accelerator="auto" if torch.cuda.is_available() else "cpu",
            logger=_loggers(work),
            callbacks=[watch],
            log_every_n_steps=min(50, watch.held_out.settings.every),
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=work,
        )
        trainer.fit(module, ckpt_path=str(state) if state.exists() else None, weights_only=False)
    return int(trainer.global_step)


def _loggers(work: Path) -> list[Any]:
    loggers: list[Any] = [CSVLogger(work, name="log", version="")]
    if find_spec("tensorboard"):
        loggers.append(TensorBoardLogger(work, name="log", version=""))
    return loggers


def _finish(trainee: Trainee, watch: Watch, folder: Path, steps: int, facts: dict[str, Any]) -> Trained:
    """Leave the best weights in the folder: those of one step, or the mean of several if that is better."""
    best, snapshots = watch.best, watch.snapshots
    assert best is not None  # no training ends without a validation
    averaged = None
    weights = snapshots.load(snapshots.best)
    if watch.ended != "interrupted" and len(snapshots.scores) > 1:
        means = snapshots.mean()
        trainee.network.load_state_dict(means, strict=False)  # tied weights have one name
        score = watch.held_out.measure(trainee, steps, 0).score
        if watch.held_out.better(score, best.score):
            weights, averaged = means, score
    trainee.network.load_state_dict(weights, strict=False)
    trainee.save(folder, facts | {"valid_score": best.score if averaged is None else averaged})
    trained = Trained(folder, watch.ended, steps, watch.seconds / 60, best, averaged, watch.history)
    described = dataclasses.asdict(trained) | {"folder": str(folder)}
    (folder / "training" / "result.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    draw(folder / "training")
    return trained


def _held_out(config: TrainingConfig, trainee: Trainee) -> HeldOut:
    text = read_parallel(config.data.valid_source, config.data.valid_target)
    pairs = fitting(trainee.pairs(text), config.data.longest)
    if not pairs:
        raise InputError(f"no pair of {', '.join(config.data.valid_source)} has at most {config.data.longest} tokens")
    return HeldOut(text, pairs, config.validation)


def _facts(config: TrainingConfig, pairs: int, steps: int, watch: Watch) -> dict[str, Any]:
    """What the model's card says."""
    facts: dict[str, Any] = {"languages": config.data.languages} if config.data.languages else {}
    return facts | {
        "trained_on": f"{pairs} pairs",
        "training": f"{steps} steps, {watch.seconds / 60:.1f} minutes",
        "objective": config.training.objective,
        "feeding": config.training.feeding,
        "valid_metric": config.validation.metric,
    }


def _same_as_before(config: TrainingConfig, path: Path) -> None:
    """Write the configuration; where there is one already, it must be the same but for what may change."""
    wanted = json.loads(json.dumps(dataclasses.asdict(config)))
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        for section, fields in wanted.items():
            for name, value in fields.items():
                if name not in MAY_CHANGE and before[section][name] != value:
                    raise OptionError(
                        f"{path.parent.parent} has a training whose [{section}] {name} was {before[section][name]!r}, "
                        f"not {value!r}: name another folder, or delete this one to start anew"
                    )
    path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


@contextmanager
def quiet() -> Iterator[None]:
    """Lightning tells of every accelerator that it has not found; our reports are the caller's."""
    logger = logging.getLogger("lightning.pytorch")
    level = logger.level
    logger.setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="lightning")
        try:
            yield
        finally:
            logger.setLevel(level)
