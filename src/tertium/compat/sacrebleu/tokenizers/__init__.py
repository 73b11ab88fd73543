"""The tokenizers, one module each as in sacreBLEU: a line of text in, a line with spaces between the tokens out."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
