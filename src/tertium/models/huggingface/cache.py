"""What a Hugging Face network remembers of its rows: keys and values of every layer.

transformers hands a network a `Cache` of layers, and the network's attention appends to each. The layers here keep
what they are given in `Slots`: appending writes behind what is there instead of copying all of it, and a state stays a
value, as whoever comes second to append finds the place taken and goes on with a copy. Each row has keys of its own:
networks of others know nothing of slots that rows share, so a beam that branches copies its keys. What belongs to the
source (the keys and values of cross-attention) is copied only where a row comes to stand for another source.

Layers that are no plain keys and values (recurrent states, compressed ones) have other caches, and are refused.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from tertium.errors import InputError
from tertium.models.attention import Slots

cache_utils: Any = importlib.import_module("transformers.cache_utils")  # parts of it have no types

PLAIN = ("DynamicLayer", "DynamicSlidingWindowLayer")


@dataclass(frozen=True)
class CachedState:
    """The keys and values of every row's tokens and of its source."""

    layers: Sequence[Slots]  # each (rows, heads, slots, head)
    length: int  # slots in use
    memory: Sequence[tuple[Tensor, Tensor]]  # of cross-attention, each (rows, heads, source length, head)
    real: Tensor | None  # (rows, source length) which positions of the source are no padding; None: all
    sources: Tensor  # (rows,) which of the sources each row is of

    @property
    def rows(self) -> int:
        return len(self.sources)

    def pick(self, rows: Tensor) -> "CachedState":
        """The rows chosen."""
        if torch.equal(rows, torch.arange(self.rows)):
            return self
        picked = replace(self, layers=[layer.of_sentences(rows, self.length) for layer in self.layers])
        sources = self.sources.index_select(0, rows)
        if torch.equal(sources, self.sources):
            return picked
        memory = [(keys.index_select(0, rows), values.index_select(0, rows)) for keys, values in self.memory]
        real = None if self.real is None else self.real.index_select(0, rows)
        return replace(picked, memory=memory, real=real, sources=sources)

    def cache(self) -> Any:
        """The state as the cache that a network takes and appends to; the state itself stays as it is."""
        own = cache_utils.Cache(layers=[_Appended(layer, self.length) for layer in self.layers])
        if not self.memory:
            return own
        return cache_utils.EncoderDecoderCache(own, cache_utils.Cache(layers=[_filled(*each) for each in self.memory]))

    def after(self, cache: Any) -> "CachedState":
        """The state that a network has left in a cache of `cache()`."""
        layers = getattr(cache, "self_attention_cache", cache).layers
        return replace(self, layers=[layer.slots for layer in layers], length=layers[0].length)


def empty_cache(*, with_source: bool) -> Any:
    """What a network is given at the start."""
    if not with_source:
        return cache_utils.DynamicCache()
    return cache_utils.EncoderDecoderCache(cache_utils.DynamicCache(), cache_utils.DynamicCache())


def first_state(cache: Any, real: Tensor | None) -> CachedState:
    """The state after the start, from what the network has put into an empty cache."""
    own = getattr(cache, "self_attention_cache", cache).layers
    crossed = cache.cross_attention_cache.layers if hasattr(cache, "cross_attention_cache") else []
    length = own[0].keys.shape[2]
    return CachedState(
        layers=[Slots(layer.keys, layer.values, length) for layer in own],
        length=length,
        memory=[(layer.keys, layer.values) for layer in crossed],
        real=real,
        sources=torch.arange(len(own[0].keys)),
    )


def check_cache(config: Any, where: str) -> None:
    """Refuse a network that remembers other things than keys and values."""
    kinds = {type(layer).__name__ for layer in cache_utils.DynamicCache(config=config).layers}
    if not kinds <= set(PLAIN):
        other = ", ".join(sorted(kinds - set(PLAIN)))
        raise InputError(f"{where}: a {config.model_type} remembers more than keys and values ({other})")


class _Appended(cache_utils.CacheLayerMixin):  # type: ignore[misc]
    """A layer of transformers' cache over slots."""

    is_sliding = False  # all keys are kept; where a network looks back only so far, its masks say so

    def __init__(self, slots: Slots, length: int) -> None:
        super().__init__()
        self.slots, self.length = slots, length
        self.is_initialized = True

    def lazy_initialization(self, *arguments: Any, **options: Any) -> None:
        """Nothing is to be made: there are keys already."""

    def update(self, key_states: Tensor, value_states: Tensor, *arguments: Any, **options: Any) -> tuple[Any, Any]:
        """Append; all keys and values there are now."""
        self.slots = self.slots.append(key_states, value_states, self.length)
        self.length += key_states.shape[2]
        return self.slots.keys[:, :, : self.length], self.slots.values[:, :, : self.length]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """How many keys there will be, and where they begin."""
        return self.length + query_length, 0

    def get_seq_length(self) -> int:
        """How many keys there are."""
        return self.length

    def get_max_length(self) -> int:
        """No limit."""
        return -1

    get_max_cache_shape = get_max_length  # its name in the first releases of transformers 5


def _filled(keys: Tensor, values: Tensor) -> Any:
    layer = cache_utils.DynamicLayer()
    layer.keys, layer.values, layer.is_initialized = keys, values, True
    layer.dtype, layer.device = keys.dtype, keys.device
    return layer
