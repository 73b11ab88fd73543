"""The TER kernel against its readable twin and against sacreBLEU's search, where ties, beams and limits matter."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.lib_ter import translation_edit_rate

from strategies import corpora, token_lists
from tertium import native
from tertium.data.segments import References
from tertium.native.reference import ter


def kernel(hypotheses, references, threads=1):
    """The kernel's rows of token lists, case kept."""
    prepared = References.from_segments(references, tokenised=True)
    systems = [native._core.corpus_of_tokens(hypotheses)]
    return native.ter_statistics(systems, prepared.streams, case_sensitive=True, threads=threads)[0].tolist()


def edits(hypothesis, reference):
    return kernel([hypothesis], [[reference]])[0][0]


def shuffled(rng, words, blocks, changes, alphabet):
    """The words with blocks moved, left out or put in, and single words changed: what shifts are for."""
    words = list(words)
    for _ in range(blocks):
        if len(words) < 4:
            break
        start, length = rng.randrange(len(words)), rng.randint(1, min(12, len(words) // 2))
        block = words[start : start + length]
        del words[start : start + length]
        if rng.random() < 0.8:
            target = rng.randint(0, len(words))
            words[target:target] = block
    for _ in range(changes):
        words[rng.randrange(len(words)) :][:1] = [rng.choice(alphabet)]
        words.insert(rng.randint(0, len(words)), rng.choice(alphabet))
    return words


small = st.integers(2, 5).flatmap(lambda size: st.lists(st.sampled_from("abcdef"[:size]), max_size=12))


class TestTwin:
    @given(corpora(token_lists, most_segments=3))
    def test_equal_rows(self, corpus):
        """Edits and reference length equal the twin's on any Unicode, with any number of references."""
        hypotheses, references = corpus
        assert kernel(hypotheses, references) == [
            ter.statistics(h, r) for h, r in zip(hypotheses, references, strict=True)
        ]

    @settings(max_examples=300)
    @given(small, small)
    def test_few_distinct_words(self, hypothesis, reference):
        """Two to five distinct words make many equally good shifts: the same one is taken."""
        assert edits(hypothesis, reference) == ter.edits(hypothesis, reference)


class TestSacrebleu:
    @settings(max_examples=300)
    @given(small, small)
    def test_few_distinct_words(self, hypothesis, reference):
        """Small alphabets provoke ties, as above."""
        assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]

    @pytest.mark.parametrize("seed", range(12))
    def test_moved_blocks(self, seed):
        """References of 5 to 50 words with blocks moved and words changed."""
        rng = random.Random(seed)
        for _ in range(5):
            alphabet = [str(i) for i in range(rng.choice([6, 20, 60]))]
            reference = [rng.choice(alphabet) for _ in range(rng.randint(5, 50))]
            hypothesis = shuffled(rng, reference, rng.randint(0, 4), rng.randint(0, 5), alphabet)
            assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]

    @pytest.mark.parametrize(
        ("words", "others", "distinct"),
        [
            (70, 70, 60),
            (64, 65, 200),
            (90, 60, 80),
            (60, 130, 99),
            (150, 30, 40),
            (20, 120, 20),
            (3, 170, 4),
            (170, 3, 4),
        ],
    )
    def test_beam_binds(self, words, others, distinct):
        """Unlike texts of unlike length, longer than 64 words: the path would like to leave the beam."""
        rng = random.Random(words)
        hypothesis, reference = ([str(rng.randrange(distinct)) for _ in range(size)] for size in (words, others))
        assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]

    def test_beam_changes_the_distance(self):
        """A block that stands 30 words away from its place is out of the beam's reach, but not of a plain distance."""
        block = [str(i) for i in range(40)]
        hypothesis, reference = [*["x"] * 30, *block], [*block, *["y"] * 30]
        assert Levenshtein.distance(hypothesis, reference) == 60  # 30 words out, 40 kept, 30 words in
        assert ter.distance(hypothesis, reference) == 70  # all substituted
        assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]

    @pytest.mark.parametrize("others", [51, 60, 101, 130, 300])
    def test_wide_beam(self, others):
        """A reference more than 50 times as long as the hypothesis widens the beam."""
        rng = random.Random(others)
        for words in (1, 2):
            reference = [str(rng.randrange(5)) for _ in range(others * words)]
            hypothesis = rng.sample(reference, words)
            assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]

    def test_candidates_run_out(self):
        """Many equal words reach the thousandth candidate: the search stops and drops its last round."""
        rng = random.Random(3)
        reached = 0
        for words in (24, 28, 32, 36, 40):
            reference = [rng.choice("ab") for _ in range(words)]
            hypothesis = shuffled(rng, reference, 3, 4, "ab")
            assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]
            reached += sum(1 for _ in ter.candidates(hypothesis, reference)) >= ter.MOST_CANDIDATES
        assert 0 < reached < 5, "the texts must lie on both sides of the limit"


class TestShape:
    def test_threads_do_not_matter(self):
        """Any number of threads gives the same rows."""
        rng = random.Random(1)
        references = [[[rng.choice("abcdefgh") for _ in range(12)] for _ in range(2)] for _ in range(300)]
        hypotheses = [shuffled(rng, each[0], 2, 1, "abcdefgh") for each in references]
        assert (
            kernel(hypotheses, references, 1) == kernel(hypotheses, references, 2) == kernel(hypotheses, references, 5)
        )

    def test_a_book_as_one_segment(self):
        """Texts of 20,000 words work, by position lists and without a matrix in memory; nothing to edit means 0."""
        text = [str(i % 7000) for i in range(20_000)]
        assert edits(text, text) == 0
        assert edits([*text[:9000], "x", *text[9000:]], text) == 1
        # Two words the wrong way round: one shift does what the distance alone needs two edits for.
        assert edits([*text[:50], text[51], text[50], *text[52:]], text) == 1

    def test_one_word_against_a_book(self):
        """The widest beam: one word, and a reference of 5,000."""
        assert edits(["b"], [*["a"] * 4999, "b"]) == 4999
