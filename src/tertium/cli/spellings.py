"""The metrics that a command is given, with what sacreBLEU's flags say of BLEU."""

from collections.abc import Sequence
from typing import Any

from tertium.errors import OptionError


def distinct(spellings: Sequence[str]) -> list[str]:
    """The metrics asked for, each once."""
    twice = next((spelling for spelling in spellings if list(spellings).count(spelling) > 1), None)
    if twice is not None:
        raise OptionError(f"metric {twice} is given twice: leave one out")
    return list(spellings)


def with_bleu_options(spellings: Sequence[str], **given: Any) -> list[str]:
    """The metrics' spellings with what sacreBLEU's flags say of BLEU, unless a spelling says it itself.

    >>> with_bleu_options(["bleu:order=2", "chrf"], tokenize="zh", lowercase=True)
    ['bleu:order=2,tokenize=zh,lowercase=yes', 'chrf']
    """
    flags = {"tokenize": "-tok", "lowercase": "-lc", "smoothing": "-s", "smoothing_value": "-sv"}
    given = {option: value for option, value in given.items() if value not in (None, False)}
    told = [option for option in given if option in flags]
    if told and not any(spelling.partition(":")[0] == "bleu" for spelling in spellings):
        raise OptionError(
            f"{flags[told[0]]} is an option of bleu, which is not among the metrics; others take theirs after a colon, "
            f"{spellings[0].partition(':')[0]}:option=value"
        )
    out = []
    for spelling in spellings:
        name, _, rest = spelling.partition(":")
        if name == "bleu":
            said = {part.partition("=")[0].strip() for part in rest.split(",")}
            parts = [
                f"{option}={'yes' if value is True else value}" for option, value in given.items() if option not in said
            ]
            rest = ",".join(filter(None, [rest, *parts]))
        out.append(f"{name}:{rest}" if rest else name)
    return out
