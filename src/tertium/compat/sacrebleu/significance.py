"""sacreBLEU's paired tests with sacreBLEU's random draws: the same seed gives the same p-values.

The draws come from the same calls of numpy's generator. Where sacreBLEU copies the statistics of every draw together
and adds them segment by segment in float32, here each draw becomes a row of counts (how often each segment was drawn)
and all draws of all systems are one matrix product; the sums of whole numbers below 2**24 are exact in float32 either
way, and where they are not whole (TER's average reference lengths) or not below, they are added as sacreBLEU adds
them. Scores are then computed for all draws at once, in float32 where sacreBLEU's are with numpy 2 (numpy 1 made
float64 of its scalars, so that its p-values may differ in a draw that is nearly a tie).

`tertium.stats` is what to use where these numbers need not be matched: it computes in float64, compares all systems
on the same draws and corrects for many comparisons.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams
from tertium.errors import OptionError

EXACT_FLOAT32 = 2.0**24
BLOCK = 2**22  # how many random numbers are held at once


class Result:
    """The score of a system; against a baseline its p-value; after a bootstrap mean and half of the 95% interval."""

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


def estimate_ci(scores: NDArray[Any]) -> tuple[Any, Any]:
    """The mean of scores and half the width of the interval that holds 95% of them.

    >>> mean, half = estimate_ci(np.arange(81.0))
    >>> float(mean), float(half)
    (40.0, 38.0)
    """
    ordered = np.sort(scores)
    tail = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[-1 - tail] - ordered[tail])


def _seed() -> int | None:
    """`SACREBLEU_SEED`, 12345 where it is not set, None where it says none."""
    text = os.environ.get("SACREBLEU_SEED", "12345")
    return None if text.lower() == "none" else int(text)


def _draws(rng: np.random.Generator, draws: int, size: int) -> Iterator[NDArray[np.int64]]:
    """Bootstrap draws of segment indices, (draws, size) in blocks; the stream of numbers is that of one single call."""
    block = max(1, BLOCK // size)
    for begin in range(0, draws, block):
        yield rng.choice(size, size=(min(block, draws - begin), size), replace=True)


def _coins(rng: np.random.Generator, trials: int, size: int) -> Iterator[NDArray[np.bool_]]:
    """Which segments stay with the baseline in each trial, (trials, size) in blocks. A block is a multiple of 32 rows:
    the generator makes 32 coins of a number and drops what is left of it at the end of a call."""
    block = max(32, BLOCK // size // 32 * 32)
    for begin in range(0, trials, block):
        yield rng.integers(2, size=(min(block, trials - begin), size), dtype=bool)


def _bootstrap_totals(rows: NDArray[Any], indices: NDArray[np.int64]) -> NDArray[np.float32]:
    """The sums of the rows drawn, (draws, systems, k), in float32 as sacreBLEU's."""
    systems, size, columns = rows.shape
    counts = np.array([np.bincount(drawn, minlength=size) for drawn in indices], dtype=np.float32)
    single = rows.astype(np.float32)
    totals = counts @ single.transpose(1, 0, 2).reshape(size, -1)
    if (totals < EXACT_FLOAT32).all() and (rows == np.rint(rows)).all():
        return totals.reshape(-1, systems, columns)
    return np.array([[system[drawn].sum(axis=0) for system in single] for drawn in indices], dtype=np.float32)


def _bootstrap(rows: NDArray[Any], metrics: Sequence[Metric], blocks: Iterator[Any], widths: list[int]) -> list[Any]:
    """The scores of every draw, (draws, systems) for each metric; `rows` has the metrics' columns side by side."""
    cuts = np.cumsum(widths)[:-1]
    scores: list[list[NDArray[Any]]] = [[] for _ in metrics]
    for indices in blocks:
        totals = _bootstrap_totals(rows, indices)
        for metric, part, out in zip(metrics, np.split(totals, cuts, axis=-1), scores, strict=True):
            out.append(metric._scores_of_totals(part))
    return [np.concatenate(each) for each in scores]


def _bootstrap_scores(rows: NDArray[Any], metric: Metric, draws: int) -> tuple[str, NDArray[Any]]:
    """The seed and the scores of bootstrap draws of one system."""
    rng = np.random.default_rng(_seed())
    (scores,) = _bootstrap(rows[None], [metric], _draws(rng, draws, len(rows)), [rows.shape[-1]])
    return os.environ.get("SACREBLEU_SEED", "12345").lower(), scores[:, 0]


def _bootstrap_resample(stats: Any, metric: Metric, n_samples: int = 1000) -> tuple[str, list[Score]]:
    """The seed and a `Score` for each bootstrap draw of one system."""
    seed, scores = _bootstrap_scores(np.asarray(stats), metric, n_samples)
    return seed, [Score(type(metric).__name__, score) for score in scores.tolist()]


def _compute_p_value(stats: NDArray[Any], real_difference: float) -> float:
    """How often chance gave more than the difference seen, the difference itself counted as one trial."""
    return (int((stats > real_difference).sum()) + 1) / (len(stats) + 1)


