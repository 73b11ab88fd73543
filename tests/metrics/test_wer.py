"""WER and CER against cases by hand and against jiwer."""

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import realdata
from tertium.metrics.wer import CER, WER
from tertium.registry import metric as metric_of

words = st.lists(st.sampled_from(["a", "b", "c", "ä", "漢"]), min_size=1, max_size=12).map(" ".join)


def counts(peer):
    return [peer.substitutions, peer.deletions, peer.insertions]


class TestByHand:
    @pytest.mark.parametrize(
        ("hypothesis", "references", "expected"),
        [
            ("a b c", ["a b c"], [0, 3, 0, 0, 0]),
            ("a c", ["a b c"], [1, 3, 0, 1, 0]),
            ("a b b c", ["a b c"], [1, 3, 0, 0, 1]),
            ("a x c", ["a b c"], [1, 3, 1, 0, 0]),
            ("b c a", ["a b c"], [2, 3, 0, 1, 1]),  # no shifts here
            ("A", ["a"], [1, 1, 1, 0, 0]),  # case counts
            ("", ["a b"], [2, 2, 0, 2, 0]),
            ("a b", [""], [2, 0, 0, 0, 2]),
            ("", [""], [0, 0, 0, 0, 0]),
            ("a b", ["a", "a b c d", "a b c"], [1, 3, 0, 1, 0]),  # one edit from the first and the last: the longer
        ],
    )
    def test_rows(self, hypothesis, references, expected):
        """Edits, length, substitutions, deletions and insertions of small texts, counted by hand."""
        assert WER().statistics([hypothesis], [references])[0].tolist() == expected

    def test_characters(self):
        """Code points; white space at the ends never counts, inside it does unless left out."""
        assert CER().statistics([" ab c\n"], ["ab  d"]).tolist() == [[2, 5, 1, 1, 0]]  # a space missing, c for d
        assert CER(whitespace=False).statistics([" ab c\n"], ["a bd"]).tolist() == [[1, 3, 1, 0, 0]]
        assert CER().statistics(["😀"], ["😁é"]).tolist() == [[2, 2, 1, 1, 0]]
        assert CER().statistics([["ab", "c"]], [["a", "bc"]]).tolist() == [[2, 4, 0, 1, 1]]

    def test_options(self):
        """Lower-casing and tokenizers do what they say."""
        assert WER(lowercase=True).statistics(["ÄB"], ["äb"])[0, 0] == 0
        assert CER(lowercase=True).statistics(["ÄB"], ["äb"])[0, 0] == 0
        assert WER(tokenize="13a").statistics(["so."], ["so ."])[0].tolist() == [0, 2, 0, 0, 0]
        assert metric_of("wer:tokenize=13a,lowercase=yes") == WER("13a", True)
        assert metric_of(repr(CER(whitespace=False))) == CER(whitespace=False)

    def test_score(self):
        """100 edits / length of the sums; 100 for edits without reference, 0 for nothing."""
        total = np.array([[3.0, 12.0, 1, 1, 1], [2.0, 0, 0, 0, 2], [0, 0, 0, 0, 0]])
        assert WER().score(total).tolist() == CER().score(total).tolist() == [25, 100, 0]
        assert WER().details(total[0]) == {
            "edits": 3,
            "reference_length": 12,
            "substitutions": 1,
            "deletions": 1,
            "insertions": 1,
        }


class TestJiwer:
    @given(words, words)
    def test_any_words(self, hypothesis, reference):
        """jiwer's rate over 100 and its kinds of edits, for words and characters."""
        row = WER().statistics([hypothesis], [reference])[0]
        assert row[2:].tolist() == counts(jiwer.process_words(reference, hypothesis))
        assert WER().score(row) == pytest.approx(100 * jiwer.wer(reference, hypothesis), rel=1e-12)
        row = CER().statistics([hypothesis], [reference])[0]
        assert row[2:].tolist() == counts(jiwer.process_characters(reference, hypothesis))
        assert CER().score(row) == pytest.approx(100 * jiwer.cer(reference, hypothesis), rel=1e-12)

    @pytest.mark.data
    @pytest.mark.parametrize("pair", ["wmt22/de-en", "wmt22/en-zh"])
    def test_data(self, pair):
        """One system's sums and rates; segments that jiwer refuses because they are empty are not there."""
        data = realdata.wmt(pair)
        hypotheses, references = next(iter(data.systems.values())), next(iter(data.references.values()))
        total = CER().statistics(hypotheses, references).sum(0)
        assert total[2:].tolist() == counts(jiwer.process_characters(references, hypotheses))
        # jiwer cuts words at U+0020 only; the references have other white space too.
        plain = [" ".join(line.split()) for line in hypotheses], [" ".join(line.split()) for line in references]
        total = WER().statistics(*plain).sum(0)
        assert total[2:].tolist() == counts(jiwer.process_words(plain[1], plain[0]))
