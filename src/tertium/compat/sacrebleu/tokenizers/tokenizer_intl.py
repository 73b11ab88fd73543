"""intl, the international tokenization of mteval-v14.pl: punctuation and symbols by their Unicode category."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class TokenizerV14International(SchemeTokenizer):
    """The scheme `intl`."""

    spelling = "intl"