class PairedTest:
    """Systems against the first of them: paired bootstrap (`bs`) or approximate randomisation (`ar`).

    `n_jobs` is accepted and changes nothing: all systems are tested in one pass.
    """

    _DEFAULT_SAMPLES: ClassVar[dict[str, int]] = {"ar": 10000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Streams | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise OptionError(f"test_type cannot be {test_type!r}: it takes ar or bs")
        self.test_type = test_type
        self._seed = _seed()
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_systems = len(named_systems) - 1
        self.metrics: dict[str, Metric] = {}
        self._rows: dict[str, NDArray[Any]] = {}
        self._scores: dict[str, list[float]] = {}
        self._signatures: dict[str, Signature] = {}
        for metric in metrics.values():
            rows = metric._statistics_of_systems([texts for _, texts in named_systems], references)
            scores = [metric._aggregate_and_compute(each) for each in rows]
            name = scores[0].name
            self.metrics[name], self._rows[name] = metric, rows
            self._scores[name] = [score.score for score in scores]
            self._signatures[name] = self._signed(metric.get_signature())

    def _signed(self, signature: Signature) -> Signature:
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """The signatures, and a column for each metric with the systems' results under the column of their names."""
        results: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        results |= {name: [Result(score) for score in scores] for name, scores in self._scores.items()}
        seed = self._seed or None  # a seed of 0 is none, as in sacreBLEU
        every = list(range(1, self.n_systems + 1))
        together = seed is not None and bool(every)  # then every system gets the same draws
        bootstrap = self.test_type == "bs"
        interval_draws = self.n_samples if bootstrap else self.n_ar_confidence
        if interval_draws > 0 and not (bootstrap and together):
            self._resample([0], np.random.default_rng(self._seed), interval_draws, results)
        test = self._test_bootstrap if bootstrap else self._test_randomisation
        for group in [every] if together else [[system] for system in every]:
            test(group, np.random.default_rng(seed), results)
        return self._signatures, results

    def _side_by_side(self, systems: list[int]) -> tuple[NDArray[Any], list[int]]:
        chosen = [rows[systems] for rows in self._rows.values()]
        return np.concatenate(chosen, axis=-1), [rows.shape[-1] for rows in chosen]

    def _resample(
        self, systems: list[int], rng: np.random.Generator, draws: int, results: dict[str, list[Any]]
    ) -> list[NDArray[Any]]:
        """Bootstrap scores of systems, (draws, systems) for each metric; their intervals go into the results."""
        rows, widths = self._side_by_side(systems)
        scores = _bootstrap(rows, list(self.metrics.values()), _draws(rng, draws, rows.shape[1]), widths)
        for name, each in zip(self.metrics, scores, strict=True):
            for system, column in zip(systems, each.T, strict=True):
                results[name][system].mean, results[name][system].ci = estimate_ci(column)
        return scores

    def _test_bootstrap(self, systems: list[int], rng: np.random.Generator, results: dict[str, list[Any]]) -> None:
        baseline = [vars(results[name][0]).copy() for name in self.metrics]
        scores = self._resample([0, *systems], rng, self.n_samples, results)
        for name, each, before in zip(self.metrics, scores, baseline, strict=True):
            if before["mean"] is not None:  # the baseline's interval comes from draws of its own
                vars(results[name][0]).update(before)
            for column, system in enumerate(systems, 1):
                differences = np.abs(each[:, column] - each[:, 0])
                seen = abs(self._scores[name][0] - self._scores[name][system])
                results[name][system].p_value = _compute_p_value(differences - differences.mean(), seen)

    def _test_randomisation(self, systems: list[int], rng: np.random.Generator, results: dict[str, list[Any]]) -> None:
        rows, widths = self._side_by_side([0, *systems])
        whole = bool((rows == np.rint(rows)).all())
        moved = rows[:1] - rows[1:]  # what the sum gains where the baseline's segment stands for the system's
        small = whole and np.abs(moved).sum(axis=1).max() < EXACT_FLOAT32
        flat = moved.transpose(1, 0, 2).reshape(rows.shape[1], -1).astype(np.float32 if small else np.float64)
        sums = rows.sum(axis=1)
        greater = {name: np.zeros(len(systems), np.int64) for name in self.metrics}
        seen: dict[str, NDArray[Any]] = {}
        kinds = np.int64 if whole else np.float64
        cuts = np.cumsum(widths)[:-1]
        ends = np.split(
            sums, cuts, axis=-1
        )  # in float64: the scores themselves are of whole rows, without cut smoothing
        for (name, metric), end in zip(self.metrics.items(), ends, strict=True):
            scores = metric._scores_of_totals(end)
            seen[name] = np.abs(scores[0] - scores[1:])
        for coins in _coins(rng, self.n_samples, rows.shape[1]):
            gain = (coins.astype(flat.dtype) @ flat).reshape(len(coins), len(systems), -1).astype(np.float64)
            first = np.split((sums[1:] + gain).astype(kinds), cuts, axis=-1)
            second = np.split((sums[:1] - gain).astype(kinds), cuts, axis=-1)
            for (name, metric), one, other in zip(self.metrics.items(), first, second, strict=True):
                difference = np.abs(metric._scores_of_totals(one) - metric._scores_of_totals(other))
                greater[name] += (difference > seen[name]).sum(axis=0)
        if self.n_ar_confidence > 0:
            self._resample(systems, rng, self.n_ar_confidence, results)
        for name, counts in greater.items():
            for system, count in zip(systems, counts.tolist(), strict=True):
                results[name][system].p_value = (count + 1) / (self.n_samples + 1)
