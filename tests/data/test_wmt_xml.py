"""WMT's XML: columns, order, gaps, and safety."""

from pathlib import Path

import pytest

from tertium.data.testset import Files, read_test_set
from tertium.errors import InputError

TEXT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="sample"><collection id="general">
  <doc origlang="en" id="d1" domain="news">
    <src lang="en"><p><seg id="1">One &amp; two</seg>
    <seg id="2">
       Over two
       lines </seg></p><p><seg id="3">Three</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Eins &#38; zwei</seg><seg id="2">A2</seg><seg id="3">A3</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="3">B3</seg><seg id="1">B1</seg></p></ref>
    <hyp system="X-1" language="de"><p><seg id="3">x3</seg><seg id="2">x2</seg><seg id="1">x1</seg></p></hyp>
  </doc>
  <doc origlang="en" id="suite" testsuite="formality">
    <src lang="en"><p><seg id="1">left out</seg></p></src>
  </doc></collection><collection id="other">
  <doc origlang="en" id="d2" domain="speech">
    <src lang="en"><p><seg id="1">Four</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">A4</seg></p></ref>
    <hyp system="X-1" language="de"><p><seg id="1"></seg></p></hyp>
  </doc>
</collection></dataset>
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "set.xml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def column(path: Path, name: str) -> list[str | None]:
    (stream,) = Files().streams(f"{path}:{name}", "reference")
    return [stream.segments[i] for i in range(len(stream.segments))]


def test_the_columns_of_a_test_set(path: Path) -> None:
    """Segments stand in the source's order, found by their ids; a gap is None; documents of test suites are out."""
    assert Files().table(str(path)).names == ("src", "ref:A", "ref:B", "sys:X-1", "doc", "domain", "collection")
    assert column(path, "src") == ["One & two", "Over two lines", "Three", "Four"]
    assert column(path, "ref:A") == ["Eins & zwei", "A2", "A3", "A4"]
    assert column(path, "ref:B") == ["B1", None, "B3", None]
    assert column(path, "sys:X-1") == ["x1", "x2", "x3", ""]
    assert column(path, "doc") == ["d1", "d1", "d1", "d2"]
    assert column(path, "domain") == ["news", "news", "news", "speech"]


def test_a_whole_test_set_is_read_from_one_file(path: Path) -> None:
    """References and systems are found by their elements."""
    test_set = read_test_set([str(path)], [str(path)], documents="doc", domains="domain")
    assert (list(test_set.references), list(test_set.systems)) == (["A", "B"], ["X-1"])
    assert test_set.documents == ("d1", "d1", "d1", "d2")


def test_a_system_with_a_gap_is_refused(path: Path) -> None:
    """Scores of part of a test set are not comparable: the missing segment is named."""
    path.write_text(TEXT.replace('<seg id="2">x2</seg>', ""), encoding="utf-8")
    with pytest.raises(InputError, match=r"set\.xml: sys:X-1 has no segment 2 of document 'd1'"):
        column(path, "sys:X-1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<?xml version="1.0" encoding="zz"?><d/>', r"encoding cannot be read .*: convert the file to UTF-8"),
        ('<?xml version="1.0" encoding="big5"?><d/>', r"encoding cannot be read .*: convert the file to UTF-8"),
        ("<dataset><doc></dataset>", r":1: not well-formed XML: mismatched tag"),
        ("<dataset></dataset>", "has no <doc> with segments"),
        ('<d><doc id="1"><hyp><p><seg id="1">a</seg></p></hyp></doc></d>', ":1: a <hyp> names no system"),
        (
            '<d><doc id="1">\n<src><seg id="1">a</seg><seg id="1">b</seg></src></doc></d>',
            ":2: segment id 1 stands twice",
        ),
    ],
)
def test_mistakes_are_placed(path: Path, text: str, message: str) -> None:
    """What is wrong is said with the file and, where there is one, the line."""
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        Files().table(str(path))


def test_entities_are_refused_and_external_ones_not_fetched(path: Path) -> None:
    """A billion laughs is not laughed at, and no file of this machine gets into a segment."""
    secret = path.with_name("secret.txt")
    secret.write_text("secret")
    bomb = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    theft = f'<!DOCTYPE d [<!ENTITY a SYSTEM "{secret.as_uri()}">]>'
    for prologue in (bomb, theft):
        path.write_text(prologue + '<d><doc id="1"><src><seg id="1">&a;</seg></src></doc></d>')
        with pytest.raises(InputError, match=r":1: defines the entity 'a'"):
            Files().table(str(path))
    path.write_text(f'<!DOCTYPE d SYSTEM "{secret.as_uri()}"><d><doc id="1"><src><seg id="1">x</seg></src></doc></d>')
    assert column(path, "src") == ["x"]
