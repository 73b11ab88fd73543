"""TER against cases by hand and against sacreBLEU, on every system of WMT21-23 in the long run."""

import random

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import realdata
import tertium
from strategies import corpora, texts
from tertium.metrics.ter import TER, error_rate
from tertium.registry import metric as metric_of

pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance
NAMES = ("normalized", "no_punct", "asian_support", "case_sensitive")
VARIANTS = {"plain": {}, "asian": {"normalized": True, "asian_support": True}}


# Texts that tercom's rules cut, and that its second run over references cuts again.
pieces = [
    "a",
    "b",
    "it's",
    "B's",
    "5",
    "5-a",
    ".",
    ",",
    "..",
    "...5",
    "-",
    '"',
    "&amp;",
    "&amp;amp;lt;",
    "\u6f22",
    "\u3002",
    " ",
    " ",
]
marked = st.lists(st.sampled_from(pieces), max_size=12).map("".join)


def peer_rows(hypotheses, streams, options):
    return sacrebleu.metrics.TER(**options)._extract_corpus_statistics(hypotheses, streams)


def rows(hypothesis, *references):
    return TER().statistics([hypothesis], [list(references)])[0].tolist()


class TestByHand:
    @pytest.mark.parametrize(
        ("hypothesis", "references", "expected"),
        [
            ("a b c", ["a b c"], [0, 3]),
            ("A B C", ["a b c"], [0, 3]),  # case does not count
            ("a x c", ["a b c"], [1, 3]),  # a substitution
            ("a c", ["a b c"], [1, 3]),  # an insertion
            ("a b b c", ["a b c"], [1, 3]),  # a deletion
            ("b c a", ["a b c"], [1, 3]),  # one shift, where insertion and deletion are two edits
            ("", ["a b"], [2, 2]),  # everything is put in
            ("a b", [""], [2, 0]),  # everything is taken out
            ("", [""], [0, 0]),
            (" \u00a0\u3000", ["a"], [1, 1]),  # white space only is empty
            ("a b", ["c d", "a"], [1, 1.5]),  # the nearest reference's edits, the average length
            ("a", ["", "a b c"], [1, 1.5]),  # an empty reference takes one edit a word, and counts in the average
        ],
    )
    def test_rows(self, hypothesis, references, expected):
        """Edits and reference length of small texts, counted by hand."""
        assert rows(hypothesis, *references) == expected

    def test_paper(self):
        """The example of Snover et al. (2006): "this week" shifted, two substitutions, an insertion: 4 of 13."""
        hypothesis = "this week the saudis denied information published in the new york times"
        reference = "saudi arabia denied this week information published in the american new york times"
        assert rows(hypothesis, reference) == [4, 13]
        assert round(tertium.score("ter", [hypothesis], [reference]).score, 2) == 30.77

    def test_no_reference_words(self):
        """100 for edits without a reference word, 0 for nothing at all, on any leading axes."""
        total = np.array([[[3.0, 0.0], [0.0, 0.0]], [[1.0, 8.0], [9.0, 3.0]]])
        assert error_rate(total).tolist() == [[100, 0], [12.5, 300]]

    def test_missing_references(self):
        """A segment with fewer references averages over those it has."""
        metric = TER()
        assert metric.statistics(["a", "b"], [["a", "a b c"], ["c"]]).tolist() == [[0, 2], [1, 1]]

    def test_token_lists(self):
        """Tokenised input is taken as it is, but for its case."""
        metric = TER(normalized=True)
        assert metric.statistics([["A,", "b"]], [["a,", "b"]]).tolist() == [[0, 2]]
        assert TER(case_sensitive=True).statistics([["A,", "b"]], [["a,", "b"]]).tolist() == [[1, 2]]

    def test_spelling(self):
        """The spelling names every option and is read back."""
        metric = TER(normalized=True, asian_support=True)
        assert repr(metric) == "ter:normalized=yes,no_punct=no,asian_support=yes,case_sensitive=no"
        assert metric_of(repr(metric)) == metric

    def test_details(self):
        """The pieces of a score."""
        assert TER().details(np.array([4.0, 12.5])) == {"edits": 4, "reference_length": 12.5}


class TestSacrebleu:
    @given(corpora(st.one_of(texts, marked), most_segments=3), st.tuples(*[st.booleans()] * 4))
    def test_equal_rows(self, corpus, flags):
        """Rows of any texts under any options are sacreBLEU's statistics."""
        hypotheses, references = corpus
        options = dict(zip(NAMES, flags, strict=True))
        expected = [peer_rows([h], [[r] for r in rs], options)[0] for h, rs in zip(hypotheses, references, strict=True)]
        assert TER(**options).statistics(hypotheses, references).tolist() == expected

    def test_references_are_cut_twice(self):
        """The possessive before a comma is set apart in the reference, not in the hypothesis, as sacreBLEU does."""
        metric = TER(normalized=True)
        assert metric.statistics(["it's, so"], ["it's, so"]).tolist() == [[2, 4]]
        assert peer_rows(["it's, so"], [["it's, so"]], {"normalized": True}) == [[2, 4]]

    def test_systems_together(self):
        """Several systems at once give the rows of each alone."""
        references = [["a b c d", "b c"], ["x y z"], ["q"]]
        systems = [["a c b d", "z x y", ""], ["d c b a", "x", "q q"]]
        metric = TER()
        together = metric.statistics_of_systems(systems, references)
        assert together.tolist() == [metric.statistics(system, references).tolist() for system in systems]

    @pytest.mark.data
    @pytest.mark.parametrize(
        ("pair", "variant"),
        [("wmt22/de-en", "plain"), ("wmt21/ru-en", "plain"), ("wmt22/en-zh", "asian"), ("wmt22/en-ja", "asian")],
    )
    def test_sample_of_the_data(self, pair, variant):
        """Segments drawn from all systems, with all references."""
        data = realdata.wmt(pair)
        rng = random.Random(pair)
        streams = list(data.references.values())
        options = VARIANTS[variant]
        for system in data.systems.values():
            drawn = rng.sample(range(len(system)), 30 if variant == "plain" else 4)
            hypotheses = [system[i] for i in drawn]
            references = [[stream[i] for i in drawn] for stream in streams]
            ours = TER(**options).statistics(hypotheses, tertium.References.from_streams(references))
            assert ours.tolist() == peer_rows(hypotheses, references, options)

    @pytest.mark.slow
    @pytest.mark.data
    @pytest.mark.parametrize("step", [1, 25], ids=["all", "every_25th"])
    @pytest.mark.parametrize("pair", realdata.pairs())
    def test_all_data(self, pair, step):
        """Every system of the pair, plain; normalised with the rules for Asian scripts into Chinese and Japanese.

        sacreBLEU needs hours for all lines, minutes for every 25th: `-k every_25th`.
        """
        data = realdata.wmt(pair)
        streams = [texts[::step] for texts in data.references.values()]
        names = ["plain", "asian"] if data.target in ("zh", "ja") else ["plain"]
        for options in (VARIANTS[name] for name in names):
            metric, peer = TER(**options), sacrebleu.metrics.TER(**options, references=streams)
            systems = {name: texts[::step] for name, texts in data.systems.items()}
            ours = metric.statistics_of_systems(list(systems.values()), tertium.References.from_streams(streams))
            for rows_of_system, (name, system) in zip(ours, systems.items(), strict=True):
                expected = peer._extract_corpus_statistics(system, None)
                assert rows_of_system.tolist() == expected, name
                score = peer._aggregate_and_compute(expected).score
                assert metric.score(rows_of_system.sum(0)) == pytest.approx(score, abs=1e-9)
