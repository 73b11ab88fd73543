"""ja-mecab: Japanese words by MeCab and the IPA dictionary."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class TokenizerJaMecab(SchemeTokenizer):
    """The scheme `ja-mecab`."""

    spelling = "ja-mecab"
