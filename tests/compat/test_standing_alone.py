"""The drop-ins stand alone: none imports the library whose place it takes."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "evaluate"])
def test_a_face_needs_nothing_of_its_original(name: str) -> None:
    """A fresh interpreter that scores through the face has loaded neither the original nor torch."""
    use = {
        "sacrebleu": "face.corpus_bleu(['a b c d'], [['a b c d']], tokenize='intl')",
        "nltk": "face.sentence_bleu([['a', 'b']], ['a', 'b'], (0.5, 0.5))",
        "evaluate": "face.load('ter').compute(predictions=['a'], references=['a'])",
    }[name]
    code = f"import tertium.compat.{name} as face\n{use}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"sacrebleu", "nltk", "evaluate", "torch", "torchmetrics", "datasets", "regex", "portalocker", "tabulate"}
    assert not heavy & set(run.stdout.split())


def test_a_command_line_says_where_it_is() -> None:
    """`python -m tertium.compat.sacrebleu` names the command that takes its place."""
    command = [sys.executable, "-m", "tertium.compat.sacrebleu", "ref.txt"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "tertium score" in run.stderr
