"""spm: SentencePiece subwords with the models that spBLEU is published with."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer
from tertium.text import scheme


class TokenizerSPM(SchemeTokenizer):
    """The scheme `flores101` or another published model."""

    def __init__(self, key: str = "spm") -> None:
        self.spelling = "flores101" if key == "spm" else key
        self._scheme = scheme(self.spelling)


class Flores200Tokenizer(TokenizerSPM):
    """The scheme `flores200`."""

    def __init__(self) -> None:
        super().__init__("flores200")


class Flores101Tokenizer(TokenizerSPM):
    """The scheme `flores101`."""

    def __init__(self) -> None:
        super().__init__("flores101")


class spBLEU1KTokenizer(TokenizerSPM):
    """The scheme `spBLEU-1K`."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
