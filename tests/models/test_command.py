"""Any command as an engine: each text has its own line back, or the error says what the command said."""

import contextlib
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError, MissingFile, OptionError, TertiumError
from tertium.models.command import Command
from tertium.models.engine import Engine, RankingEngine


def python(code: str) -> str:
    """The command of a Python program."""
    return f"{sys.executable} -c '{code}'"


def test_it_is_an_engine_without_scores() -> None:
    """A command translates, and ranks nothing."""
    assert isinstance(Command("cat"), Engine)
    assert not isinstance(Command("cat"), RankingEngine)


@settings(max_examples=25)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"))))
def test_lines_go_through_as_they_are(texts: list[str]) -> None:
    """Through `cat` every text comes back: carriage returns, U+2028, NUL, and texts without words."""
    assert Command("cat", lines=7).translate(texts) == texts


def test_the_program_runs_once_for_so_many_lines() -> None:
    """`nl` numbers the lines of each run anew."""
    numbered = Command("nl -w1 -s:", lines=2).translate(list("abcde"))
    assert numbered == ["1:a", "2:b", "1:c", "2:d", "1:e"]


def test_texts_without_words_are_not_sent() -> None:
    """A program that leaves empty lines out is no harm; no texts are no run."""
    assert Command("grep .").translate(["a", "", "b", "  "]) == ["a", "", "b", "  "]
    assert Command("false").translate(["", " "]) == ["", " "]
    assert Command("false").translate([]) == []


def test_quotes_and_shells() -> None:
    """The command is split as a shell does it, without one; a shell may be the command."""
    assert Command("""sed 's/a cat/one "cat"/'""").translate(["a cat $HOME *"]) == ['one "cat" $HOME *']
    assert Command('bash -c "tr a-z A-Z | rev"').translate(["abc"]) == ["CBA"]


def test_a_last_line_without_end_is_a_line() -> None:
    """Programs that print no line end behind the last line."""
    code = "import sys; sys.stdout.write(sys.stdin.read()[:-1])"
    assert Command(python(code)).translate(["a", "b"]) == ["a", "b"]


def test_much_text_both_ways() -> None:
    """A program that writes before it has read all cannot block us: 8 MB through a pipe."""
    texts = ["word " * 400] * 4000
    assert Command("cat", lines=4000).translate(texts) == texts


@pytest.mark.parametrize(
    ("command", "error", "said"),
    [
        ("no-such-program a", MissingFile, "there is no program 'no-such-program' on this machine"),
        ("/", TertiumError, "cannot be run: Permission denied"),
        ("head -n 1", TertiumError, "gave 1 lines for 2 texts"),
        ("sed p", TertiumError, "gave 4 lines for 2 texts"),
        ("true", TertiumError, "gave 0 lines for 2 texts"),
        (
            "bash -c 'cat; echo >&2 first; echo >&2 no model; exit 3'",
            TertiumError,
            r"exit code 3: first \.\.\. no model",
        ),
        ("bash -c 'echo >&2 no dictionary'", TertiumError, "gave 0 lines for 2 texts: no dictionary"),
        ("bash -c 'kill -9 $$'", TertiumError, "was ended by signal 9"),
        (r"printf 'a\n\377\n'", InputError, "line 2 of its output is not UTF-8"),
    ],
)
def test_what_goes_wrong_is_said(command: str, error: type[Exception], said: str) -> None:
    """In one line: the command, what it did, and its own last complaint."""
    with pytest.raises(error, match=said) as raised:
        Command(command).translate(["a", "b"])
    assert repr(command) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("text", "said"), [("a\nb", "text 2 has a line feed"), ("\ud800", "text 2 has half a char")])
def test_what_is_no_line_is_refused(text: str, said: str) -> None:
    """Nothing is replaced in silence."""
    with pytest.raises(InputError, match=said):
        Command("cat").translate(["a", text])


def test_options_are_checked() -> None:
    """An empty command, an open quote, no lines a run, no time."""
    for command, options in (("", {}), ("a 'b", {}), ("cat", {"lines": 0}), ("cat", {"timeout": 0.0})):
        with pytest.raises(OptionError):
            Command(command, **options)  # type: ignore[arg-type]


def sleeping(seconds: str) -> bool:
    """Whether a process `sleep SECONDS` is running."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has just ended
            if path.read_bytes() == b"sleep\0" + seconds.encode() + b"\0":
                return True
    return False


def becomes(wanted: bool, seconds: str) -> bool:
    """Whether `sleep SECONDS` comes to run, or comes to an end, within a minute."""
    deadline = time.monotonic() + 60
    while sleeping(seconds) != wanted and time.monotonic() < deadline:
        time.sleep(0.02)
    return sleeping(seconds) == wanted


def test_a_command_that_takes_too_long_is_ended_with_its_children() -> None:
    """A shell waits for a sleep that holds the pipes: both are gone, at once."""
    begin = time.monotonic()
    with pytest.raises(TertiumError, match=r"took longer than 0\.3 seconds"):
        Command("bash -c 'sleep 71.25 | cat'", timeout=0.3).translate(["a"])
    assert time.monotonic() - begin < 30
    assert becomes(False, "71.25")


def test_an_interruption_ends_the_command() -> None:
    """Ctrl-C while a command runs leaves none of it behind."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from tertium.models.command import Command\n"
        "print('ready', flush=True)\n"
        "Command('bash -c \"sleep 72.25 | cat\"').translate(['a'])"
    )
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None
    assert run.stdout.readline() == b"ready\n"
    assert becomes(True, "72.25")
    run.send_signal(signal.SIGINT)
    _, complaints = run.communicate(timeout=60)
    assert b"KeyboardInterrupt" in complaints
    assert becomes(False, "72.25")


def test_commands_may_run_side_by_side() -> None:
    """From several threads at once."""
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(Command("rev").translate(["abc"]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [["cba"]] * 4
