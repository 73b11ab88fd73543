"""`tertium.compat.sacrebleu` beside sacreBLEU 2.6 itself: fields, texts, signatures, warnings."""

import itertools
import json
import logging
import random
from typing import Any

import pytest
import sacrebleu as original
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_all_word_ngrams

import tertium.compat.sacrebleu as face
from realdata import wmt
from strategies import characters
from tertium.compat.sacrebleu.metrics import METRICS, helpers
from tertium.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from tertium.errors import InputError, MissingFile, OptionError, UnknownName

WORDS = [
    "the",
    "The",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "3.5",
    "U.S.",
    "&quot;hi&quot;",
    "(ja)",
    "naïve",
    "日本",
    "…",
    ".",
]

BLEU_OPTIONS = [
    {"tokenize": tokenize, "lowercase": lowercase, **smoothing}
    for tokenize, lowercase, smoothing in itertools.product(
        ["13a", "none", "intl", "char", "zh"],
        [False, True],
        [
            {},
            {"smooth_method": "none"},
            {"smooth_method": "floor"},
            {"smooth_method": "floor", "smooth_value": 0.01, "effective_order": True},
            {"smooth_method": "add-k"},
            {"smooth_method": "add-k", "smooth_value": 0.5, "max_ngram_order": 2},
            {"effective_order": True, "max_ngram_order": 6},
        ],
    )
]
CHRF_OPTIONS = [
    {"word_order": words, "lowercase": lowercase, "whitespace": whitespace, "eps_smoothing": eps, "beta": beta}
    for words, lowercase, whitespace, eps, beta in itertools.product(
        [0, 1, 2], [False, True], [False, True], [False, True], [1, 2, 3]
    )
]
TER_OPTIONS = [
    {"normalized": normalized, "no_punct": no_punct, "asian_support": asian, "case_sensitive": case}
    for normalized, no_punct, asian, case in itertools.product([False, True], repeat=4)
]
GRID = [("BLEU", o) for o in BLEU_OPTIONS] + [("CHRF", o) for o in CHRF_OPTIONS] + [("TER", o) for o in TER_OPTIONS]


def random_texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(0, 12))) for _ in range(count)]


HYPOTHESES = ["The cat sat on the mat.", "", "the the the", "a b c d e f ", *random_texts(1, 16)]
REFERENCES = [
    ["The cat is on the mat.", "x", "the cat", "d e f a b c", *random_texts(2, 16)],
    ["A cat sat on a mat.", "", "", "a b c d e f", *random_texts(3, 16)],
    [None, "y", None, "", *random_texts(4, 15), None],
]


def same(ours: Any, theirs: Any, metric: tuple[Any, Any] | None = None) -> None:
    assert vars(ours) == vars(theirs)
    assert str(ours) == str(theirs)
    if metric:
        signatures = [each.get_signature() for each in metric]
        for short in (False, True):
            assert signatures[0].format(short) == signatures[1].format(short)
        text = str(signatures[0])
        for options in ({"width": 4}, {"score_only": True}, {"signature": text}, {"signature": text, "is_json": True}):
            assert ours.format(**options) == theirs.format(**options)


def both(name: str, options: dict[str, Any]) -> tuple[Any, Any]:
    return getattr(face, name)(**options), getattr(original, name)(**options)


def test_every_option_gives_the_same_corpus_result() -> None:
    """For all combinations of options: every field, the text, the JSON and both signatures are equal."""
    for (name, options), count in itertools.product(GRID, (1, 2, 3)):
        metric = both(name, options)
        same(*[each.corpus_score(HYPOTHESES, REFERENCES[:count]) for each in metric], metric)


def test_every_option_gives_the_same_sentence_result() -> None:
    """The same for single texts with one to three references, some of them missing."""
    for name, options in GRID[::5]:
        metric = both(name, options)
        for hypothesis, *references in zip(HYPOTHESES, *REFERENCES, strict=True):
            same(*[each.sentence_score(hypothesis, references) for each in metric], metric)


@given(
    st.lists(st.tuples(*[st.text(characters, max_size=30)] * 3), min_size=1, max_size=4),
    st.sampled_from(GRID),
)
def test_any_text_gives_the_same_result(texts: list[tuple[str, str, str]], chosen: tuple[str, dict[str, Any]]) -> None:
    """Arbitrary Unicode: control characters, line breaks, scripts of all kinds."""
    hypotheses, *references = map(list, zip(*texts, strict=True))
    same(*[metric.corpus_score(hypotheses, references) for metric in both(*chosen)])


