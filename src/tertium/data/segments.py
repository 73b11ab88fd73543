"""Hypotheses and references as the metrics take them.

Hypotheses are a list with one item a segment. References come **segment by segment**: `references[i]` belongs to
`hypotheses[i]` and is one text, or a list of texts, as many as there are for that segment. An item may also be a list
of tokens; then everything must be tokenised.

Files give references the other way round, one stream a file. `References.from_streams` takes those, and so does a dict
of streams by name, such as a `TestSet` has. Passing a list of streams
where segments are expected is the classic silent mistake (every hypothesis is compared with the wrong text, and with
one segment it even looks right), so the shapes are checked and the message says what to call instead.
"""

import sys
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from tertium.errors import InputError
from tertium.native import Corpus, Segments, corpus


@dataclass(frozen=True)
class References:
    """The references of a test set, as streams: `streams[r]` has the r-th reference of every segment, or a gap.

    >>> References.from_segments([["a b", "a c"], ["d"]]).count
    (1, 2)
    """

    streams: tuple[Corpus, ...]
    count: tuple[int, int]  # fewest and most references of a segment

    def __len__(self) -> int:
        return len(self.streams[0])

    @classmethod
    def from_streams(cls, streams: Sequence[Segments]) -> "References":
        """References given file by file: `streams[r][i]` is the r-th reference of segment i (`None`: there is none)."""
        if isinstance(streams, (str, bytes)) or not isinstance(streams, Sequence):
            raise InputError(f"references must be a list of streams, one a file, not {type(streams).__name__}")
        corpora = tuple(corpus(stream, f"references[{r}]") for r, stream in enumerate(streams))
        if not corpora:
            raise InputError("there are no references: pass at least one")
        for r, stream in enumerate(corpora):
            if len(stream) != len(corpora[0]):
                raise InputError(
                    f"reference stream {r} has {len(stream)} segments, stream 0 has {len(corpora[0])}: every stream "
                    "needs one item a segment (None where a reference is missing)"
                )
        return cls._of(corpora)

    @classmethod
    def _of(cls, streams: tuple[Corpus, ...]) -> "References":
        gaps = Counter(segment for stream in streams for segment in stream.missing)
        fewest = len(streams) - max(gaps.values(), default=0)
        most = len(streams) - (min(gaps.values()) if len(gaps) == len(streams[0]) > 0 else 0)
        return cls(streams, (fewest, most))

    @classmethod
    def from_segments(cls, segments: Sequence[Any], *, tokenised: bool = False) -> "References":
        """References given segment by segment, one text or a list of texts each (`tokenised`: token lists)."""
        if isinstance(segments, Corpus):
            return cls._of((segments,))
        if isinstance(segments, (str, bytes)) or not isinstance(segments, Sequence):
            raise InputError(f"references must be a list with one item a segment, not {type(segments).__name__}")
        if not segments:
            raise InputError("there are no references: pass at least one")
        if _are_single(segments, tokenised):
            return cls._of((corpus(segments, "references"),))
        _check_lists(segments)
        streams = list(zip_longest(*(() if each is None else each for each in segments)))
        if not streams:
            streams = [(None,) * len(segments)]
        places = [lambda i, r=r: f"references[{i}][{r}]" for r in range(len(streams))]
        return cls._of(tuple(corpus(stream, place) for stream, place in zip(streams, places, strict=True)))


AnyReferences = References | Mapping[str, Segments] | Sequence[Any]
"""References as users pass them: one item a segment, or a dict of streams by name, one item a file."""


def _are_single(segments: Sequence[Any], tokenised: bool) -> bool:
    """Whether what a segment has is one reference, not a list of them: seen at the first that says it."""
    if not tokenised:
        return isinstance(next((each for each in segments if each is not None), ""), str)
    for each in segments:
        if isinstance(each, str):
            return True
        items = each if isinstance(each, (list, tuple)) else ()
        inner = next((item for item in items if item is not None), None)
        if inner is not None:
            return isinstance(inner, str)
    return all(each is None or not len(each) for each in segments)  # [], [] are empty token lists, [None] is a gap


def _check_lists(segments: Sequence[Any]) -> None:
    """Every segment must have a list of references. A text would be taken for a list of its characters."""
    wrong = {
        kind
        for kind in set(map(type, segments)) - {list, tuple, type(None)}
        if issubclass(kind, (str, bytes, Mapping, Set)) or not issubclass(kind, Collection)
    }
    for i, each in enumerate(segments) if wrong else ():
        if type(each) in wrong:
            raise InputError(f"references[{i}] is of type {type(each).__name__}, not a list of texts like others")


@dataclass(frozen=True, eq=False)
class Paired:
    """Systems and what their translations are compared with, in the core's form and checked to fit each other."""

    systems: list[Corpus]
    references: References | None
    source: Corpus | None

    @classmethod
    def of(
        cls, systems: Sequence[Segments], references: AnyReferences | None, source: Segments | None = None
    ) -> "Paired":
        """Several systems, the references they share and the texts they translate; each is converted once.

        >>> paired = Paired.of([["a b"], ["a c"]], [["a b", "a d"]])
        >>> len(paired.systems), str(paired.facts)
        (2, 'references=2')
        """
        if not systems:
            raise InputError("there are no systems: pass the hypotheses of at least one")
        corpora = [_hypotheses(texts) for texts in systems]
        prepared = None if references is None else _references(references, corpora[0])
        sources = None if source is None else corpus(source, "source")
        for texts in corpora:
            if prepared is not None:
                _check_fit(texts, prepared)
            elif len(texts) != len(corpora[0]):
                raise InputError(f"a system has {len(corpora[0])} segments, another {len(texts)}: each needs the other")
            if sources is not None and len(sources) != len(texts):
                raise InputError(
                    f"there are {len(texts)} hypotheses but {len(sources)} source texts: each needs the other"
                )
        return cls(corpora, prepared, sources)

    @property
    def facts(self) -> "Facts":
        """What a signature says of them."""
        return Facts(self.references.count if self.references else (0, 0), self.systems[0].tokenised)


