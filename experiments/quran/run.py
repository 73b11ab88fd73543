"""Translate the Quran from Persian to English, and score against one to nine English translations.

    python experiments/quran/run.py --minutes 60

Every twentieth verse is held out for testing, and the one after it for validation. A verse to learn from is given in
all ten Persian translations; the English beside each is one of the nine, in turn, so that a verse stands beside all of
them. What comes out is scored by BLEU and chrF against the first k translators, k = 1 ... 9, and each translator
against the others in the same way: how far people agree is the measure for what a score is worth here.
"""

import argparse
import gzip
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tertium
from tertium.decoding.translator import Translator
from tertium.models.trained import TrainedModel
from tertium.training.config import read_preset
from tertium.training.loop import train

HERE = Path(__file__).parent
DATA = Path(os.environ.get("TERTIUM_DATA") or HERE.parents[2] / "shared" / "data")
EVERY = 20
METRICS = ("bleu", "chrf")


def verses() -> tuple[list[list[str]], list[list[str]]]:
    """Each verse in all Persian and in all English translations."""
    with gzip.open(DATA / "quran" / "quran.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        head, *rows = [line.split("\t") for line in file.read().split("\n") if line]
    columns = {
        language: [i for i, name in enumerate(head) if name.startswith(f"{language}.")] for language in ("fa", "en")
    }
    return tuple([[row[i] for i in columns[language]] for row in rows] for language in ("fa", "en"))  # type: ignore[return-value]


def write_pairs(folder: Path, persian: Sequence[Sequence[str]], english: Sequence[Sequence[str]]) -> dict[str, str]:
    """Files of what is learned from and validated on; the overrides that name them."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs: dict[str, list[tuple[str, str]]] = {"train": [], "valid": []}
    for verse, (sources, targets) in enumerate(zip(persian, english, strict=True)):
        if verse % EVERY == 1:
            pairs["valid"].append((sources[0], targets[verse // EVERY % len(targets)]))
        elif verse % EVERY:
            pairs["train"] += [(source, targets[(verse + i) % len(targets)]) for i, source in enumerate(sources)]
    overrides = {}
    for part, chosen in pairs.items():
        path = folder / f"{part}.tsv"
        path.write_text("\n".join(["fa\ten", *("\t".join(pair) for pair in chosen)]) + "\n", encoding="utf-8")
        prefix = "data.valid_" if part == "valid" else "data."
        overrides |= {f"{prefix}source": f"{path}:fa", f"{prefix}target": f"{path}:en"}
    return overrides


def against(outputs: Sequence[str], translations: Sequence[Sequence[str]]) -> dict[str, list[float]]:
    """Scores against the first 1, 2, ... of the translations of each verse."""
    count = len(translations[0])
    return {
        metric: [
            tertium.score(metric, outputs, [verse[:k] for verse in translations]).score for k in range(1, count + 1)
        ]
        for metric in METRICS
    }


def report(model: TrainedModel, persian: Sequence[Sequence[str]], english: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The model's scores on held-out verses from each Persian translation, and people's."""
    test_fa, test_en = persian[::EVERY], english[::EVERY]
    translator = Translator(model, "beam", overlong="split")
    outputs = [[each[0].text for each in translator.translate([verse[i] for verse in test_fa])] for i in range(2)]
    people = [
        against([verse[i] for verse in test_en], [[*verse[:i], *verse[i + 1 :]] for verse in test_en])
        for i in range(len(test_en[0]))
    ]
    return {
        "verses": len(test_en),
        "model, from the first and the second Persian translation": [against(each, test_en) for each in outputs],
        "each English translator against the other eight": people,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    arguments = parser.parse_args()
    persian, english = verses()
    overrides: dict[str, Any] = write_pairs(HERE / "runs" / "data", persian, english)
    overrides |= {
        "data.languages": "fa-en",
        "data.longest": 120,
        "training.minutes": arguments.minutes,
        "training.steps": 16000,
        "vocabulary.size": 12000,
        "model.network": "transformer:layers=4,width=192,heads=4,hidden=512,dropout=0.2",
        "training.learning_rate": 0.003,
    }
    folder = HERE / "runs" / "fa-en"
    trained = train(
        read_preset("transformer-tiny", overrides), folder, lambda step, loss, m: m and print(step, loss, m)
    )
    found = {"steps": trained.steps, "minutes": trained.minutes, "valid_bleu_greedy": trained.score}
    found |= report(TrainedModel.load(folder), persian, english)
    (HERE / "results.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
