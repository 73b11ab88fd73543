"""The bundled sample: eighteen German segments of four domains, two English references, three made-up systems.

All of it was written for this project. Amsel translates well and often in other words than the references, Drossel
literally and with slips that change the meaning (a lost "not", a light that is "deleted"), Fink word by word.
"""

from pathlib import Path

from tertium.data.testset import TestSet, read_test_set
from tertium.native import Corpus

FILE = Path(__file__).parent / "de-en.tsv"


def test_set() -> TestSet:
    """The sample as a test set.

    >>> test_set().source[15]
    'An jenem Abend aber kam keines.'
    """
    file = str(FILE)
    return read_test_set([file], [file], source=file, documents="doc", domains="domain")


def write(folder: Path) -> list[Path]:
    """The sample as files: the table `sample.tsv`, and plain `source.txt`, `refA.txt` ... `Fink.txt`, `docs.txt`."""
    folder.mkdir(parents=True, exist_ok=True)
    sample = test_set()
    columns = {
        "source.txt": _lines(sample.source),
        **{f"ref{name}.txt": _lines(texts) for name, texts in sample.references.items()},
        **{f"{name}.txt": _lines(texts) for name, texts in sample.systems.items()},
        "docs.txt": list(sample.documents or ()),
    }
    for name, lines in columns.items():
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    (folder / "sample.tsv").write_bytes(FILE.read_bytes())
    return [folder / name for name in ("sample.tsv", *columns)]


def _lines(texts: Corpus | None) -> list[str]:
    return [texts[i] for i in range(len(texts))] if texts is not None else []
