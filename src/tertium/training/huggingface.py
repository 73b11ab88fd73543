"""Encoder-decoders of Hugging Face as networks to be fine-tuned: Marian, T5 and mT5, BART, NLLB and their like.

The objective wants hidden states and the output layer's weight, so that it can compute its loss without the logits of a
whole batch: with mT5's quarter of a million tokens they would be gigabytes. So the output layer is passed by.

Padding is -1, which is no token of any vocabulary; the network is told by masks what is real. Dropout is what the
folder's config says. mT5's own recipe has a constant rate of 0.001 and no label smoothing (Xue et al., 2021).
"""

from pathlib import Path
from typing import Any

from torch import Tensor, nn

from tertium.errors import OptionError
from tertium.models.huggingface import EncoderDecoder
from tertium.training.batches import Pair
from tertium.training.parallel import ParallelText


class HuggingFaceNetwork(nn.Module):
    """An encoder-decoder of transformers as a `Network`, for teacher forcing alone."""

    padding = -1

    def __init__(self, network: Any, starts: tuple[int, ...]) -> None:
        super().__init__()
        self.inner = network
        self.starts = starts

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Hidden states (batch, target length, width), as the output layer takes them."""
        real = source != self.padding
        output = self.inner.get_output_embeddings()
        taken: list[Tensor] = []

        def pass_by(module: Any, inputs: tuple[Tensor, ...]) -> tuple[Tensor]:
            taken.append(inputs[0])
            return (inputs[0][:, :0],)  # the output layer has no position left to compute

        handle = output.register_forward_pre_hook(pass_by)
        try:
            self.inner(
                input_ids=source.clamp(min=0),
                attention_mask=real.long(),
                decoder_input_ids=target.clamp(min=0),
                use_cache=False,
            )
        finally:
            handle.remove()
        return taken[0]

    @property
    def output_weight(self) -> Tensor:
        """The weight of the output layer."""
        weight: Tensor = self.inner.get_output_embeddings().weight
        return weight

    @property
    def output_bias(self) -> Tensor | None:
        """What Marian and BART add to the logits; others nothing."""
        bias = getattr(self.inner, "final_logits_bias", None)
        return None if bias is None else bias[0]


class HuggingFaceTrainee:
    """A folder of Hugging Face that is fine-tuned; what comes out is such a folder again."""

    def __init__(self, model: Any, folder: str) -> None:
        if not isinstance(model, EncoderDecoder):
            raise OptionError(f"[model] start: {folder} cannot be trained; a folder of ours or an encoder-decoder can")
        self.model = model
        self.network = HuggingFaceNetwork(model.network, tuple(model.begin))

    def pairs(self, text: ParallelText) -> list[Pair]:
        """Both sides as the folder's tokenizer has them."""
        source, target = self.model.source_tokens, self.model.target_tokens
        return [(source(one), target(other)) for one, other in zip(text.source, text.target, strict=True)]

    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """Weights, configs, tokenizer, and the model's card."""
        self.model.network.save_pretrained(folder)
        self.model.words.tokenizer.save_pretrained(folder)
        lines = ["# A translation model, fine-tuned", "", *(f"* {name}: {value}" for name, value in facts.items())]
        (folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
