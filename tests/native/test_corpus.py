"""Texts cross into the core whole, from lists, buffers and files; what is no text is named with its place."""

import copy
import gc
import os
import pickle
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from strategies import characters
from tertium import native
from tertium.errors import InputError, MissingFile
from tertium.native import _core

SMALLEST_MAP = 16 * 2**20  # bytes; smaller files are read
ANY_TEXT = st.text(characters, max_size=30)


def items(corpus: native.Corpus) -> list:
    """By iterating and by indexing from both ends."""
    size = len(corpus)
    assert [corpus[i] for i in range(size)] == [corpus[i - size] for i in range(size)] == list(corpus)
    return list(corpus)


@given(st.lists(st.none() | ANY_TEXT))
def test_texts_come_back_as_they_were(texts):
    """Any Unicode but NULs, and missing segments."""
    assert items(native.corpus(texts)) == texts


@given(st.lists(st.lists(ANY_TEXT), min_size=1))
def test_tokens_come_back_as_they_were(segments):
    """Tokens are never joined or split: white space and empty tokens survive."""
    corpus = native.corpus(segments)
    assert corpus.tokenised
    assert items(corpus) == segments


@given(st.lists(ANY_TEXT.filter(lambda text: "\n" not in text), min_size=1))
def test_a_buffer_is_cut_at_newlines_only(lines):
    """U+2028, U+0085, a carriage return and form feed stay inside their line."""
    text = "".join(f"{line}\n" for line in lines).encode()
    assert items(_core.corpus_of_buffer(np.frombuffer(text, np.uint8))) == lines


def test_a_corpus_outlives_the_list_it_was_made_of():
    """The core keeps the strings alive, also when the list is emptied and the collector runs."""
    texts = [f"segment {i} \u00e9" for i in range(1000)]
    corpus = native.corpus(texts)
    expected = list(texts)
    texts.clear()
    gc.collect()
    assert items(corpus) == expected


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ("a text", "must be a list"),
        (b"bytes", "must be a list"),
        (["a", 3], r"hypotheses\[1\] is of type int, not str"),
        ([["a"], ["b", None]], r"hypotheses\[1\] is of type NoneType"),
        ([["a"], 7], r"hypotheses\[1\] is of type int"),
        ([["a"], "bc"], r"hypotheses\[1\] is of type str, not a list of tokens"),
        (["ok", "bad \ud800 text"], r"hypotheses\[1\] has a lone surrogate U\+D800 at character 4"),
        ([["ok"], ["x", "\udfff"]], r"hypotheses\[1\] has a lone surrogate U\+DFFF"),
        (["ok", "bad\0text"], r"hypotheses\[1\] has a NUL \(U\+0000\) at character 3"),
        ([["ok"], ["x", "\0"]], r"hypotheses\[1\] has a NUL"),
        (["\0\ud800"], r"hypotheses\[0\] has a NUL"),
        (["a", ["b"]], r"hypotheses\[1\] is of type list, not str"),
    ],
    ids=repr,
)
def test_what_is_not_text_is_named_with_its_place(segments, message):
    """A wrong type, a lone surrogate or a NUL raises InputError with the segment, and never ends the interpreter."""
    with pytest.raises(InputError, match=message):
        native.corpus(segments)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\x01\n", ["a\r", "b\x01"]),
    ],
    ids=repr,
)
def test_lines_of_a_file(tmp_path, content, lines):
    """A line ends at a newline and nowhere else; the last one may lack it; an empty file has no lines."""
    path = tmp_path / "text"
    path.write_bytes(content)
    assert items(native.corpus_of_file(path)) == lines


@pytest.mark.parametrize(
    ("bad", "byte"),
    [(b"\xff", 3), (b"\xc3", 3), (b"\xe2\x82", 3), (b"\xed\xa0\x80", 3), (b"\xc0\xaf", 3), (b"\xf4\x90\x80\x80", 3)],
    ids=repr,
)
def test_bytes_that_are_not_utf8_are_named_with_their_line(tmp_path, bad, byte):
    """Stray and cut-off bytes, an encoded surrogate, an overlong slash, a code point above U+10FFFF."""
    path = tmp_path / "text"
    path.write_bytes(b"fine\n12345678\nab" + bad + b"\nfine\n")
    with pytest.raises(InputError, match=rf"text:3: not UTF-8 \(byte {byte} of the line\)"):
        native.corpus_of_file(path)


