"""The rules that 13a and zh share: punctuation is set apart, but for periods and commas within numbers."""

import re

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

# Every printable ASCII mark but apostrophe, comma, hyphen and period; the space is among them and does no harm.
_MARKS = re.compile(r"""([ !"#$%&()*+:;<=>?@/\[\\\]^_`{|}~])""")
_AFTER_OTHER = re.compile(r"([^0-9])([.,])")
_BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
_DASH = re.compile(r"([0-9])(-)")


class TokenizerRegexp(BaseTokenizer):
    """The rules alone, without the decoding of entities."""

    def signature(self) -> str:
        return "re"

    def __call__(self, line: str) -> str:
        for pattern, spaced in (
            (_MARKS, r" \1 "),
            (_AFTER_OTHER, r"\1 \2 "),
            (_BEFORE_OTHER, r" \1 \2"),
            (_DASH, r"\1 \2 "),
        ):
            line = pattern.sub(spaced, line)
        return " ".join(line.split())
