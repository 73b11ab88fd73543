"""How many of Multi30k's sentences exact search proves: test 2016, at most 20 source tokens, 5 CPU seconds each.

    python experiments/search-audit/proven.py MODEL [SEARCH]

SEARCH is `exact:seconds=5` (the mode of the model) where nothing is said; `exact:seconds=5,normalise=power` has the
objective of beam search instead.
"""

import statistics
import sys
from pathlib import Path

import torch

from tertium import registry
from tertium.data.testset import Files
from tertium.decoding.search import search
from tertium.models.opening import open_model

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
import realdata

LONGEST = 20


def main(folder: str, spelling: str = "exact:seconds=5") -> int:
    """Search every sentence, print the shares."""
    torch.set_num_threads(1)
    model = open_model(folder)
    (texts,) = Files().streams(f"{realdata.FOLDER}/train/multi30k.test_2016_flickr.tsv.gz:en", "source")
    sources = [tokens for tokens in map(model.source_tokens, texts.texts()) if len(tokens) <= LONGEST]
    options = registry.make("search", spelling)
    found = [search(model, [tokens], options)[0][0] for tokens in sources]
    proven = sum(each.proven for each in found)
    seconds = [each.seconds for each in found]
    print(f"{options!r}: {proven} of {len(found)} proven, {proven / len(found):.1%}")
    middle, mean = statistics.median(seconds), statistics.mean(seconds)
    print(f"CPU seconds: median {middle:.3f}, mean {mean:.3f}, most {max(seconds):.2f}")
    print(f"prefixes: median {statistics.median(each.expansions for each in found):.0f}")
    print(f"empty: {sum(len(each.tokens) == 1 for each in found) / len(found):.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
