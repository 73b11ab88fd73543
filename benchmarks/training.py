"""Training the tiny preset on Multi30k against the same architecture in Hugging Face's Trainer: tokens a CPU second.

The same batches, label smoothing, dropout of the residual stream, clipping and AdamW; one thread. The architecture is
M2M100's, which has the same parts in the same places. Each side trains in float32, and once more in bfloat16 where a
processor has it. What is compared is a whole training step of either loop, its logging included.
"""

import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import wmt22
from measure import Row, times

from tertium.models.network import BEGIN, END, PADDING
from tertium.training.batches import Batch, TokenBatches
from tertium.training.config import TrainingConfig, read_preset
from tertium.training.parallel import ParallelText, read_parallel
from tertium.training.trainee import new_model

STEPS, WARM = 24, 4


def rows(full: bool) -> Iterator[Row]:
    torch.set_num_threads(1)
    config = preset()
    text = read_parallel(config.data.source, config.data.target)
    with tempfile.TemporaryDirectory() as folder:
        batches = chosen(config, text, Path(folder))
        tokens = sum(int((batch.target != PADDING).sum()) for batch in batches[WARM:])
        for precision in ("float32", "bfloat16"):
            seconds: dict[str, float] = {"ours": float("inf"), "theirs": float("inf")}
            for _ in range(2):
                seconds["ours"] = min(seconds["ours"], ours(config, text, batches, precision, Path(folder)))
                seconds["theirs"] = min(seconds["theirs"], theirs(config, batches, precision, folder))
            yield times(
                f"training, tiny preset, {precision}",
                "HF Trainer",
                seconds["ours"],
                seconds["theirs"],
                1.3,
                note=f"{tokens / seconds['ours']:.0f} and {tokens / seconds['theirs']:.0f} target tokens a second",
            )


def preset() -> TrainingConfig:
    """transformer-tiny on Multi30k."""
    folder = wmt22.FOLDER / "train"
    files = {
        f"data.{kind}{side}": [f"{folder}/multi30k.{part}.tsv.gz:{language}"]
        for kind, part in (("", "train"), ("valid_", "val"))
        for side, language in (("source", "en"), ("target", "de"))
    }
    return read_preset("transformer-tiny", files)


def chosen(config: TrainingConfig, text: ParallelText, folder: Path) -> list[Batch]:
    """The batches that both sides take."""
    pairs = new_model(config, text, folder).pairs(text)
    batches = TokenBatches(pairs, tokens=config.training.tokens, seed=1).from_place(0)
    return list(itertools.islice(batches, WARM + STEPS))


def ours(config: TrainingConfig, text: ParallelText, batches: list[Batch], precision: str, folder: Path) -> float:
    """CPU seconds of the steps after the first few, by our loop."""
    import dataclasses

    import lightning.pytorch

    from tertium.training.loop import quiet
    from tertium.training.module import TranslationModule

    class Given(TokenBatches):
        def from_place(self, place: int, stride: int = 1) -> Iterator[Batch]:
            return iter(batches)

    trainee = new_model(config, text, folder)
    settings = dataclasses.replace(config.training, precision=precision)
    module = TranslationModule(trainee.network.train(), Given([], tokens=1, seed=1), settings)
    clock = Clock()
    with quiet():
        lightning.pytorch.Trainer(
            max_steps=len(batches),
            precision="bf16-mixed" if precision == "bfloat16" else "32-true",
            accelerator="cpu",
            logger=False,
            callbacks=[clock.of_lightning()],
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
        ).fit(module)
    return clock.seconds


def theirs(config: TrainingConfig, batches: list[Batch], precision: str, folder: str) -> float:
    """The same by transformers' Trainer."""
    import transformers

    class Trainer(transformers.Trainer):  # type: ignore[misc]
        def get_train_dataloader(self) -> Any:
            return [self.given(batch) for batch in batches]

        @staticmethod
        def given(batch: Batch) -> dict[str, torch.Tensor]:
            starts = torch.full((len(batch.target), 1), BEGIN)
            return {
                "input_ids": batch.source,
                "attention_mask": (batch.source != PADDING).long(),
                "decoder_input_ids": torch.cat([starts, batch.target[:, :-1]], 1),
                "labels": batch.target.masked_fill(batch.target == PADDING, -100),
            }

    training = config.training
    arguments = transformers.TrainingArguments(
        output_dir=folder,
        max_steps=len(batches),
        learning_rate=training.learning_rate,
        label_smoothing_factor=0.1,
        max_grad_norm=training.clip,
        optim="adamw_torch_fused",
        bf16=precision == "bfloat16",
        use_cpu=True,
        report_to=[],
        logging_steps=50,
        save_strategy="no",
        disable_tqdm=True,
        dataloader_num_workers=0,
    )
    clock = Clock()
    trainer = Trainer(architecture(), arguments, train_dataset=[0] * len(batches), callbacks=[clock.of_transformers()])
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train()
    return clock.seconds


def architecture() -> Any:
    """The tiny preset's network as M2M100."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    shape = {"layers": 4, "attention_heads": 4, "ffn_dim": 256, "layerdrop": 0.0}
    sizes = {f"{side}_{name}": value for side in ("encoder", "decoder") for name, value in shape.items()}
    return M2M100ForConditionalGeneration(
        M2M100Config(
            vocab_size=8000,
            d_model=128,
            dropout=0.3,
            attention_dropout=0.0,
            activation_dropout=0.0,
            activation_function="relu",
            scale_embedding=True,
            pad_token_id=PADDING,
            bos_token_id=BEGIN,
            eos_token_id=END,
            decoder_start_token_id=BEGIN,
            **sizes,
        )
    )


class Clock:
    """Counts the CPU seconds of the steps after the first few."""

    def __init__(self) -> None:
        self.steps, self.start, self.seconds = 0, 0.0, 0.0

    def tick(self) -> None:
        """After each step."""
        self.steps += 1
        if self.steps == WARM:
            self.start = time.process_time()
        elif self.steps == WARM + STEPS:
            self.seconds = time.process_time() - self.start

    def of_lightning(self) -> Any:
        """As a callback of Lightning."""
        import lightning.pytorch

        tick = self.tick

        class Callback(lightning.pytorch.Callback):
            def on_train_batch_end(self, *arguments: Any) -> None:
                tick()

        return Callback()

    def of_transformers(self) -> Any:
        """As a callback of transformers."""
        import transformers

        tick = self.tick

        class Callback(transformers.TrainerCallback):  # type: ignore[misc]
            def on_step_end(self, *arguments: Any, **options: Any) -> None:
                tick()

        return Callback()
