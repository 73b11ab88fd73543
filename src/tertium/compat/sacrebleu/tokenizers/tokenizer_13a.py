"""13a, the tokenization of mteval-v13a.pl and of WMT."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class Tokenizer13a(SchemeTokenizer):
    """The scheme `13a`."""

    spelling = "13a"
