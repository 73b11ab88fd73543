"""What happens between the steps of a training: validations, snapshots, the state from which it goes on, the end.

It is one callback of Lightning. After every so many steps it measures the model, keeps the best weights and writes the
state; it stops the training when its time is over, when it no longer learns, or when Ctrl-C asked for it, always at the
end of a step, so that nothing is half done.
"""

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightning.pytorch

from tertium.models.trained import own_tensors
from tertium.training.config import Training
from tertium.training.snapshots import Snapshots
from tertium.training.trainee import Trainee
from tertium.training.validation import HeldOut, Measured

STATE = "state.ckpt"

Reporter = Callable[[int, float, Measured | None], None]


def silent(step: int, loss: float, measured: Measured | None) -> None:
    """Reports nothing."""


class Watch(lightning.pytorch.Callback):
    """See the file's docstring. `ended` says in the end why the training stopped."""

    def __init__(self, trainee: Trainee, held_out: HeldOut, settings: Training, folder: Path, report: Reporter) -> None:
        self.trainee, self.held_out, self.settings, self.folder = trainee, held_out, settings, folder
        self.report = report
        self.snapshots = Snapshots(folder / "snapshots", settings.average)
        self.history: list[Measured] = []
        self.best: Measured | None = None
        self.ended = ""
        self._before = 0.0  # seconds of earlier sessions
        self._start = time.monotonic()
        self._asked_to_stop = False
        self._handler: Any = None

    @property
    def seconds(self) -> float:
        """How long this training has taken, over all its sessions."""
        return self._before + time.monotonic() - self._start

    def state_dict(self) -> dict[str, Any]:
        """What a later session needs to go on."""
        return {
            "history": [list(vars(each).values()) for each in self.history],
            "best": None if self.best is None else self.history.index(self.best),
            "snapshots": self.snapshots.scores,
            "seconds": self.seconds,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from an earlier session."""
        self.history = [Measured(*each) for each in state["history"]]
        self.best = None if state["best"] is None else self.history[state["best"]]
        self.snapshots.scores = dict(state["snapshots"])
        self._before = state["seconds"]
        self._start = time.monotonic()

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Hear Ctrl-C: the first asks for an end after the present step, the second ends at once."""
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGINT, self._stop_soon)

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        """Ctrl-C is again what it was before."""
        self._restore()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """So also after an error."""
        self._restore()

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        """Validate where it is time to, and stop where there is reason to."""
        step = trainer.global_step
        last = step >= self.settings.steps
        out_of_time = self.settings.minutes is not None and self.seconds >= 60 * self.settings.minutes
        out_of_time = trainer.strategy.reduce_boolean_decision(out_of_time, all=False)
        due = step % self.held_out.settings.every == 0
        if due or last or out_of_time:
            self._validate(trainer, pl_module, step)
        elif trainer.is_global_zero:
            self.report(step, float(trainer.callback_metrics["loss"]), None)
        if self._asked_to_stop:
            if self.best is None:  # no end without a model
                self._validate(trainer, pl_module, step)
            self.ended = "interrupted"
        elif self._impatient(step):
            self.ended = "patience"
        elif last:
            self.ended = "steps"
        elif out_of_time:
            self.ended = "minutes"
        if due or self.ended:
            trainer.save_checkpoint(self.folder / STATE)
        trainer.should_stop = bool(self.ended)

    def _validate(self, trainer: Any, module: Any, step: int) -> None:
        measured = None
        if trainer.is_global_zero:
            measured = self.held_out.measure(self.trainee, step, self.seconds / 60)
        measured = trainer.strategy.broadcast(measured)
        self.history.append(measured)
        if self.best is None or self.held_out.better(measured.score, self.best.score):
            self.best = measured
        if trainer.is_global_zero:
            sign = 1 if self.held_out.better(1.0, 0.0) else -1
            self.snapshots.add(step, sign * measured.score, own_tensors(module.network))
            for logger in trainer.loggers:
                logger.log_metrics({"valid_loss": measured.loss, "valid_score": measured.score}, step)
            self.report(step, float(trainer.callback_metrics["loss"]), measured)

    def _impatient(self, step: int) -> bool:
        """Whether the last `patience` validations brought nothing better."""
        if self.best is None:
            return False
        since = len(self.history) - 1 - self.history.index(self.best)
        return since >= self.held_out.settings.patience

    def _stop_soon(self, number: int, frame: Any) -> None:
        self._asked_to_stop = True
        self._restore()

    def _restore(self) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            self._handler = None