@dataclass(frozen=True)
class Facts:
    """What a signature says of the data, beside the metric's options.

    >>> str(Facts((2, 2))), str(Facts((1, 3), tokenised=True))
    ('references=2', 'references=1-3|input=tokens')
    """

    reference_count: tuple[int, int]  # the fewest and the most of a segment
    tokenised: bool = False  # the texts came as token lists: no tokenizer was run

    def __str__(self) -> str:
        fewest, most = self.reference_count
        count = str(most) if fewest == most else f"{fewest}-{most}"
        return f"references={count}{'|input=tokens' if self.tokenised else ''}"


def pair_systems(systems: Sequence[Segments], references: AnyReferences) -> tuple[list[Corpus], References]:
    """Several systems and the references they share, as metrics that need nothing else take them."""
    paired = Paired.of(systems, references)
    if paired.references is None:
        raise InputError("there are no references: pass at least one")
    return paired.systems, paired.references


def pair(hypotheses: Segments, references: AnyReferences) -> tuple[Corpus, References]:
    """One system and its references."""
    (texts,), prepared = pair_systems([hypotheses], references)
    return texts, prepared


def both_sides(candidates: Segments, references: Segments) -> tuple[Corpus, Corpus]:
    """Texts each of which is compared with each of others; one corpus twice where they are the same list.

    >>> first, second = both_sides(["a b", "a c"], ["a b"])
    >>> len(first), len(second)
    (2, 1)
    """
    mine = _whole(candidates, "candidates")
    theirs = mine if references is candidates else _whole(references, "references")
    if len(mine) and len(theirs) and mine.tokenised != theirs.tokenised:
        raise InputError("of candidates and references one are token lists, the other texts: tokenise both or neither")
    return mine, theirs


def _whole(segments: Segments, what: str) -> Corpus:
    texts = corpus(segments, what)
    if missing := texts.missing:
        raise InputError(f"{what}[{missing[0]}] is None: it must be a text (an empty one is '')")
    return texts


def _hypotheses(segments: Segments) -> Corpus:
    texts = corpus(segments, "hypotheses")
    if missing := texts.missing:
        raise InputError(
            f"hypotheses[{missing[0]}] is None: every segment needs a hypothesis (an empty one is the text '')"
        )
    return texts


def _references(references: AnyReferences, texts: Corpus) -> References:
    if isinstance(references, References):
        return references
    if isinstance(references, Mapping):
        return References.from_streams(list(references.values()))
    _check_shape(len(texts), references, tokenised=texts.tokenised)
    return References.from_segments(references, tokenised=texts.tokenised)


def _check_fit(texts: Corpus, references: References) -> None:
    """As many on both sides, a reference for every segment, though not from everyone, and both tokenised or neither."""
    if len(references) != len(texts):
        raise InputError(
            f"there are {len(texts)} hypotheses but references for {len(references)} segments: each needs the other"
        )
    if references.count[0] == 0:
        bare = set.intersection(*(set(stream.missing) for stream in references.streams))
        raise InputError(f"references[{min(bare)}]: there is no reference for this segment; leave it out on both sides")
    if texts.tokenised != references.streams[0].tokenised:
        raw, tokens = ("references", "hypotheses") if texts.tokenised else ("hypotheses", "references")
        raise InputError(f"the {tokens} are token lists but the {raw} are plain texts: tokenise both or neither")


def _check_shape(size: int, references: Sequence[Any], *, tokenised: bool) -> None:
    """Refuse references that are streams (one list a reference) instead of segments; warn where both readings fit."""
    if not isinstance(references, Sequence) or not references or isinstance(references[0], str):
        return
    streams = all(
        isinstance(item, Sequence)
        and not isinstance(item, str)
        and len(item) == size
        and all(_is_reference(each, tokenised) for each in item)
        for item in references
    )
    if not streams:
        return
    advice = "use tertium.References.from_streams(references) if they are one list for each reference file"
    if len(references) != size:
        raise InputError(
            f"there are {size} hypotheses but references has {len(references)} lists of {size} items: references come "
            f"segment by segment here (references[i] belongs to hypotheses[i]); {advice}"
        )
    if size > 1:
        warnings.warn(
            f"{size} segments with {size} references each: taken as references[i] belonging to hypotheses[i]; {advice}",
            stacklevel=_caller(),
        )


def _is_reference(each: Any, tokenised: bool) -> bool:
    """Whether it may be one reference of a segment: a text or, where all is tokenised, a list of tokens; or a gap."""
    return each is None or isinstance(each, (list, tuple) if tokenised else str)


def _caller() -> int:
    """How many frames above this module's warning the user's own code is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "tertium":
        level, frame = level + 1, frame.f_back
    return level
