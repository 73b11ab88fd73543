"""`NextToken`: a model that turns prefixes into the log probabilities of the next token.

Everything that generates or scores is written against this protocol and nothing else: greedy, beam and exact search,
sampling, forced scoring, the search audit, prompting. A model implements two methods:

    start(sources)          -> Step     the sources are read once; the distribution of each one's first token
    advance(state, tokens)  -> Step     every row goes on by the tokens given; the distributions after each of them

A **row** is one prefix of one source. After `start` there is one row a source; `state.pick` makes others of them:
rows may be repeated (a beam branches), left out (a sentence is done) and put in another order. A state is a value: it
may be advanced more than once, and advancing it leaves it as it was.

What a row gives must not depend on which other rows there are, nor on how much padding they need (up to the rounding of
sums): `tests/models/test_contract.py` demands it of every model.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from torch import Tensor


class State(Protocol):
    """What a model remembers of its rows."""

    @property
    def rows(self) -> int:
        """How many prefixes there are."""
        ...

    def pick(self, rows: Tensor) -> "State":
        """The state of these rows, (new rows,) -> any of the old ones, in the order given."""
        ...


class Step(NamedTuple):
    """What a model says of its rows' next tokens, and the state from which they go on."""

    log_probs: Tensor  # (rows, vocabulary) after start, (rows, tokens, vocabulary) after advance
    state: State


@runtime_checkable
class NextToken(Protocol):
    """A model over token ids."""

    @property
    def vocabulary_size(self) -> int:
        """Token ids are below it."""
        ...

    @property
    def end(self) -> int:
        """The token that ends a sequence."""
        ...

    @property
    def longest_source(self) -> int | None:
        """The most tokens a source may have; None: as many as memory holds."""
        ...

    @property
    def longest_target(self) -> int | None:
        """The most tokens a translation may have, its end included."""
        ...

    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        """Read the sources: log probabilities (sources, vocabulary) of the first token of each."""
        ...

    def advance(self, state: State, tokens: Tensor) -> Step:
        """Go on by tokens (rows, n): log probabilities (rows, n, vocabulary) of what follows each."""
        ...


@runtime_checkable
class TextModel(NextToken, Protocol):
    """A model that also knows how text becomes tokens and tokens become text."""

    def source_tokens(self, text: str) -> list[int]:
        """The tokens of a text to be translated, as `start` takes them."""
        ...

    def target_tokens(self, text: str) -> list[int]:
        """The tokens of a translation, its end included, as a search would return them."""
        ...

    def text(self, tokens: Sequence[int]) -> str:
        """The text of a translation's tokens; its end and padding say nothing."""
        ...
