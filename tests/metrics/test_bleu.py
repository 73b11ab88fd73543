"""BLEU against its definition by hand, sacreBLEU and NLTK."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk_bleu

import realdata
import tertium
from strategies import corpora, texts, token_lists
from tertium.errors import OptionError, UnknownName
from tertium.metrics.bleu import BLEU
from tertium.native.reference import bleu as reference
from tertium.registry import metric as metric_of

CLOSE = {"rel": 1e-9, "abs": 1e-9}
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab"}  # of the WMT pairs into these languages; 13a otherwise
pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance
SAMPLE = ["wmt21/en-ha", "wmt21/zh-en", "wmt22/de-en", "wmt22/en-zh", "wmt22/en-ja", "wmt23/en-he"]


def by_hand(hypothesis, references, **options):
    metric = BLEU(tokenize="none", **options)
    return metric.score(metric.statistics([hypothesis], [references])[0])


def nltk_corpus_total(rows: np.ndarray, columns: tuple[str, ...]) -> np.ndarray:
    """The sum of BLEU's rows for a smoothing of NLTK's, but read as NLTK reads a corpus.

    Its methods 5 to 7 take the matches of order 5 and the totals of method 6 from the last segment alone. Use it to
    compare with NLTK or to repeat its numbers; the plain sum is the corpus's own.
    """
    total = np.asarray(rows.sum(axis=0))
    for index, column in enumerate(columns):
        if column.startswith("next_"):
            total[index] = rows[-1, index]
        elif column.startswith("total_"):  # the denominators, total + short, stay the corpus's
            short = columns.index(column.replace("total", "short"))
            total[short] += total[index] - rows[-1, index]
            total[index] = rows[-1, index]
    return total


class TestStatistics:
    @given(
        corpora(token_lists, most_segments=3), st.integers(1, 6), st.sampled_from(["closest", "shortest", "average"])
    )
    def test_native_equals_twin(self, corpus, order, length):
        """The core counts what the readable twin counts, on any Unicode, with any number of references."""
        hypotheses, references = corpus
        rows = BLEU(order=order, length=length).statistics(hypotheses, references)
        expected = [reference.statistics(h, r, order, length) for h, r in zip(hypotheses, references, strict=True)]
        assert rows.tolist() == expected

    @given(corpora(texts))
    def test_texts_equal_sacrebleu(self, corpus):
        """Rows of raw texts are sacreBLEU's statistics, 13a."""
        hypotheses, references = corpus
        peer = sacrebleu.metrics.BLEU()
        expected = [
            peer._extract_corpus_statistics([h], [[r] for r in rs])[0]
            for h, rs in zip(hypotheses, references, strict=True)
        ]
        assert BLEU().statistics(hypotheses, references).tolist() == expected

    def test_the_lecture(self):
        """The textbook's clipping: "the cat" twice in the hypothesis, once in the reference, p2 = 4/6."""
        # Bigrams: the-cat twice, cat-the, cat-on, on-the, the-mat. The first reference has the-cat once, on-the and
        # the-mat; the second has cat-on. So 1 + 0 + 1 + 1 + 1 of 6.
        rows = BLEU().statistics(
            ["the cat the cat on the mat"], [["the cat is on the mat", "there is a cat on the mat"]]
        )
        assert rows[0, 3] == 4
        assert rows[0, 7] == 6

    def test_references_may_be_fewer_in_some_segments(self):
        """A segment with one reference among segments with two counts against that one only."""
        rows = BLEU(tokenize="none", order=1).statistics(["a b", "a b"], [["a", "b c d"], ["a b c"]])
        # closest to 2: |1-2| = |3-2|, the shorter 1 wins; matches a and b; second segment: length 3, both match
        assert rows.tolist() == [[2, 1, 2, 2], [2, 3, 2, 2]]

    def test_length_rules(self):
        """Closest, shortest and average of 6 and 2 for a hypothesis of 4: a tie (2 wins), 2, and 4."""
        found = [
            BLEU(length=rule).statistics(["a a a a"], [["b b b b b b", "b b"]])[0, 1]
            for rule in ("closest", "shortest", "average")
        ]
        assert found == [2, 2, 4]