@pytest.mark.data
@pytest.mark.parametrize(
    ("pair", "count", "options"),
    [
        ("wmt22/de-en", 200, {"BLEU": {}, "CHRF": {"word_order": 2}, "TER": {}}),
        (
            "wmt22/en-zh",
            40,
            {"BLEU": {"tokenize": "zh"}, "CHRF": {}, "TER": {"normalized": True, "asian_support": True}},
        ),
        ("wmt22/en-ja", 300, {"BLEU": {"tokenize": "ja-mecab"}, "CHRF": {"lowercase": True}}),
    ],
)
def test_real_systems_have_the_same_results(pair: str, count: int, options: dict[str, dict[str, Any]]) -> None:
    """Segments of a real system; with kept references, and with intervals from 200 draws."""
    data = wmt(pair)
    hypotheses = next(iter(data.systems.values()))[:count]
    references = [stream[:count] for stream in data.references.values()]
    for name, chosen in options.items():
        metric = both(name, {**chosen, "references": references})
        same(*[each.corpus_score(hypotheses, None) for each in metric], metric)
        ours, theirs = (each.corpus_score(hypotheses, references, n_bootstrap=200) for each in metric)
        assert (ours._mean, ours._ci) == pytest.approx((theirs._mean, theirs._ci), rel=1e-12)
        assert str(ours) == str(theirs)
        assert str(metric[0].get_signature()) == str(metric[1].get_signature())


def test_functions_have_the_same_arguments_and_results() -> None:
    """The seven functions, each with its arguments in sacreBLEU's order."""
    hypothesis, references = HYPOTHESES[0], [stream[0] for stream in REFERENCES[:2]]
    for name, arguments in [
        ("bleu", ("floor", 0.2, False, True, "intl", True)),
        ("chrf", (5, 1, 3, False, True)),
        ("ter", (True, True, True, True)),
    ]:
        same(*[getattr(m, f"corpus_{name}")(HYPOTHESES, REFERENCES, *arguments) for m in (face, original)])
        if name == "bleu":
            arguments = ("floor", 0.2, True, "intl", False)
        same(*[getattr(m, f"sentence_{name}")(hypothesis, references, *arguments) for m in (face, original)])
    same(*[m.raw_corpus_bleu(HYPOTHESES, REFERENCES, 0.05) for m in (face, original)])


def test_bleu_from_counts_is_the_same() -> None:
    """`compute_bleu` with every smoothing, no matches, no n-grams; add-k changes its arguments in place as there."""
    counts = [([9, 7, 5, 3], [10, 8, 6, 4], 11, 12), ([2, 0, 0, 0], [3, 2, 1, 0], 3, 3), ([0] * 4, [4, 3, 2, 1], 4, 1)]
    for (correct, total, length, reference), method in itertools.product(counts, face.BLEU.SMOOTH_DEFAULTS):
        results, kept = [], []
        for module in (face, original):
            kept.append((correct[:], total[:]))
            results.append(module.BLEU.compute_bleu(*kept[-1], length, reference, smooth_method=method))
        same(*results)
        assert kept[0] == kept[1]


def test_a_tokenizer_of_ones_own_is_used() -> None:
    """A tokenizer put into the metric cuts the text, as in sacreBLEU."""
    metric = both("BLEU", {"lowercase": True})
    for each in metric:
        each.tokenizer = lambda line: " ".join(line.replace("at", "@"))
    same(*[each.corpus_score(HYPOTHESES, REFERENCES) for each in metric])
    same(*[each.sentence_score("Cat at sea", ["a cat"]) for each in metric])


def test_steps_in_python_add_up_to_the_corpus_score() -> None:
    """Preprocessing, statistics and score step by step, as some code does them, give the rows of one call."""
    for name, options in (("BLEU", {"lowercase": True}), ("CHRF", {"lowercase": True}), ("TER", {"normalized": True})):
        metric = getattr(face, name)(**options)
        rows = metric._extract_corpus_statistics(HYPOTHESES, REFERENCES[:2])
        for hypothesis, first, second, row in zip(HYPOTHESES, *REFERENCES[:2], rows, strict=True):
            kept = metric._extract_reference_info([metric._preprocess_segment(text) for text in (first, second)])
            assert metric._compute_segment_statistics(metric._preprocess_segment(hypothesis), kept) == row.tolist()
        same(metric._aggregate_and_compute(rows.tolist()), metric.corpus_score(HYPOTHESES, REFERENCES[:2]))


