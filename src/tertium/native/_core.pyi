from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class Corpus:
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def take(self, indices: Sequence[int]) -> Corpus: ...
    @property
    def tokenised(self) -> bool: ...
    @property
    def missing(self) -> list[int]: ...

def corpus_of_texts(texts: Sequence[Any]) -> Corpus: ...
def corpus_of_tokens(segments: Sequence[Any]) -> Corpus: ...
def corpus_of_path(path: bytes) -> Corpus: ...
def corpus_of_buffer(bytes: Any) -> Corpus: ...
def corpora_of_columns(bytes: Any, wanted: Sequence[int], width: int, skipped: int) -> list[Corpus]: ...

class WrongCells(ValueError): ...

def tokenize(corpus: Corpus, tokenizer: str, lowercase: bool) -> list[list[str]]: ...
def lowercase(corpus: Corpus) -> list[str]: ...
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
def bleu_pairwise(
    candidates: Corpus, references: Corpus, tokenizer: str, lowercase: bool, order: int, threads: int
) -> NDArray[np.float64]: ...
def chrf_pairwise(
    candidates: Corpus,
    references: Corpus,
    characters: int,
    words: int,
    beta: float,
    lowercase: bool,
    whitespace: bool,
    eps_smoothing: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def bleu_aggregated(
    candidates: Corpus,
    references: Corpus,
    weights: NDArray[np.float64],
    tokenizer: str,
    lowercase: bool,
    order: int,
) -> NDArray[np.float64]: ...
def chrf_aggregated(
    candidates: Corpus,
    references: Corpus,
    weights: NDArray[np.float64],
    characters: int,
    words: int,
    lowercase: bool,
    whitespace: bool,
) -> NDArray[np.float64]: ...
def bootstrap_totals(
    rows: NDArray[np.float64], first: int, last: int, seed: int, threads: int
) -> NDArray[np.float64]: ...
def subset_totals(
    rows: NDArray[np.float64], first: int, last: int, seed: int, exhaustive: bool, threads: int
) -> NDArray[np.float64]: ...
def philox4x32(c0: int, c1: int, c2: int, c3: int, key0: int, key1: int) -> list[int]: ...
def overlap_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    tokenizer: str,
    lowercase: bool,
    rule: str,
    shortest: int,
    longest: int,
    threads: int,
) -> NDArray[np.float64]: ...
def nist_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    tokenizer: str,
    lowercase: bool,
    order: int,
    threads: int,
) -> NDArray[np.float64]: ...
def ter_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def wer_statistics(
    systems: Sequence[Corpus], references: Sequence[Corpus], tokenizer: str, lowercase: bool, threads: int
) -> NDArray[np.float64]: ...
def cer_statistics(
    systems: Sequence[Corpus], references: Sequence[Corpus], lowercase: bool, whitespace: bool, threads: int
) -> NDArray[np.float64]: ...
def tokenize_tercom(
    texts: Corpus, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool
) -> list[list[str]]: ...
def processor() -> str: ...
def attend(
    queries: NDArray[np.float32],
    keys: NDArray[np.float32],
    values: NDArray[np.float32],
    seen: NDArray[np.bool_] | None,
    out: NDArray[np.float32],
    processor: str,
    threads: int,
) -> None: ...
def top(
    numbers: NDArray[np.float32],
    values: NDArray[np.float32],
    places: NDArray[np.int64],
    processor: str,
    threads: int,
) -> None: ...
def log_softmax(rows: NDArray[np.float32], processor: str, threads: int) -> None: ...

class Int8Linear:
    def __init__(self, weight: NDArray[np.float32], bias: NDArray[np.float32] | None, processor: str) -> None: ...
    def apply(self, x: NDArray[np.float32], out: NDArray[np.float32], relu: bool, threads: int) -> None: ...