class TestScore:
    def test_by_hand(self):
        """(6/6 3/5 2/4 1/3) ** 1/4 with equal lengths."""
        assert by_hand("the cat is on a mat", ["the cat is on the mat", "a dog"]) == pytest.approx(
            100 * (1 / 10) ** 0.25
        )

    def test_brevity_penalty(self):
        """Four of five tokens, all matching: exp(1 - 5/4)."""
        assert by_hand("a b c d", ["a b c d e"]) == pytest.approx(100 * math.exp(-0.25))

    @pytest.mark.parametrize("hypothesis", ["", " ", "\u3000\u00a0", "x"])
    @pytest.mark.parametrize("references", [[""], [" \u2003"], ["a b"], ["", "a b"]])
    def test_nothing_matches(self, hypothesis, references):
        """Empty, blank or wholly different texts score 0, whatever the smoothing."""
        for smoothing in ("none", "floor", "add-k", "exp", *(f"nltk{i}" for i in range(8))):
            assert by_hand(hypothesis, references, smoothing=smoothing) == 0

    def test_one_token(self):
        """One matching token: no 2-grams, so 0; with effective order only the unigrams count, so 100."""
        assert by_hand("a", ["a"]) == 0
        assert by_hand("a", ["a"], effective_order=True) == pytest.approx(100)

    def test_orders_longer_than_the_text(self):
        """Order 6 of a text of 5: the sixth has no n-grams, so 0; order 5 is whole."""
        assert by_hand("a b c d e", ["a b c d e"], order=6) == 0
        assert by_hand("a b c d e", ["a b c d e"], order=5) == pytest.approx(100)

    def test_zero_width_space_is_no_white_space(self):
        """U+200B joins, U+00A0, U+0085, U+001C, U+2028 and U+3000 cut, as Python's split does."""
        assert BLEU(tokenize="none").statistics(["a\u200bb"], ["a"])[0, 0] == 1
        assert BLEU(tokenize="none").statistics(["a\u00a0b\u0085c\u001cd\u2028e\u3000f"], ["a"])[0, 0] == 6

    def test_weights(self):
        """Weights are exponents: p1 = 3/4, p2 = 1/3 with weights .8 and .2."""
        # a b x c / a b c d: unigrams a, b, c of 4; bigrams a-b of 3
        found = by_hand("a b x c", ["a b c d"], order=2, weights=(0.8, 0.2))
        assert found == pytest.approx(100 * 0.75**0.8 * (1 / 3) ** 0.2)

    def test_a_weight_of_nothing(self):
        """An order of weight 0 may be without a match."""
        assert by_hand("a b", ["b a"], order=2, weights=(1.0, 0.0), smoothing="none") == pytest.approx(100)

    def test_effective_order_shares_weights(self):
        """Two tokens: of the weights .4 .3 .2 .1 the first two carry all, 4/7 and 3/7."""
        found = by_hand("a b", ["a c b"], weights=(0.4, 0.3, 0.2, 0.1), effective_order=True, smoothing="floor")
        assert found == pytest.approx(100 * math.exp(1 - 3 / 2) * 0.1 ** (3 / 7))

    @given(
        st.data(),
        st.integers(1, 5),
        st.sampled_from(
            [
                ("none", None),
                ("floor", None),
                ("floor", 0.3),
                ("add-k", None),
                ("add-k", 0.5),
                ("add-k", 0.0),
                ("exp", None),
            ]
        ),
        st.booleans(),
    )
    @settings(max_examples=300)
    def test_formula_equals_sacrebleu(self, data, order, smoothing, effective):
        """Any counts: the score, precisions and brevity penalty of sacreBLEU's own formula."""
        method, value = smoothing
        length, wanted = data.draw(st.integers(0, 30)), data.draw(st.integers(0, 30))
        totals = [max(0, length - n) for n in range(order)]
        matches = [data.draw(st.integers(0, total)) for total in totals]
        peer = sacrebleu.metrics.BLEU.compute_bleu(
            list(matches), list(totals), length, wanted, method, value, effective, order
        )
        metric = BLEU(order=order, smoothing=method, smoothing_value=value, effective_order=effective)
        row = np.array([length, wanted, *matches, *totals], float)
        details = metric.details(row)
        assert metric.score(row) == pytest.approx(peer.score, **CLOSE)
        assert details["precisions"] == pytest.approx(peer.precisions, **CLOSE)
        assert details["brevity_penalty"] == pytest.approx(peer.bp, **CLOSE)
        assert details["ratio"] == pytest.approx(peer.ratio)

    def test_leading_axes(self):
        """The score of stacked totals is the stack of their scores."""
        rows = BLEU().statistics(["a b c d e", "a b", ""], ["a b c d f", "a b", "c"])
        stacked = np.stack([np.stack([rows[0], rows[1]]), np.stack([rows[2], rows.sum(0)])])
        expected = [[float(BLEU().score(row)) for row in pair] for pair in stacked]
        assert BLEU().score(stacked).tolist() == expected


