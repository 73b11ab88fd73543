"""What the three metrics share: results, signatures, checks of arguments, references kept for many systems.

`Metric` is the interface a metric of one's own is written against, one method a step, as in sacreBLEU. `CoreMetric`
is the same interface over a metric of Tertium, which counts all segments in one call.
"""

import json
import logging
import statistics
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.version import __version__
from tertium.data.segments import Paired, References
from tertium.errors import InputError
from tertium.metrics.protocol import Metric as TertiumMetric
from tertium.metrics.protocol import rows_of_systems
from tertium.native import corpus

sacrelogger = logging.getLogger("sacrebleu")

Streams = Sequence[Sequence[str | None]]
Statistics = NDArray[Any] | Sequence[Sequence[float]]


class Score:
    """A score under its name; after a bootstrap also the mean of the draws and half the width of their 95% interval."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as a line of text, as a bare number, or as JSON together with its signature.

        >>> Score("BLEU", 12.345).format(width=1)
        'BLEU = 12.3'
        """
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half}"
            fields |= {"confidence_mean": float(mean), "confidence_var": float(half), "confidence": interval}
            number = f"{number} ({interval})"
        if score_only:
            return number
        if is_json:
            if self._verbose:
                fields["verbose_score"] = self._verbose
            fields |= dict(part.split(":", 1) for part in signature.split("|") if part)
            return json.dumps(fields, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return " ".join(filter(None, (name, "=", number, self._verbose)))

    def estimate_ci(self, scores: Sequence["Score"]) -> None:
        """Take mean and 95% interval from the scores of bootstrap draws."""
        self._set_interval([each.score for each in scores])

    def _set_interval(self, scores: Sequence[float]) -> None:
        ordered = sorted(scores)
        tail = len(ordered) // 40
        self._ci = 0.5 * (ordered[-1 - tail] - ordered[tail])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """What a score depends on, `nrefs:1|case:mixed|...|version:2.6.0`: general items, then the metric's own."""

    _GENERAL: ClassVar[dict[str, str]] = {
        "version": "v",
        "nrefs": "#",
        "test": "t",
        "lang": "l",
        "subset": "S",
        "origlang": "o",
        "bs": "bs",
        "ar": "ar",
        "seed": "rs",
    }
    _OWN: ClassVar[dict[str, str]] = {}  # the metric's items and their short names

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError(
                "the number of references is not known yet: score something first, then ask for the signature"
            )
        self._abbr = {**self._GENERAL, **self._OWN}
        references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if references == -1 else references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """The items that have a value, joined; `short` abbreviates their names."""
        items = {name: value for name, value in self.info.items() if value is not None}
        items["version"] = items.pop("version")  # always the last
        spelled = {True: "yes", False: "no"}
        return "|".join(
            f"{self._abbr[name] if short else name}:{spelled[value] if isinstance(value, bool) else value}"
            for name, value in items.items()
        )

    def update(self, key: str, value: Any) -> None:
        """Set an item."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


class Metric(ABC):
    """The interface of a metric, and the loop over the segments for those written in Python."""

    _SIGNATURE_TYPE: type[Signature] = Signature

    def __init__(self) -> None:
        self._ref_cache: Any = None
        self._force = True  # BLEU alone warns about tokenised input
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _aggregate_and_compute(self, stats: Any) -> Any:
        """The score of the sum of segments' statistics."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> Any:
        """The score of statistics that are summed already."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """A text as it is counted: lower-cased, tokenised."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """What to keep of the references of a segment."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> Any:
        """The statistics of a preprocessed text against what was kept of its references."""

    def _cache_references(self, references: Streams) -> Any:
        present = [[text for text in texts if text is not None] for texts in zip(*references, strict=True)]
        self._note_counts({len(texts) for texts in present})
        return [self._extract_reference_info([self._preprocess_segment(text) for text in texts]) for texts in present]

    def _note_counts(self, counts: set[int]) -> None:
        self.num_refs = counts.pop() if len(counts) == 1 else -1

    def _prepared(self, references: Streams | None) -> Any:
        if references:
            return self._cache_references(references)
        if not self._ref_cache:
            raise RuntimeError("No references provided and the cache is empty.")
        return self._ref_cache

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> Any:
        """The statistics of each segment."""
        return [
            self._compute_segment_statistics(self._preprocess_segment(text), kept)
            for text, kept in zip(hypotheses, self._prepared(references), strict=True)
        ]

    def _statistics_of_systems(self, systems: Sequence[Sequence[str]], references: Streams | None) -> NDArray[Any]:
        """The statistics of several systems, (systems, segments, k)."""
        return np.array([self._extract_corpus_statistics(texts, references) for texts in systems])

    def _scores_of_totals(self, totals: NDArray[Any]) -> NDArray[Any]:
        """The scores of many sums, (..., k) -> (...), in the precision of the sums as sacreBLEU's are."""
        scores = [self._compute_score_from_stats(total.copy()).score for total in totals.reshape(-1, totals.shape[-1])]
        return np.array(scores).reshape(totals.shape[:-1])

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """The score of one text against one reference or several."""
        self._check_sentence_score_args(hypothesis, references)
        return self._aggregate_and_compute(
            self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
        )

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> Any:
        """The score of a test set; `references` are streams, one a file. `n_bootstrap` > 1 adds a 95% interval."""
        self._check_corpus_score_args(hypotheses, references)
        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(stats)
        if n_bootstrap > 1:
            from tertium.compat.sacrebleu.significance import _bootstrap_scores

            self.n_bootstrap = n_bootstrap
            self.seed, scores = _bootstrap_scores(np.asarray(stats), self, n_bootstrap)
            score._set_interval(scores.tolist() if scores.dtype == np.float64 else list(scores))
        return score

    def get_signature(self) -> Signature:
        """The signature; the number of references is known after the first score."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        problem = None
        if not isinstance(hyp, str):
            problem = "The argument `hyp` should be a string."
        elif isinstance(refs, (str, bytes)) or not isinstance(refs, Sequence):
            problem = "The argument `refs` should be a sequence of strings."
        elif not refs:
            problem = "The argument `refs` should not be empty."
        elif _kinds(refs) - {type(None)}:
            problem = "Each element of `refs` should be a string."
        if problem:
            raise TypeError(f"{type(self).__name__}: {problem}")

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        problem = _problem_of_hypotheses(hyps) or (None if refs is None else _problem_of_references(refs, len(hyps)))
        if problem:
            raise TypeError(f"{type(self).__name__}: {problem}")


def _is_list(thing: Any) -> bool:
    return isinstance(thing, Sequence) and not isinstance(thing, (str, bytes))


def _kinds(texts: Sequence[Any]) -> set[type]:
    """The types of the items, str and its subclasses left out."""
    return {kind for kind in set(map(type, texts)) if not issubclass(kind, str)}


def _problem_of_hypotheses(hyps: Any) -> str | None:
    if not _is_list(hyps):
        return "`hyps` should be a sequence of strings."
    if not len(hyps):
        return "`hyps` should not be empty."
    kinds = _kinds(hyps)
    if type(None) in kinds:
        return "Undefined line in hypotheses stream!"
    return "Each element of `hyps` should be a string." if kinds else None


def _problem_of_references(refs: Any, size: int) -> str | None:
    if not isinstance(refs, Sequence):
        return "`refs` should be a sequence of sequence of strings."
    if not refs:
        return "`refs` should not be empty."
    if isinstance(refs, (str, bytes)) or not all(map(_is_list, refs)):
        return "Each element of `refs` should be a sequence of strings."
    for stream in refs:
        if len(stream) != size:
            return f"Each element of `refs` should have the same length as `hyps`: {len(stream)} is not {size}."
        if _kinds(stream) - {type(None)}:
            return "`refs` should be a sequence of sequence of strings."
    return None


class CoreMetric(Metric):
    """A metric whose segments Tertium counts."""

    _counts_raw_text = True  # the core does what `_preprocess_segment` does, faster

    @abstractmethod
    def _core(self, preprocessed: bool = False) -> TertiumMetric:
        """Tertium's metric with these options, or the one for texts that went through `_preprocess_segment` already."""

    def _texts(self, texts: Sequence[str | None]) -> Sequence[str | None]:
        """Texts as the core takes them."""
        if self._counts_raw_text:
            return texts
        return [None if text is None else self._preprocess_segment(text) for text in texts]

    def _cache_references(self, references: Streams) -> References:
        counts = {len(references)}
        if any(None in stream for stream in references):
            each = [len(texts) - texts.count(None) for texts in zip(*references, strict=True)]
            if 0 in each:
                raise InputError(
                    f"segment {each.index(0)} has no reference at all: give it one, or '' for an empty one"
                )
            counts = set(each)
        self._note_counts(counts)
        return References.from_streams([self._texts(stream) for stream in references])

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        self._check_sentence_score_args(hypothesis, references)
        texts = [text for text in references if text is not None]
        if not texts:
            raise InputError("the text has no reference at all: give it one, or '' for an empty one")
        self.num_refs = len(texts)
        # Straight into the core: checking a test set of one segment would take longer than counting it.
        streams = tuple([corpus(self._texts([text])) for text in texts])
        core = self._core(preprocessed=not self._counts_raw_text)
        system = corpus(self._texts([hypothesis]))
        rows = core.statistics(system, References(streams, (len(texts), len(texts))), threads=1)
        return self._compute_score_from_stats(rows[0])

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> NDArray[np.float64]:
        return np.asarray(self._statistics_of_systems([hypotheses], references)[0])

    def _statistics_of_systems(
        self, systems: Sequence[Sequence[str]], references: Streams | None
    ) -> NDArray[np.float64]:
        prepared = self._prepared(references)
        for each in systems:
            self._warn_if_tokenised(each)
        core = self._core(preprocessed=not self._counts_raw_text)
        threads = 0 if len(prepared) > 1 else 1
        texts = [corpus(self._texts(each)) for each in systems]
        return rows_of_systems(core, Paired(texts, prepared, None), threads=threads)

    def _warn_if_tokenised(self, hypotheses: Sequence[str]) -> None:
        if not self._force and len(hypotheses) >= 100 and sum(text.endswith(" .") for text in hypotheses) >= 100:
            sacrelogger.warning(
                "100 lines or more end in ' .': this looks like tokenised text, which lowers the score. Detokenise it, "
                "or pass `force` if it is meant to be so."
            )

    def _aggregate_and_compute(self, stats: Statistics) -> Any:
        rows = np.asarray(stats)
        return self._compute_score_from_stats(rows[0].copy() if len(rows) == 1 else rows.sum(axis=0))

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": References.from_streams([[text] for text in refs])}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[float]:
        rows = self._core(preprocessed=True).statistics([hypothesis], ref_kwargs["references"])
        row: list[float] = rows[0].tolist()
        return row
