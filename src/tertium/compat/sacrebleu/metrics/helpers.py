"""N-gram counters, for code that imports them; Tertium's own metrics do not use them."""

from collections import Counter


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """The n-grams of a line as tuples of words, and how many words it has.

    >>> extract_all_word_ngrams("a b", 1, 2)
    (Counter({('a',): 1, ('b',): 1, ('a', 'b'): 1}), 2)
    """
    words = line.split()
    orders = range(min_order, max_order + 1)
    return Counter(tuple(words[i : i + n]) for n in orders for i in range(len(words) - n + 1)), len(words)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """The n-grams of a token list, each joined with spaces.

    >>> extract_word_ngrams(["a", "b", "c"], 2)
    Counter({'a b': 1, 'b c': 1})
    """
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The character n-grams of a line.

    >>> extract_char_ngrams("a bc", 2)
    Counter({'ab': 1, 'bc': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The character n-grams of a line, a counter an order.

    >>> extract_all_char_ngrams("ab", 2)
    [Counter({'a': 1, 'b': 1}), Counter({'ab': 1})]
    """
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