class TestNltk:
    """NLTK's smoothing methods. NLTK gives fractions of 1, we per cent."""

    @pytest.mark.parametrize("method", range(8))
    @given(corpora(token_lists, most_segments=1), st.integers(1, 5))
    @settings(max_examples=60)
    def test_sentences(self, method, corpus, order):
        """Sentence scores are NLTK's, where NLTK gives one."""
        hypotheses, references = corpus
        expected = self.nltk(references, hypotheses, method, order)
        if expected is None:
            return
        metric = BLEU(order=order, smoothing=f"nltk{method}")
        rows = metric.statistics(hypotheses, references)
        assert metric.score(rows[0]) / 100 == pytest.approx(expected, **CLOSE)

    @pytest.mark.parametrize("method", range(8))
    @given(corpora(token_lists))
    @settings(max_examples=40)
    def test_corpora(self, method, corpus):
        """Corpus scores are NLTK's, once its reading of the last segment is asked for."""
        hypotheses, references = corpus
        expected = self.nltk(references, hypotheses, method, 4)
        if expected is None:
            return
        metric = BLEU(smoothing=f"nltk{method}")
        total = nltk_corpus_total(metric.statistics(hypotheses, references), metric.columns)
        assert metric.score(total) / 100 == pytest.approx(expected, **CLOSE)

    def test_values(self):
        """epsilon, K and alpha can be chosen."""
        hypothesis, references = ["a", "b", "c", "d", "e", "x", "g", "h"], [["a", "b", "c", "z", "e", "f", "g", "h"]]
        chosen = nltk_bleu.SmoothingFunction(epsilon=0.3, k=7, alpha=2)
        for method, value in ((1, 0.3), (4, 7.0), (6, 2.0), (7, 7.0)):
            expected = nltk_bleu.sentence_bleu(
                references, hypothesis, smoothing_function=getattr(chosen, f"method{method}")
            )
            metric = BLEU(smoothing=f"nltk{method}", smoothing_value=value)
            assert metric.score(metric.statistics([hypothesis], [references])[0]) / 100 == pytest.approx(
                expected, **CLOSE
            )

    def test_plain_total_is_the_corpus(self):
        """Method 5 of a corpus does not depend on the order of its segments, as it does in NLTK."""
        metric = BLEU(smoothing="nltk5")
        rows = metric.statistics(["a b c d e f", "a b c"], ["a b c d e f", "a b d"])
        assert metric.score(rows.sum(0)) == metric.score(rows[::-1].sum(0))

    @staticmethod
    def nltk(references, hypotheses, method, order):
        smoothing = getattr(nltk_bleu.SmoothingFunction(), f"method{method}")
        weights = (Fraction(1, order),) * order
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return nltk_bleu.corpus_bleu(references, hypotheses, weights, smoothing)
            except (AssertionError, IndexError):  # method 6 without a trigram match, or below order 3
                return None


class TestOptions:
    @pytest.mark.parametrize("order", [0, -1, 10**9])
    def test_order(self, order):
        """An order that cannot be is refused."""
        with pytest.raises(OptionError, match="order is"):
            BLEU(order=order)

    def test_weights_need_an_order_each(self):
        """Two weights for four orders are refused."""
        with pytest.raises(OptionError, match="2 weights for order 4"):
            BLEU(weights=(0.5, 0.5))

    @pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 2.0), (math.nan, 1.0)])
    def test_weights_that_mean_nothing(self, weights):
        """Weights below 0, no numbers, or all 0 are refused."""
        with pytest.raises(OptionError, match="weights"):
            BLEU(order=2, weights=weights)

    def test_names(self):
        """Unknown smoothing and length name the near ones."""
        with pytest.raises(UnknownName, match="did you mean floor"):
            BLEU(smoothing="flor")
        with pytest.raises(UnknownName, match="did you mean closest"):
            BLEU(length="closets")

    def test_value_without_use(self):
        """A value for a smoothing that has none is refused."""
        with pytest.raises(OptionError, match="takes no smoothing_value"):
            BLEU(smoothing="exp", smoothing_value=1.0)

    @pytest.mark.parametrize(
        ("smoothing", "value"),
        [("floor", -0.1), ("floor", math.nan), ("add-k", math.inf), ("nltk4", 0.0), ("nltk7", 0.0)],
    )
    def test_value_out_of_range(self, smoothing, value):
        """A value that would give no number or divide by zero is refused."""
        with pytest.raises(OptionError, match="smoothing_value is"):
            BLEU(smoothing=smoothing, smoothing_value=value)

    def test_spelling_keeps_every_digit(self):
        """Weights of a third come back as they were."""
        metric = BLEU(order=3, weights=(1 / 3, 1 / 3, 1 / 3), smoothing="floor", smoothing_value=0.05)
        assert metric_of(repr(metric)) == metric

    def test_lowercase_is_unicode(self):
        """İ, ẞ and Greek final sigma are lowered as Python lowers them, for texts and for tokens."""
        hypothesis, reference_text = "İSTANBUL GROẞ ΟΔΟΣ", "İSTANBUL GROẞ ΟΔΟΣ".lower()
        metric = BLEU(tokenize="none", lowercase=True, order=3)
        assert metric.score(metric.statistics([hypothesis], [reference_text])[0]) == pytest.approx(100)
        assert metric.score(metric.statistics([hypothesis.split()], [reference_text.split()])[0]) == pytest.approx(100)


