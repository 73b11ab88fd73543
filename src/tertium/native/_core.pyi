from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class Corpus:
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Any: ...
    @property
    def tokenised(self) -> bool: ...

def corpus_of_texts(texts: Sequence[Any]) -> Corpus: ...
def corpus_of_tokens(segments: Sequence[Any]) -> Corpus: ...
def corpus_of_path(path: str) -> Corpus: ...
def corpus_of_buffer(bytes: Any) -> Corpus: ...
def tokenize(corpus: Corpus, tokenizer: str) -> list[list[str]]: ...
def bleu_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    tokenizer: str,
    lowercase: bool,
    order: int,
    length: str,
    threads: int,
) -> NDArray[np.float64]: ...
def chrf_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    characters: int,
    words: int,
    beta: float,
    lowercase: bool,
    whitespace: bool,
    eps_smoothing: bool,
    threads: int,
) -> NDArray[np.float64]: ...
