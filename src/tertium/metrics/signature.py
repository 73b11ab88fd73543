"""sacreBLEU's signatures, for the metrics that sacreBLEU has too: the string it would print for that score.

Papers are used to it. It names the version whose scores these equal. Tertium's own signature is a metric's spelling
(`tertium.spelling`) and the facts of the data.
"""

from collections.abc import Mapping
from typing import Any

from tertium.errors import OptionError
from tertium.spelling import spelled_value

SACREBLEU = "2.6.0"  # the version whose scores ours equal
SHORT = {  # sacreBLEU's short names of what it reports; the order is the order of the signature
    "nrefs": "#",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
    "case": "c",
    "eff": "e",
    "tok": "tok",
    "smooth": "s",
    "nc": "nc",
    "nw": "nw",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
    "version": "v",
}


def sacrebleu_signature(
    metric: Any, reference_count: int | tuple[int, int], short: bool = False, facts: Mapping[str, Any] | None = None
) -> str:
    """The signature that sacreBLEU gives a BLEU, chrF or TER score.

    `reference_count` is the number of references, or the fewest and most that a segment has. `facts` are what else
    sacreBLEU reports when it knows it: bs, ar, seed, test, lang, origlang, subset.

    >>> from tertium.metrics.bleu import BLEU
    >>> sacrebleu_signature(BLEU(), 1)
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
    >>> sacrebleu_signature(BLEU(), (1, 2), short=True, facts={"bs": 1000, "seed": 12345})
    '#:var|bs:1000|rs:12345|c:mixed|e:no|tok:13a|s:exp|v:2.6.0'
    """
    if metric.name not in OPTIONS_OF:
        raise OptionError(f"sacreBLEU has no {metric.name}, so no signature for it: known are {', '.join(OPTIONS_OF)}")
    if isinstance(reference_count, tuple):
        fewest, most = reference_count
        nrefs: int | str = most if fewest == most else "var"
    else:
        nrefs = reference_count
    items = {"nrefs": nrefs, **(facts or {}), **OPTIONS_OF[metric.name](metric), "version": SACREBLEU}
    names = {**SHORT, "tok": "t"} if metric.name == "ter" else SHORT
    return "|".join(
        f"{names[name] if short else name}:{spelled_value(items[name])}"
        for name in SHORT
        if items.get(name) is not None
    )


def _bleu_options(metric: Any) -> dict[str, str]:
    from tertium.metrics.smoothing import SMOOTHINGS  # it needs NumPy, which a signature otherwise does not

    default = SMOOTHINGS[metric.smoothing]
    if metric.smoothing.startswith("nltk") or metric.weights is not None or metric.length != "closest":
        raise OptionError(
            f"sacreBLEU cannot compute {metric!r}: it takes the closest length, no weights, none of NLTK's smoothings"
        )
    smoothing = metric.smoothing
    if default is not None:
        smoothing += f"[{default if metric.smoothing_value is None else metric.smoothing_value:.2f}]"
    return {
        "case": _case(metric.lowercase),
        "eff": spelled_value(metric.effective_order),
        "tok": _tokenizer(metric.tokenize),
        "smooth": smoothing,
    }


def _chrf_options(metric: Any) -> dict[str, str]:
    return {
        "case": _case(metric.lowercase),
        "eff": spelled_value(not metric.eps_smoothing),
        "nc": str(metric.order),
        "nw": str(metric.words),
        "space": spelled_value(metric.whitespace),
    }


def _ter_options(metric: Any) -> dict[str, str]:
    return {
        "case": _case(not metric.case_sensitive),
        "tok": "tercom",
        "norm": spelled_value(metric.normalized),
        "punct": spelled_value(not metric.no_punct),
        "asian": spelled_value(metric.asian_support),
    }


OPTIONS_OF = {"bleu": _bleu_options, "chrf": _chrf_options, "ter": _ter_options}


def _case(lowercase: bool) -> str:
    return "lc" if lowercase else "mixed"


def _tokenizer(spelling: str) -> str:
    """What sacreBLEU calls a tokenizer: a version may belong to it."""
    from tertium.text import scheme

    return scheme(spelling).signature or spelling
