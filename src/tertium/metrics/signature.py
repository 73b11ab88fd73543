"""How a metric spells itself: its name and all its options, `bleu:order=4,tokenize=13a,lowercase=no`.

The same text is `repr`, the command line's spelling and the signature to be quoted beside a score. Options that are
`None` have nothing to say and are left out.
"""

import dataclasses
from typing import Any


def spelled(cls: type) -> type:
    """Class decorator: `repr` is the spelling that `tertium.registry.metric` reads back."""
    cls.__repr__ = spelling  # type: ignore[method-assign, assignment]
    return cls


def spelling(metric: Any) -> str:
    """The name and every option of a metric.

    >>> from tertium.metrics.bleu import BLEU
    >>> spelling(BLEU(order=2))
    'bleu:order=2,tokenize=13a,lowercase=no,smoothing=exp,effective_order=no,length=closest'
    """
    options = [
        f"{field.name}={_text(value)}"
        for field in dataclasses.fields(metric)
        if (value := getattr(metric, field.name)) is not None
    ]
    return f"{metric.name}:{','.join(options)}" if options else metric.name


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return "+".join(_text(item) for item in value)
    return str(value)