@pytest.mark.parametrize("before", range(18))
@pytest.mark.parametrize("around", [b"\x01", b"a", "é".encode()])
def test_a_nul_is_named_with_its_line(tmp_path, before, around):
    """Wherever it stands among other bytes, of the smallest values too; a UTF-16 file is refused for its NULs."""
    path = tmp_path / "text"
    path.write_bytes(b"fine\n" + around * before + b"\0" + around * 9 + b"\n")
    with pytest.raises(InputError, match=rf"text:2: a NUL \(byte {before * len(around) + 1} of the line\)"):
        native.corpus_of_file(path)
    path.write_bytes("one line\n".encode("utf-16-le"))
    with pytest.raises(InputError, match=r"text:1: a NUL \(byte 2 of the line\).*is the file UTF-16"):
        native.corpus_of_file(path)


@given(st.binary(max_size=40))
def test_utf8_is_judged_as_python_judges_it(content):
    """A buffer is refused exactly where `bytes.decode` refuses it, or at an earlier NUL, and at the same line."""
    buffer = np.frombuffer(content, np.uint8)
    try:
        content.decode()
        bad = content.find(b"\0")
    except UnicodeDecodeError as error:
        nul = content.find(b"\0", 0, error.start)
        bad = error.start if nul < 0 else nul
    if bad >= 0:
        line = content[:bad].count(b"\n") + 1
        what = "NUL" if content[bad] == 0 else "UTF-8"
        with pytest.raises(ValueError, match=f"^{line}:[0-9]+:{what}$"):
            _core.corpus_of_buffer(buffer)
    else:
        assert "".join(f"{line}\n" for line in items(_core.corpus_of_buffer(buffer))).encode() in (
            content,
            content + b"\n",
        )


def test_a_file_that_is_not_there_or_no_file(tmp_path):
    """The message names the path and the reason."""
    with pytest.raises(MissingFile, match=r"nowhere\.txt: No such file"):
        native.corpus_of_file(tmp_path / "nowhere.txt")
    with pytest.raises(MissingFile, match="Is a directory"):
        native.corpus_of_file(tmp_path)


def test_a_mapped_file_gives_its_pages_back_and_still_scores_alike(tmp_path):
    """A file large enough for a map: its rows, on 1 and on 3 threads, equal those from strings."""
    lines = [f"line {i} " + "word " * (i % 200) for i in range(40_000)]
    path = tmp_path / "text"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert path.stat().st_size > SMALLEST_MAP
    mapped = native.corpus_of_file(path)
    texts = native.corpus(lines)
    expected = native.bleu_statistics([texts], [texts], threads=1)
    for threads in (1, 3):
        assert np.array_equal(native.bleu_statistics([mapped], [mapped], threads=threads), expected)
    assert items(mapped) == lines


def test_a_path_with_a_nul_names_no_file(tmp_path):
    """The name does not end at the NUL: the file that would be meant then is not read instead."""
    (tmp_path / "a").write_text("text")
    with pytest.raises(MissingFile, match="there is no file"):
        native.corpus_of_file(f"{tmp_path}/a\0b")


@pytest.mark.parametrize("segments", [["a b", None, "é", ""], [["a", "b"], None, [], ["c d"]]], ids=["texts", "tokens"])
def test_a_corpus_is_copied_and_sent_and_taken_apart(segments):
    """Pickles and copies have the same segments, missing ones included; `take` chooses some, in any order."""
    corpus = native.corpus(segments)
    for twin in (pickle.loads(pickle.dumps(corpus)), copy.deepcopy(corpus)):
        assert (items(twin), twin.tokenised, twin.missing) == (segments, corpus.tokenised, corpus.missing)
    chosen = [3, 0, 1, 0]
    assert items(corpus.take(chosen)) == [segments[i] for i in chosen]
    for place in (4, -5):
        with pytest.raises(IndexError):
            corpus[place]
    with pytest.raises(IndexError):
        corpus.take([4])


def test_a_pipe_is_read_to_its_end():
    """What has no size of its own, as a shell's <(command), is no empty file."""
    reading, writing = os.pipe()
    os.write(writing, "one\nzwei é\n".encode())
    os.close(writing)
    assert items(native.corpus_of_file(f"/proc/self/fd/{reading}")) == ["one", "zwei é"]
    os.close(reading)


@pytest.mark.parametrize("metric", ["bleu", "bleu:tokenize=char,lowercase=yes", "chrf:words=2", "cer", "ter", "gleu"])
def test_a_file_written_to_while_it_is_scored_is_an_error(tmp_path, metric):
    """Bytes that are no UTF-8 any more, or other text of the same length: an error, not a crash and not a score."""
    path = tmp_path / "text"
    for damage in (b"a b c \xf7\n", b"a b c x\n"):
        path.write_bytes(b"a b c d\n" * (SMALLEST_MAP // 8 + 1000))
        corpus = native.corpus_of_file(path)
        time.sleep(0.02)  # a file's time of change has the kernel's clock ticks for its unit
        with path.open("r+b") as file:
            file.write(damage)
        with pytest.raises(InputError, match="written to while it was scored"):
            tertium.score(metric, corpus, {"same": corpus})