def check_pair(name, systems=None, segments=None):
    """Every system of a pair: rows, corpus and sentence scores equal sacreBLEU's."""
    pair = realdata.wmt(name)
    tokenize = TOKENIZERS.get(pair.target, "13a")
    streams = [stream[:segments] for stream in pair.references.values()]
    peer = sacrebleu.metrics.BLEU(tokenize=tokenize, references=streams)
    metric = BLEU(tokenize=tokenize)
    by_segment = [list(texts) for texts in zip(*streams, strict=True)]
    chosen = {name: texts[:segments] for name, texts in list(pair.systems.items())[:systems]}
    for system, rows in zip(chosen, metric.statistics_of_systems(list(chosen.values()), by_segment), strict=True):
        expected = peer._extract_corpus_statistics(chosen[system], None)
        assert rows.tolist() == expected, (name, system)
        corpus = peer._aggregate_and_compute(expected)
        assert metric.score(rows.sum(0)) == pytest.approx(corpus.score, **CLOSE), (name, system)
    sentences = [peer._aggregate_and_compute([row]).score for row in expected]
    assert metric.score(rows) == pytest.approx(sentences, **CLOSE)


def check_nltk(name, systems=None, segments=None):
    """Sentence scores by every method of NLTK's on the tokens of 13a."""
    pair = realdata.wmt(name)
    cut = sacrebleu.metrics.BLEU().tokenizer
    references = [[cut(text).split() for text in texts] for texts in zip(*pair.references.values(), strict=True)][
        :segments
    ]
    for system, hypotheses in list(pair.systems.items())[:systems]:
        hypotheses = [cut(text).split() for text in hypotheses[:segments]]
        for method in range(8):
            metric = BLEU(smoothing=f"nltk{method}")
            found = metric.score(metric.statistics(hypotheses, references))
            for score, hypothesis, each in zip(found, hypotheses, references, strict=True):
                expected = TestNltk.nltk([each], [hypothesis], method, 4)
                assert expected is None or score / 100 == pytest.approx(expected, **CLOSE), (name, system, method)


@pytest.mark.data
class TestRealData:
    @pytest.mark.parametrize("name", SAMPLE)
    def test_a_sample(self, name):
        """Two systems of a few pairs equal sacreBLEU, segment by segment, with every reference there is."""
        check_pair(name, systems=2, segments=300)

    def test_nltk_sample(self):
        """A system's first segments equal NLTK by every method."""
        check_nltk("wmt22/zh-en", systems=1, segments=60)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", realdata.pairs())
    def test_every_system(self, name):
        """All systems of all pairs equal sacreBLEU, segment by segment."""
        check_pair(name)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", realdata.pairs())
    def test_nltk_every_system(self, name):
        """All systems of all pairs equal NLTK by every method, on the first 200 segments."""
        check_nltk(name, segments=200)


def test_orders_that_count_and_are_not_reached_score_nothing():
    """Effective order stops at 2, and orders 1 and 2 have no weight: there is nothing to take the mean of."""
    metric = BLEU(weights=(0.0, 0.0, 0.5, 0.5), effective_order=True)
    assert tertium.score(metric, ["a z"], ["a b"]).score == 0
    assert tertium.score(metric, ["a b c"], ["a b c"]).score == pytest.approx(100)  # order 3 is reached


@pytest.mark.parametrize(
    ("spelling", "highest"),
    [("bleu", 100), ("bleu:smoothing=floor,smoothing_value=2", np.inf), ("bleu:smoothing=nltk1", 100),
     ("bleu:smoothing=nltk5", np.inf), ("bleu:smoothing=add-k,smoothing_value=9", 100)],
)  # fmt: skip
def test_bounds_know_the_smoothing(spelling, highest):
    """Method 5 gives precisions above 1, and so does a floor above 1; adding to both sides of a fraction does not."""
    metric = metric_of(spelling)
    assert metric.bounds == (0, highest)
    hypotheses, references = ["a b c d e f g", "x", "a y"], ["a b c d e f g", "z", "b y"]
    assert max(tertium.score(metric, hypotheses, references).segments) <= highest


def test_nltk_method_6_divides_by_its_value():
    """alpha = 0 leaves 0 / 0 for orders that are not reached."""
    with pytest.raises(OptionError, match="nltk6 takes 1e-09 or more"):
        BLEU(smoothing="nltk6", smoothing_value=0)
