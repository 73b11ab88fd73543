"""Tercom's normalisation, which TER is counted on."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer
from tertium.text import scheme


class TercomTokenizer(SchemeTokenizer):
    """Lower-casing, normalisation, punctuation and Asian scripts as TER's options say.

    >>> TercomTokenizer(normalized=True)("Jim's car.")
    "jim 's car ."
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        flags = {
            "normalized": normalized,
            "no_punct": no_punct,
            "asian_support": asian_support,
            "case_sensitive": case_sensitive,
        }
        self.spelling = f"tercom:{'+'.join(name for name, wanted in flags.items() if wanted)}"
        self._scheme = scheme(self.spelling)
