"""Encoder-decoders and language models of transformers behind `NextToken`.

Prompts of different length are padded on the left, so that in each row all tokens stand behind each other (what looks
back a limited number of tokens relies on that), and positions count from each row's first real token. Sources of an
encoder are padded on the right.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput

from tertium.errors import InputError
from tertium.models.huggingface.cache import empty_cache, first_state
from tertium.models.huggingface.text import HuggingFaceText
from tertium.models.next_token import Step


@dataclass
class HuggingFaceModel:
    """What both kinds share; see `tertium.models.next_token` for what the methods promise."""

    network: Any = field(repr=False)
    words: HuggingFaceText
    vocabulary_size: int
    ends: Sequence[int]
    never: Sequence[int] = ()
    never_first: Sequence[int] = ()
    longest_source: int | None = None
    longest_target: int | None = None

    @property
    def end(self) -> int:
        return self.ends[0]

    @property
    def source_vocabulary(self) -> HuggingFaceText:
        """What makes the tokens: models with equal ones can be an ensemble."""
        return self.words

    @property
    def target_vocabulary(self) -> HuggingFaceText:
        return self.words

    def source_tokens(self, text: str) -> list[int]:
        """The tokens of a source with all that belongs around it."""
        return self.words.source_tokens(text)

    def target_tokens(self, text: str) -> list[int]:
        """The tokens of a translation and its end."""
        return self.words.target_tokens(text)

    def text(self, tokens: Sequence[int]) -> str:
        """The text of a translation's tokens."""
        return self.words.text(tokens)

    def _log_probs(self, logits: Tensor, never: Sequence[int]) -> Tensor:
        """Log probabilities (..., vocabulary) in float32; all ends as one."""
        logits = logits.float()
        logits[..., list(never)] = float("-inf")
        log_probs = logits.log_softmax(-1)
        if len(self.ends) > 1:
            together = log_probs[..., list(self.ends)].logsumexp(-1)
            log_probs[..., list(self.ends)] = float("-inf")
            log_probs[..., self.end] = together
        return log_probs

    def _check(self, sources: Sequence[Sequence[int]]) -> None:
        size = self.network.get_input_embeddings().num_embeddings
        for number, source in enumerate(sources):
            if not source:
                raise InputError(f"source {number} has no tokens: a network of this kind cannot start from nothing")
            if not 0 <= min(source) <= max(source) < size:
                raise InputError(f"source {number} has a token that is none of the network's {size}")


@dataclass
class EncoderDecoder(HuggingFaceModel):
    """An encoder-decoder of transformers."""

    begin: Sequence[int] = ()  # what the decoder starts from

    @torch.inference_mode()
    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        """Read the sources and feed what the decoder starts from."""
        self._check(sources)
        tokens, real = padded(sources, left=False)
        cache = empty_cache(with_source=True)
        out = self.network(
            input_ids=tokens,
            attention_mask=None if real is None else real.long(),
            decoder_input_ids=torch.tensor([list(self.begin)] * len(sources)),
            past_key_values=cache,
            use_cache=True,
        )
        log_probs = self._log_probs(out.logits[:, -1], [*self.never, *self.never_first])
        return Step(log_probs, first_state(out.past_key_values, real))

    @torch.inference_mode()
    def advance(self, state: Any, tokens: Tensor) -> Step:
        """Feed tokens (rows, n)."""
        keys = state.memory[0][0]  # (rows, heads, source length, head)
        shape = (state.rows, keys.shape[2], self.network.config.hidden_size)
        out = self.network(
            encoder_outputs=BaseModelOutput(keys.new_zeros(()).expand(shape)),  # only its shape is looked at
            attention_mask=None if state.real is None else state.real.long(),
            decoder_input_ids=tokens,
            past_key_values=(cache := state.cache()),
            use_cache=True,
        )
        return Step(self._log_probs(out.logits, self.never), state.after(cache))


@dataclass
class Causal(HuggingFaceModel):
    """A language model of transformers."""

    def __post_init__(self) -> None:
        self._takes = set(inspect.signature(self.network.forward).parameters)

    @torch.inference_mode()
    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        """Read the prompts."""
        self._check(sources)
        tokens, real = padded(sources, left=True)
        counted = torch.ones_like(tokens) if real is None else real.long()
        out = self._run(tokens, real, counted.cumsum(1) - 1, last=True)
        log_probs = self._log_probs(out.logits[:, -1], [*self.never, *self.never_first])
        return Step(log_probs, first_state(out.past_key_values, real))

    @torch.inference_mode()
    def advance(self, state: Any, tokens: Tensor) -> Step:
        """Feed tokens (rows, n)."""
        rows, new = tokens.shape
        positions = torch.arange(state.length, state.length + new).expand(rows, -1)
        real = None
        if state.real is not None:
            generated = state.length + new - state.real.shape[1]
            real = torch.cat([state.real, torch.ones(rows, generated, dtype=torch.bool)], 1)
            positions = positions - (~state.real).sum(1, keepdim=True)
        out = self._run(tokens, real, positions, cache=(cache := state.cache()))
        return Step(self._log_probs(out.logits, self.never), state.after(cache))

    def _run(
        self, tokens: Tensor, real: Tensor | None, positions: Tensor, *, last: bool = False, cache: Any = None
    ) -> Any:
        options: dict[str, Any] = {"position_ids": positions.clamp(min=0)} if "position_ids" in self._takes else {}
        if last and "logits_to_keep" in self._takes:
            options["logits_to_keep"] = 1
        return self.network(
            input_ids=tokens,
            attention_mask=None if real is None else real.long(),
            past_key_values=empty_cache(with_source=False) if cache is None else cache,
            use_cache=True,
            **options,
        )


def padded(sources: Sequence[Sequence[int]], *, left: bool) -> tuple[Tensor, Tensor | None]:
    """Token ids (sources, longest), and which of them are no padding; None where there is none.

    >>> padded([[5, 6], [7]], left=True)[0].tolist()
    [[5, 6], [0, 7]]
    """
    longest = max(len(source) for source in sources)
    tokens = torch.zeros(len(sources), longest, dtype=torch.long)
    real = torch.zeros(len(sources), longest, dtype=torch.bool)
    for number, source in enumerate(sources):
        place = slice(longest - len(source), None) if left else slice(0, len(source))
        tokens[number, place] = torch.tensor(source)
        real[number, place] = True
    return tokens, None if bool(real.all()) else real
