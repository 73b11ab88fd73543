"""zh: each Chinese character is a token, the rest is cut as by 13a."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class TokenizerZh(SchemeTokenizer):
    """The scheme `zh`."""

    spelling = "zh"
