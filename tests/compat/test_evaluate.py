"""`tertium.compat.evaluate`: the keys of `evaluate`'s modules, the values of the libraries they call."""

import math

import jiwer
import pytest
import sacrebleu
from nltk.translate import bleu_score, gleu_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from tertium.compat.evaluate import load
from tertium.errors import InputError, OptionError, UnknownName

PREDICTIONS = ["The cat sat on the mat.", "There is a dog, I think", "hello there general kenobi", "a"]
REFERENCES = [
    ["The cat is on the mat.", "A cat sat on the mat."],
    ["I think there is a dog", "There's a dog, I think."],
    ["hello there general kenobi", "hello there!"],
    ["a b", "c"],
]
STREAMS = [list(stream) for stream in zip(*REFERENCES, strict=True)]
cut = Tokenizer13a()


def test_sacrebleu_chrf_and_ter_have_sacrebleus_fields() -> None:
    """Default options and others; references as lists or, where there is one, as plain texts."""
    keys = {
        "sacrebleu": "score counts totals precisions bp sys_len ref_len",
        "chrf": "score char_order word_order beta",
        "ter": "score num_edits ref_length",
    }
    for name, ours, theirs in [
        ("sacrebleu", {}, sacrebleu.BLEU()),
        ("sacrebleu", {"smooth_method": "floor", "lowercase": True, "tokenize": "intl"}, None),
        ("chrf", {}, sacrebleu.CHRF()),
        ("chrf", {"word_order": 2, "eps_smoothing": True}, sacrebleu.CHRF(word_order=2, eps_smoothing=True)),
        ("ter", {}, sacrebleu.TER()),
        ("ter", {"normalized": True, "ignore_punct": True}, sacrebleu.TER(normalized=True, no_punct=True)),
    ]:
        theirs = theirs or sacrebleu.BLEU(**ours)
        result = load(name).compute(predictions=PREDICTIONS, references=REFERENCES, **ours)
        wanted = theirs.corpus_score(PREDICTIONS, STREAMS)
        assert result == {key: getattr(wanted, key) for key in keys[name].split()}
        result = load(name).compute(predictions=PREDICTIONS, references=STREAMS[0], **ours)
        assert result["score"] == theirs.corpus_score(PREDICTIONS, STREAMS[:1]).score


def test_bleu_follows_the_definition_of_its_module() -> None:
    """Shortest reference length, penalty exp(1 - r/c), zero where an order has no match; smoothing adds one everywhere.

    Derived: "a b c d e f" against "a b c d x y" and "a b c d e": clipped matches 5/6 4/5 3/4 2/3, lengths 6 and 5, so
    the score is (5/6 4/5 3/4 2/3) ** (1/4) = (1/3) ** (1/4); smoothed 6/7 5/6 4/5 3/4, product 3/7.
    """
    texts = {"predictions": ["a b c d e f"], "references": [["a b c d x y", "a b c d e"]]}
    result = load("bleu").compute(**texts)
    assert result == {
        "bleu": pytest.approx((1 / 3) ** 0.25, rel=1e-12),
        "precisions": [5 / 6, 4 / 5, 3 / 4, 2 / 3],
        "brevity_penalty": 1,
        "length_ratio": 6 / 5,
        "translation_length": 6,
        "reference_length": 5,
    }
    assert load("bleu").compute(**texts, smooth=True)["bleu"] == pytest.approx((3 / 7) ** 0.25, rel=1e-12)
    short = load("bleu").compute(predictions=["a b"], references=[["a b c d"]], max_order=2)
    assert short["bleu"] == pytest.approx(math.exp(1 - 4 / 2), rel=1e-12)
    assert load("bleu").compute(predictions=["a b"], references=["a c"])["bleu"] == 0.0


def test_bleu_with_one_reference_is_nltks() -> None:
    """Without the choice of a reference length the definition is NLTK's, on text cut by 13a or by a given function."""
    predictions, references = PREDICTIONS[:3], STREAMS[0][:3]
    for options, tokens in (({}, lambda text: cut(text).split()), ({"tokenizer": str.split}, str.split)):
        result = load("bleu").compute(predictions=predictions, references=references, **options)
        wanted = bleu_score.corpus_bleu([[tokens(text)] for text in references], [tokens(text) for text in predictions])
        assert result["bleu"] == pytest.approx(wanted, rel=1e-12)


def test_google_bleu_is_nltks_gleu() -> None:
    """On text cut by 13a, with orders to choose."""
    references = [[cut(text).split() for text in texts] for texts in REFERENCES]
    predictions = [cut(text).split() for text in PREDICTIONS]
    for options in ({}, {"min_len": 2, "max_len": 3}):
        result = load("google_bleu").compute(predictions=PREDICTIONS, references=REFERENCES, **options)
        assert result == {"google_bleu": pytest.approx(gleu_score.corpus_gleu(references, predictions, **options))}


def test_rouge_and_error_rates_are_those_of_their_libraries() -> None:
    """rouge-score's mean F-measure, jiwer's rates."""
    scorer = RougeScorer(["rouge1", "rougeL"])
    result = load("rouge").compute(predictions=PREDICTIONS, references=STREAMS[0], rouge_types=["rouge1", "rougeL"])
    for key, value in result.items():
        each = [scorer.score(r, p)[key].fmeasure for r, p in zip(STREAMS[0], PREDICTIONS, strict=True)]
        assert value == pytest.approx(sum(each) / len(each))
    assert load("wer").compute(predictions=PREDICTIONS, references=STREAMS[0]) == jiwer.wer(STREAMS[0], PREDICTIONS)
    assert load("cer").compute(predictions=PREDICTIONS, references=STREAMS[0]) == jiwer.cer(STREAMS[0], PREDICTIONS)


def test_texts_can_be_added_bit_by_bit() -> None:
    """`add` and `add_batch` collect; `compute` uses all of it and starts anew."""
    module = load("chrf")
    whole = module.compute(predictions=PREDICTIONS, references=REFERENCES)
    module.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    module.add(prediction=PREDICTIONS[1], references=REFERENCES[1])
    module.add_batch(predictions=PREDICTIONS[2:3], references=REFERENCES[2:3])
    assert module.compute(predictions=PREDICTIONS[3:], references=REFERENCES[3:]) == whole
    with pytest.raises(InputError, match="nothing to score"):
        module.compute()


def test_references_may_differ_in_number() -> None:
    """A segment with fewer references than others is scored on those it has, as by sacreBLEU with gaps."""
    references = [["a b c d", "a b"], ["x y z w"]]
    result = load("sacrebleu").compute(predictions=["a b c e", "x y z w"], references=references)
    wanted = sacrebleu.corpus_bleu(["a b c e", "x y z w"], [["a b c d", "x y z w"], ["a b", None]])
    assert result["score"] == wanted.score


def test_any_metric_can_be_loaded_by_its_spelling() -> None:
    """Names of Tertium give the score and its details; unknown ones the nearest names."""
    result = load("gleu:max_len=2").compute(predictions=["a b"], references=["a c"])
    assert result["score"] == pytest.approx(100 / 3)  # one of three n-grams
    assert result["matches"] == 1
    with pytest.raises(UnknownName, match="did you mean"):
        load("bleuu")
    with pytest.raises(OptionError, match="rougeLsum"):
        load("rouge").compute(predictions=["a"], references=["a"], rouge_types=["rougeLsum"])
    with pytest.raises(InputError, match="1 predictions"):
        load("ter").compute(predictions=["a"], references=["a", "b"])
