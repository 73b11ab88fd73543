"""char: every character is a token."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class TokenizerChar(SchemeTokenizer):
    """The scheme `char`."""

    spelling = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)
