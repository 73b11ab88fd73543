"""What all tokenizers are, and the ones that stand for a scheme of Tertium."""

from abc import ABC, abstractmethod

from tertium.text import scheme


class BaseTokenizer(ABC):
    """A tokenizer: its name for signatures, and the call on a line. BLEU takes one of your own as `tokenizer`."""

    @abstractmethod
    def signature(self) -> str:
        """The name that goes into signatures."""

    @abstractmethod
    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""


class SchemeTokenizer(BaseTokenizer):
    """A scheme of Tertium; BLEU recognises it and leaves the text to the core."""

    spelling: str

    def __init__(self) -> None:
        self._scheme = scheme(self.spelling)

    def signature(self) -> str:
        return self._scheme.signature or self.spelling

    def __call__(self, line: str) -> str:
        return " ".join(self._scheme(line))
