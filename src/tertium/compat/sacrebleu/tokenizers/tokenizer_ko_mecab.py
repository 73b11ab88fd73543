"""ko-mecab: Korean morphemes by MeCab-ko."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer


class TokenizerKoMecab(SchemeTokenizer):
    """The scheme `ko-mecab`."""

    spelling = "ko-mecab"
