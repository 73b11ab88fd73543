"""The command line as a process: start-up, exit codes of signals and pipes, nothing drawn where nobody looks."""

import os
import pty
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

PROGRAM = [sys.executable, "-m", "tertium"]


def start(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, encoding="utf-8", **options)  # type: ignore[call-overload, no-any-return]


def test_the_version_does_not_wait_for_numpy() -> None:
    """`tertium --version` is the package's version; neither numpy nor rich is loaded for it."""
    from tertium import __version__

    assert start("--version").stdout == f"tertium {__version__}\n"
    code = "import sys; from tertium.cli.main import run; run(['--version']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "typer" in loaded
    assert not {"numpy", "rich", "pydantic", "click.testing"} & set(loaded)


def test_scoring_into_a_pipe_loads_nothing_that_only_draws(here: Path) -> None:
    """Neither rich nor typer's converters, metadata nor compressed formats; numpy is the one large thing."""
    code = textwrap.dedent("""
        import sys
        from tertium.cli.main import run
        run(["score", "refA.txt", "-i", "Fink.txt", "-m", "bleu"])
        print(*sys.modules)
    """)
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "numpy" in loaded
    unwanted = {"rich", "pydantic", "importlib.metadata", "gzip", "numpy.random", "tertium.stats", "asyncio"}
    assert not unwanted & loaded


def test_the_package_can_be_run(here: Path) -> None:
    """`python -m tertium` is the same program; mistakes end with code 2 there too."""
    good = start("score", "refA.txt", "-i", "Fink.txt", "-b")
    assert (good.returncode, good.stderr) == (0, "")
    assert float(good.stdout) > 0
    bad = start("score", "refA.txt", "-i", "nowhere.txt")
    assert (bad.returncode, bad.stdout) == (2, "")


def test_a_closed_pipe_is_no_complaint(here: Path) -> None:
    """`tertium score ... | head -1` ends quietly."""
    long = "".join(f"line {i}\n" for i in range(50_000))
    Path("long.txt").write_text(long)
    command = " ".join([*PROGRAM, "score long.txt -i long.txt -sl -m bleu:order=1; echo $? >code"])
    run = subprocess.run(["sh", "-c", f"({command}) | head -1"], capture_output=True, text=True, check=True)
    assert run.stdout == "system\tsegment\tbleu:order=1\n"
    assert run.stderr == ""
    assert Path("code").read_text() == "141\n"


PREPARED = """
import pathlib
import time
from tertium.cli import main, progress, score
progress.PATIENCE = 0.2
core = score.score_systems

def work(metrics, *arguments, **options):
    pathlib.Path("begun").touch()
    WORK

score.score_systems = work
main.main()
"""


def prepared(work: str, *arguments: str) -> list[str]:
    """A command line whose scoring is this work; a file tells when it has begun."""
    return [sys.executable, "-c", PREPARED.replace("WORK", work), "score", *arguments]


def long_work(seconds: float) -> list[str]:
    """A command line whose scoring takes so long."""
    return prepared(f"list(metrics); time.sleep({seconds}); return {{}}", "refA.txt", "-i", "Fink.txt")


def interrupted(command: list[str]) -> tuple[int, str, str]:
    """How a command ends, and what it says, if Ctrl-C comes while it works.

    A shell starts what it runs in the background with SIGINT ignored, and children inherit that: on a CI machine the
    suite may be such a child, so the command is given the signal's usual meaning back.
    """
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not Path("begun").exists():
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    begin = time.perf_counter()
    out, err = process.communicate(timeout=50)
    assert time.perf_counter() - begin < 5
    return process.returncode, out, err


def test_control_c_ends_at_once_and_quietly(here: Path) -> None:
    """Code 130, and nothing on either stream, while the work is still going on."""
    assert interrupted(long_work(60)) == (130, "", "")


def test_control_c_is_heard_while_the_core_computes(here: Path) -> None:
    """The native kernels cannot look for signals; the main thread, which only waits, can."""
    Path("long.txt").write_text("".join(f"{i} {i * i} and some more words {i % 97}\n" for i in range(300_000)))
    many = "core(metrics, {str(i): next(iter(arguments[0].values())) for i in range(40)}, *arguments[1:], **options)"
    command = prepared(many, "long.txt", "-i", "long.txt", "-m", "chrf:words=4", "--threads", "1")
    assert interrupted(command) == (130, "", "")


def test_no_progress_in_a_pipe(here: Path) -> None:
    """Long work draws nothing where standard error is no terminal."""
    run = subprocess.run(long_work(1.0), capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_progress_on_a_terminal(here: Path) -> None:
    """Long work says what it does on standard error, and cleans up; short work draws nothing."""
    for seconds, drawn in ((3.0, True), (0.0, False)):
        master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        with subprocess.Popen(long_work(seconds), stdout=subprocess.PIPE, stderr=slave, env=environment) as process:
            os.close(slave)
            seen = b""
            while True:
                try:
                    block = os.read(master, 4096)
                except OSError:  # how Linux says that the other end is closed
                    break
                if not block:
                    break
                seen += block
            assert process.stdout is not None
            out = process.stdout.read()
        os.close(master)
        assert process.returncode == 0
        assert (b"scoring" in seen) is drawn
        assert b"scoring" not in out


def test_output_is_a_table_on_a_terminal_and_tsv_in_a_pipe(here: Path) -> None:
    """What is drawn for eyes is not what a program gets."""
    arguments = ["score", "refA.txt", "-i", "Fink.txt"]
    assert start(*arguments).stdout.startswith("system\tbleu\n")
    master, slave = pty.openpty()
    with subprocess.Popen([*PROGRAM, *arguments], stdout=slave) as process:
        process.wait(20)
        seen = os.read(master, 4096).decode()
    os.close(slave)
    os.close(master)
    assert seen.splitlines()[0].split() == ["system", "bleu"]
    assert "\t" not in seen
    assert "────" in seen


def test_a_terminal_without_unicode_gets_escapes(here: Path) -> None:
    """A table's rule cannot be written in ASCII; the scores still can."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = start("score", "refA.txt", "-i", "Fink.txt", "-f", "table", env=environment)
    assert run.returncode == 0
    assert "\\u2500" in run.stdout


def test_output_that_cannot_be_written_is_one_line(here: Path) -> None:
    """A full disk and a closed standard output end with exit code 2 and the reason."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "score", "refA.txt", "-i", "Fink.txt"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (
        2,
        "tertium: standard output cannot be written: No space left on device\n",
    )
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, "score", "refA.txt", "-i", "Fink.txt"]
    done = subprocess.run(closed, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (
        2,
        "tertium: standard output is closed: there is nowhere to print to\n",
    )


def test_odd_names_of_files(here: Path) -> None:
    """A name that is not UTF-8 is read like any other; one that no file can have is missing, in one line."""
    name = os.fsdecode(b"f\xff.txt")
    Path(name).write_bytes(Path("Fink.txt").read_bytes())
    assert (
        start("score", "refA.txt", "-i", name, "-b").stdout == start("score", "refA.txt", "-i", "Fink.txt", "-b").stdout
    )
    done = start("score", "refA.txt", "-i", "x" * 5000)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("tertium: there is no file xxx")
