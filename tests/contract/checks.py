"""What every metric promises, one function a promise; each takes a metric and fails by an assertion.

`test_metrics.py` runs all of them over all metrics of the registry, so a new metric is tested by being registered.
"""

import dataclasses
import json
import pickle
import random

import numpy as np

from tertium import registry
from tertium.data.segments import References
from tertium.metrics.pairs import utilities
from tertium.metrics.protocol import Aggregating, Metric

WORDS = ["the", "cat", "sat", "on", "a", "mat", "Ünal", "it:", "“so", "what?”", "3.5", "naïve", "漢字", "мир", "don't"]
SENTENCES = [
    "The cat sat quietly on the old mat today.",
    "Nobody has ever seen it do anything else there!",
    "It costs 3.50 dollars, which is not very much money.",
    "Our neighbours bought two of them last winter.",
]


def random_corpus(seed: int, segments: int, references: int = 2) -> tuple[list[str], References]:
    """Texts of 0 to 12 words, each with references of like words; the streams beyond the first have gaps."""
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 12)))

    streams = [[text() if r == 0 or rng.random() < 0.7 else None for _ in range(segments)] for r in range(references)]
    return [text() for _ in range(segments)], References.from_streams(streams)


def part(references: References, begin: int, end: int) -> References:
    """Some of the segments."""
    return References.from_streams([[stream[i] for i in range(begin, end)] for stream in references.streams])


def declares_itself(metric: Metric) -> None:
    """Name, bounds, direction, columns, documentation: nothing can be left out."""
    assert isinstance(metric, Metric), f"{type(metric).__name__} lacks a method or attribute of the Metric protocol"
    assert dataclasses.is_dataclass(metric)
    assert type(metric).__dataclass_params__.frozen, "a metric is a frozen dataclass"
    assert hash(metric) == hash(dataclasses.replace(metric))
    assert metric.name == metric.name.lower()
    assert metric.name in registry.names("metric")
    low, high = metric.bounds
    assert low < high
    assert isinstance(metric.higher_is_better, bool)
    columns = metric.columns
    assert columns
    assert len(set(columns)) == len(columns)
    assert all(isinstance(column, str) for column in columns)
    assert ">>>" in (type(metric).__doc__ or ""), "the class needs a docstring with an example"


def is_spelled(metric: Metric) -> None:
    """Its repr is the spelling that makes it again."""
    assert repr(metric).startswith(metric.name)
    assert registry.metric(repr(metric)) == metric
    assert registry.metric(metric) is metric


def is_pickled(metric: Metric) -> None:
    """It goes to another process and comes back the same."""
    assert pickle.loads(pickle.dumps(metric)) == metric


def identity_is_best(metric: Metric) -> None:
    """A text equal to its reference reaches the best bound; a mangled one is worse, whichever way better is."""
    sign = 1 if metric.higher_is_better else -1
    total = metric.statistics(SENTENCES, SENTENCES).sum(axis=0)
    best = float(metric.score(total))
    bound = metric.bounds[1] if metric.higher_is_better else metric.bounds[0]
    if np.isfinite(bound):
        assert np.isclose(best, bound, rtol=1e-12, atol=1e-12)
    mangled = [" ".join(text.split()[::2]) + " zzz" for text in SENTENCES]
    unrelated = ["qqq www", "rrr", "ttt yyy uuu", "ppp"]
    half = float(metric.score(metric.statistics(mangled, SENTENCES).sum(axis=0)))
    none = float(metric.score(metric.statistics(unrelated, SENTENCES).sum(axis=0)))
    assert sign * best > sign * half > sign * none


def order_does_not_matter(metric: Metric) -> None:
    """Segments in another order: the same rows in that order, the same score."""
    hypotheses, references = random_corpus(1, 40)
    order = random.Random(2).sample(range(40), 40)
    rows = metric.statistics(hypotheses, references)
    streams = [[stream[i] for i in order] for stream in references.streams]
    moved = metric.statistics([hypotheses[i] for i in order], References.from_streams(streams))
    assert np.array_equal(moved, rows[order])
    assert np.isclose(metric.score(moved.sum(axis=0)), metric.score(rows.sum(axis=0)), rtol=1e-12)


def survives_emptiness(metric: Metric) -> None:
    """Empty and blank texts on either side or both give finite rows and scores within bounds."""
    blanks = ["", " ", "\u3000\u00a0\t", "\u200b", "a"]
    for hypothesis in blanks:
        for reference in blanks:
            for references in ([reference], [reference, ""], ["", reference, "a b"]):
                rows = metric.statistics([hypothesis], [references])
                assert rows.shape == (1, len(metric.columns))
                assert np.isfinite(rows).all()
                scores = [*metric.score(rows).tolist(), float(metric.score(rows.sum(axis=0)))]
                assert all(metric.bounds[0] <= score <= metric.bounds[1] for score in scores), (hypothesis, references)
    nothing = np.zeros(len(metric.columns))
    assert metric.bounds[0] <= float(metric.score(nothing)) <= metric.bounds[1]


def rows_are_rows(metric: Metric) -> None:
    """One float64 row a segment, a number for each column; they are there for any number of references."""
    hypotheses, references = random_corpus(3, 30, references=3)
    rows = metric.statistics(hypotheses, references)
    assert rows.dtype == np.float64
    assert rows.shape == (30, len(metric.columns))
    assert np.isfinite(rows).all()


