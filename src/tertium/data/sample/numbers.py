"""Parallel text that a machine can write: numbers in English and German words, to learn translating from in a minute.

It is small but not trivial: German writes a number as one word, says the ones before the tens (24 is
"vierundzwanzig"), and some parts change where they stand (sechs, sechzehn, sechzig; ein, eins).

A file has numbers below a million without repetition, in an order that chance has given them; held-out files have
none of the numbers that are learned from.
"""

from pathlib import Path

import numpy as np

ENGLISH = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ENGLISH += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
GERMAN = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
GERMAN += ["dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"]
GERMAN_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]

SIZES = {"train": 6000, "valid": 200, "test": 200}
MOST = 1_000_000
SEED = 2021

TRAINING = """# A training of half a minute: tertium train numbers.toml -o numbers-model
[data]
source = "numbers.train.tsv:en"
target = "numbers.train.tsv:de"
valid_source = "numbers.valid.tsv:en"
valid_target = "numbers.valid.tsv:de"
languages = "en-de"

[vocabulary]
size = 400

[model]
network = "transformer:layers=2,width=64,heads=4,hidden=128,dropout=0.05"

[training]
tokens = 2048
steps = 300
learning_rate = 0.005
schedule = "schedule:shape=linear,warmup=100"

[validation]
metric = "chrf"
every = 100
"""


def english(number: int) -> str:
    """A number below a million in English words.

    >>> english(81_024)
    'eighty-one thousand and twenty-four'
    """
    if number < 20:
        return ENGLISH[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return ENGLISH_TENS[tens - 2] + (f"-{ENGLISH[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    high, low = divmod(number, size)
    joint = " and " if low < 100 else " "
    return f"{english(high)} {name}" + (f"{joint}{english(low)}" if low else "")


def german(number: int, last: bool = True) -> str:
    """The same in German; `eins` only where nothing follows.

    >>> german(81_024), german(101_001)
    ('einundachtzigtausendvierundzwanzig', 'einhunderteintausendeins')
    """
    if number < 20:
        return "ein" if number == 1 and not last else GERMAN[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return (f"{german(ones, last=False)}und" if ones else "") + GERMAN_TENS[tens - 2]
    size, name = (1000, "tausend") if number >= 1000 else (100, "hundert")
    high, low = divmod(number, size)
    return german(high, last=False) + name + (german(low, last) if low else "")


def write(folder: Path) -> list[Path]:
    """Files to train a model on and to test it with, columns en and de, and the training's description."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = iter(np.random.default_rng(SEED).permutation(MOST).tolist())
    written = []
    for part, size in SIZES.items():
        chosen = [next(numbers) for _ in range(size)]
        lines = ["en\tde", *(f"{english(each)}\t{german(each)}" for each in chosen)]
        written.append(folder / f"numbers.{part}.tsv")
        written[-1].write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    (folder / "numbers.toml").write_text(TRAINING, encoding="utf-8", newline="\n")
    return [*written, folder / "numbers.toml"]
