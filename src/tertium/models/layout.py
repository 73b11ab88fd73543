"""Rows that stand by sentences: how a state shares what belongs to a sentence among the rows of it.

What a model keeps of a source, and what a beam's hypotheses have in common, is stored once a sentence. That works
as long as rows come sentence by sentence and equally many of each: row `s * width + b` is then the b-th of sentence s.
"""

import torch
from torch import Tensor


def by_sentence(rows: Tensor, width: int) -> tuple[Tensor, int]:
    """Which old sentence each new sentence is, (new sentences,), and how many rows each has.

    Rows that stand by sentences, equally many of each, keep sharing; otherwise each row gets a sentence for itself.

    >>> by_sentence(torch.tensor([0, 0, 3, 2]), 2)  # both rows of sentences 0 and 1
    (tensor([0, 1]), 2)
    >>> by_sentence(torch.tensor([0, 3, 2]), 2)
    (tensor([0, 1, 1]), 1)
    """
    sentences = torch.div(rows, width, rounding_mode="floor")
    groups, counts = torch.unique_consecutive(sentences, return_counts=True)
    each = len(rows) // max(1, len(groups))
    if bool((counts == each).all()) and bool((groups[1:] > groups[:-1]).all()):
        return groups, each
    return sentences, 1