def rows_concatenate(metric: Metric) -> None:
    """The rows of two test sets put together are their rows put together.

    Where they depend on all references, by declaration, a segment's row must at least not depend on other hypotheses.
    """
    hypotheses, references = random_corpus(4, 50)
    rows = metric.statistics(hypotheses, references)
    if getattr(metric, "rows_depend_on_all_references", False):
        others = metric.statistics([*hypotheses[:20], *[""] * 30], references)
        assert np.array_equal(others[:20], rows[:20])
        return
    first = metric.statistics(hypotheses[:20], part(references, 0, 20))
    second = metric.statistics(hypotheses[20:], part(references, 20, 50))
    assert np.array_equal(np.vstack([first, second]), rows)


def stays_in_bounds(metric: Metric) -> None:
    """Segments and corpora of random text, a third of it right, score within the declared bounds."""
    hypotheses, references = random_corpus(5, 300)
    hypotheses[::3] = [references.streams[0][i] for i in range(0, 300, 3)]
    rows = metric.statistics(hypotheses, references)
    for scores in (metric.score(rows), metric.score(rows.reshape(30, 10, -1).sum(axis=1))):
        assert (scores >= metric.bounds[0] - 1e-12).all()
        assert (scores <= metric.bounds[1] + 1e-9).all()


def score_vectorises(metric: Metric) -> None:
    """The scores of stacked totals are the stacked scores, over any leading axes."""
    hypotheses, references = random_corpus(6, 24)
    rows = metric.statistics(hypotheses, references)
    stacked = rows.reshape(2, 3, 4, -1)
    scores = metric.score(stacked)
    assert np.shape(scores) == (2, 3, 4)
    assert np.shape(metric.score(rows[0])) == ()
    singles = [float(metric.score(row)) for row in rows]
    assert np.array_equal(np.ravel(scores), singles)
    assert not np.isnan(scores).any()


def scores_resampled_totals(metric: Metric) -> None:
    """Weighted sums of rows, as the bootstrap makes them, score like the corpus with segments repeated."""
    hypotheses, references = random_corpus(7, 12)
    rows = metric.statistics(hypotheses, references)
    draws = np.random.default_rng(0).integers(0, 12, (5, 12))
    weights = np.stack([np.bincount(draw, minlength=12) for draw in draws]).astype(float)
    expected = [float(metric.score(rows[draw].sum(axis=0))) for draw in draws]
    assert np.allclose(metric.score(weights @ rows), expected, rtol=1e-9)


def systems_go_together(metric: Metric) -> None:
    """The rows of several systems at once are those of each alone."""
    first, references = random_corpus(8, 30)
    second, _ = random_corpus(9, 30)
    rows = metric.statistics_of_systems([first, second], references)
    assert rows.shape == (2, 30, len(metric.columns))
    assert np.array_equal(rows[0], metric.statistics(first, references))
    assert np.array_equal(rows[1], metric.statistics(second, references))


def threads_do_not_matter(metric: Metric) -> None:
    """One, two or seven threads give identical rows, also over many blocks of segments."""
    hypotheses, references = random_corpus(10, 700)
    alone = metric.statistics(hypotheses, references, threads=1)
    for threads in (2, 7, 0):
        assert np.array_equal(metric.statistics(hypotheses, references, threads=threads), alone)


def takes_tokens(metric: Metric) -> None:
    """Token lists score; where the tokenizer can be switched off they score as their texts do."""
    hypotheses, references = random_corpus(11, 20, references=1)
    tokens = [text.split() for text in hypotheses]
    cut = [references.streams[0][i].split() for i in range(20)]
    rows = metric.statistics(tokens, cut)
    assert rows.shape == (20, len(metric.columns))
    if "tokenize" in {field.name for field in dataclasses.fields(metric)}:
        plain = dataclasses.replace(metric, tokenize="none")
        assert np.array_equal(plain.statistics(hypotheses, references), plain.statistics(tokens, cut))


def pairs_are_pairs(metric: Metric) -> None:
    """The score of each candidate against each reference is that of the pair alone; so is that of a mean of one."""
    candidates, _ = random_corpus(13, 9)
    references, _ = random_corpus(14, 7)
    for others in (references, candidates):
        scores = utilities(metric, candidates, others)
        assert scores.shape == (9, len(others))
        for i, candidate in enumerate(candidates):
            alone = metric.score(metric.statistics([candidate] * len(others), others))
            assert np.allclose(scores[i], alone, rtol=1e-12, atol=0)
            if isinstance(metric, Aggregating):
                mean = metric.aggregated_statistics([candidate], others[:1], np.ones(1))
                assert np.allclose(metric.score(mean), scores[i, :1], rtol=1e-12, atol=0)


def explains_itself(metric: Metric) -> None:
    """Its details have names and plain values that JSON can write."""
    hypotheses, references = random_corpus(12, 20)
    details = metric.details(metric.statistics(hypotheses, references).sum(axis=0))
    assert details
    assert json.loads(json.dumps(details)) == details


CHECKS = (
    declares_itself,
    is_spelled,
    is_pickled,
    identity_is_best,
    order_does_not_matter,
    survives_emptiness,
    rows_are_rows,
    rows_concatenate,
    stays_in_bounds,
    score_vectorises,
    scores_resampled_totals,
    systems_go_together,
    threads_do_not_matter,
    takes_tokens,
    pairs_are_pairs,
    explains_itself,
)
