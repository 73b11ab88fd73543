"""Texts in, translations out: order, empty texts, texts too long, several at once, every way of searching."""

import pytest

from models.small import TEXTS, trained
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.sampling import Sample
from tertium.decoding.search import Limits, search
from tertium.decoding.translate import translate
from tertium.decoding.translator import Translator
from tertium.errors import InputError, OptionError, UnknownName
from tertium.models.trained import TrainedModel


@pytest.fixture(scope="module")
def model() -> TrainedModel:
    """A small Transformer with weights at random."""
    return trained("transformer:layers=1,width=16,heads=2,hidden=16,dropout=0")


def test_each_text_gets_its_own_translation_in_any_batch(model: TrainedModel) -> None:
    """Whatever else is translated beside it, and in whatever order."""
    alone = [translate(model, [text], Beam())[0][0].text for text in TEXTS]
    for tokens in (1, 40, 4096):
        assert [each[0].text for each in translate(model, TEXTS, Beam(), tokens=tokens)] == alone
    turned = translate(model, TEXTS[::-1], Beam())
    assert [each[0].text for each in turned] == alone[::-1]


def test_a_text_without_words_is_its_own_translation(model: TrainedModel) -> None:
    """The model is not asked what an empty line means."""
    found = translate(model, ["", TEXTS[0], " \t ", "\u3000"], Beam())
    assert [each[0].text for each in found][::2] == ["", ""]
    assert found[3][0].text == ""
    assert found[1] == translate(model, [TEXTS[0]], Beam())[0]


def test_no_texts_give_no_translations(model: TrainedModel) -> None:
    """An empty list."""
    assert translate(model, [], Beam()) == []


def test_a_text_too_long_is_an_error_that_says_which(model: TrainedModel) -> None:
    """Counted from 1, and from where the caller's texts begin."""
    short = TrainedModel(model.network, model.source_vocabulary, model.target_vocabulary, longest_source=8)
    with pytest.raises(InputError, match=r"text 12 has \d+ tokens and the model takes 8"):
        translate(short, ["a", "the cat sat on the mat where the dog ran"], Greedy(), first=10)


def test_a_text_too_long_can_be_split(model: TrainedModel) -> None:
    """At the end of a sentence where there is one: its translation is that of its sentences side by side."""
    sentences = ["a cat sat on it.", "the dog ran now."]
    most = max(len(model.source_tokens(each)) for each in sentences)
    short = TrainedModel(model.network, model.source_vocabulary, model.target_vocabulary, longest_source=most)
    assert len(model.source_tokens(" ".join(sentences))) > most
    (found,) = translate(short, [" ".join(sentences)], Greedy(), overlong="split")
    parts = translate(short, sentences, Greedy())
    assert [each.text for each in found] == [" ".join(part[0].text for part in parts)]
    assert found[0].log_prob == pytest.approx(sum(part[0].log_prob for part in parts))
    with pytest.raises(UnknownName, match="'cut'"):
        translate(short, sentences, Greedy(), overlong="cut")


def test_splitting_loses_no_word(model: TrainedModel) -> None:
    """Also where there is no place to cut but between letters."""
    from tertium.decoding.translate import _split

    short = TrainedModel(model.network, model.source_vocabulary, model.target_vocabulary, longest_source=6)
    for text in ("the cat, the dog; the mouse. No cat!", "catcatcatcatcatcatcat", "猫猫猫。犬犬犬"):
        parts = list(_split(short, text, 6))
        assert "".join("".join(parts).split()) == "".join(text.split())
        assert all(len(short.source_tokens(part)) <= 6 for part in parts)


def test_a_sample_depends_on_the_number_of_its_text_alone(model: TrainedModel) -> None:
    """A file that is gone on with in the middle gives what it would have given."""
    strategy = Sample(seed=3)
    whole = [each[0].text for each in translate(model, TEXTS, strategy)]
    assert [each[0].text for each in translate(model, TEXTS[2:], strategy, first=2)] == whole[2:]


def test_the_translator_gives_as_many_as_asked_for(model: TrainedModel) -> None:
    """The first is what a search for one would find; a beam is made wide enough."""
    many = Translator(model, "beam:width=2", count=3).translate(TEXTS)
    assert all(len(each) == 3 for each in many)
    assert all(each == sorted(each, key=lambda found: -found.score) for each in many)
    with pytest.raises(OptionError, match="greedy search gives one translation of each text, not 2"):
        Translator(model, "greedy", count=2)


def test_exact_search_and_mbr_are_searches_like_others(model: TrainedModel) -> None:
    """Exact search finds nothing worse than a beam; minimum Bayes risk chooses among its candidates."""
    limits = Limits(absolute=4)
    exact = Translator(model, "exact", limits=limits).translate(TEXTS[:2])
    beam = Translator(model, "beam:normalise=none", limits=limits).translate(TEXTS[:2])
    assert all(one[0].score >= other[0].score - 1e-6 for one, other in zip(exact, beam, strict=True))
    mbr = Translator(model, "mbr:candidates=sample:count=8", count=2).translate(TEXTS[:2])
    tokens = [model.source_tokens(text) for text in TEXTS[:2]]
    samples = search(model, tokens, Sample(count=8))
    for found, drawn in zip(mbr, samples, strict=True):
        assert {each.text for each in found} <= {model.text(each.tokens) for each in drawn}
        assert found == sorted(found, key=lambda each: -each.score)


class Shouting:
    """An engine."""

    def translate(self, texts: list[str]) -> list[str]:
        return [text.upper() for text in texts]

    def __repr__(self) -> str:
        return "shouting"


def test_engines_translate_by_themselves() -> None:
    """A search or several translations asked of one that has none is an error."""
    assert Translator(Shouting()).translate(["a"])[0][0].text == "A"
    with pytest.raises(OptionError, match="shouting decodes by itself"):
        Translator(Shouting(), "beam")
    with pytest.raises(OptionError, match="shouting gives one translation of each text, not 2"):
        Translator(Shouting(), count=2)
