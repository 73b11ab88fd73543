"""none: words are what white space sets apart."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class NoneTokenizer(SchemeTokenizer):
    """The scheme `none`; a line stays as it is."""

    spelling = "none"

    def __call__(self, line: str) -> str:
        return line