@given(st.text(characters, max_size=40))
def test_tokenizers_and_ngrams_are_the_same(line: str) -> None:
    """The tokenizer classes, the shared rules, Tercom's normalisation and the n-gram counters, on any text."""
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp as Original

    from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    assert TokenizerRegexp()(line) == Original()(line)
    for name in ("13a", "none", "intl", "char", "zh"):
        ours, theirs = (module.metrics.bleu._get_tokenizer(name)() for module in (face, original))
        stripped = line.rstrip()
        assert ours(stripped).split() == theirs(stripped).split(), name
        assert ours.signature() == theirs.signature()
    for options in TER_OPTIONS:
        assert TercomTokenizer(**options)(line) == original.tokenizers.tokenizer_ter.TercomTokenizer(**options)(line)
    assert helpers.extract_all_char_ngrams(line, 3, True) == extract_all_char_ngrams(line, 3, True)
    assert helpers.extract_all_word_ngrams(line, 1, 3) == extract_all_word_ngrams(line, 1, 3)


def test_signatures_of_mecab_are_the_same() -> None:
    """The version of the analyser stands in the signature."""
    for name in ("ja-mecab", "ko-mecab"):
        metric = both("BLEU", {"tokenize": name})
        assert metric[0].tokenizer_signature == metric[1].tokenizer_signature


def test_target_language_chooses_the_tokenizer(caplog: pytest.LogCaptureFixture) -> None:
    """`trg_lang` picks zh and ja-mecab, and warns where another one is asked for."""
    assert face.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    with caplog.at_level(logging.WARNING, "sacrebleu"):
        assert face.BLEU(trg_lang="zh", tokenize="13a").tokenizer_signature == "13a"
    assert "'zh'" in caplog.text


def test_tokenised_input_is_noticed(caplog: pytest.LogCaptureFixture) -> None:
    """100 lines that end in a separate period give a warning, 99 do not, nor does `force`."""
    for count, force, warned in ((99, False, False), (100, True, False), (100, False, True)):
        caplog.clear()
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            face.corpus_bleu(["a ."] * count + ["b"], [["a ."] * count + ["b"]], force=force)
        assert ("tokenised" in caplog.text) is warned


def test_json_of_a_score_reads_back() -> None:
    """The JSON form has the score, the verbose part and every item of the signature."""
    metric = face.BLEU()
    score = metric.corpus_score(["a b c d e"], [["a b c d f"]])
    fields = json.loads(score.format(signature=str(metric.get_signature()), is_json=True))
    assert fields["tok"] == "13a"
    assert fields["version"] == "2.6.0"
    assert fields["verbose_score"] == score._verbose
    assert json.loads(score.format(is_json=True))["signature"] == ""


def test_what_does_not_fit_is_refused() -> None:
    """Streams of different length, segments without any reference, unknown names: an error that says what is wrong."""
    with pytest.raises(TypeError, match="same length"):
        face.corpus_bleu(["a", "b"], [["a"]])
    with pytest.raises(InputError, match="segment 1 has no reference"):
        face.corpus_chrf(["a", "b"], [["a", None], ["a", None]])
    with pytest.raises(RuntimeError, match="No references"):
        face.BLEU().corpus_score(["a"], None)
    with pytest.raises(InputError, match="1 hypotheses but references for 2"):
        face.BLEU(references=[["a", "b"]]).corpus_score(["a"], None)
    with pytest.raises(ValueError, match="score something first"):
        face.TER().get_signature()
    with pytest.raises(UnknownName, match="did you mean intl"):
        face.BLEU(tokenize="int")
    with pytest.raises(OptionError, match="add-k"):
        face.BLEU(smooth_method="exponential")


def test_there_are_no_test_sets_and_the_error_says_so() -> None:
    """Every way to a built-in test set ends in the same clear error; the lists are empty."""
    for ask in (lambda: face.DATASETS["wmt19"], lambda: face.get_source_file("wmt19", "de-en")):
        with pytest.raises(MissingFile, match=r"wmt19.*no built-in test sets"):
            ask()
    assert face.get_available_testsets() == []


def test_the_public_names_are_all_there() -> None:
    """Every name that sacreBLEU exports exists here, and so does every module that code imports from it."""
    assert set(original.__all__) <= set(dir(face))
    assert METRICS.keys() == original.metrics.METRICS.keys()
    assert face.__version__ == original.__version__
    assert list(face.BLEU.TOKENIZERS) == list(original.BLEU.TOKENIZERS)
