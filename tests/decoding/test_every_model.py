"""Every search with every model there is: batches change nothing, and forced scoring says what the search said."""

from pathlib import Path
from typing import Any

import pytest

from decoding.test_search import SEARCHES, same
from models.catalogue import KINDS
from models.small import TEXTS
from tertium.decoding.exact import Exact
from tertium.decoding.forced import score_tokens
from tertium.decoding.search import Limits, search

TOGETHER = (TEXTS[0], "mouse", TEXTS[3])  # sources that need padding
LIMITS = Limits(absolute=6)
pytestmark = pytest.mark.filterwarnings("ignore:Recommended.* pip install sacremoses")


@pytest.fixture(scope="module", params=list(KINDS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return KINDS[request.param].make(Path(tmp_path_factory.mktemp(request.param)))


@pytest.mark.parametrize("strategy", SEARCHES, ids=lambda each: each.name)
def test_a_batch_changes_nothing(model: Any, strategy: Any) -> None:
    """Alone and among sentences of other lengths: equal tokens, log probabilities to 1e-4."""
    sources = [model.source_tokens(text) for text in TOGETHER]
    together = search(model, sources, strategy, limits=LIMITS)
    for number, source in enumerate(sources):
        (alone,) = search(model, [source], strategy, limits=LIMITS, streams=[number])
        assert same(alone, together[number], 1e-4)


@pytest.mark.parametrize("strategy", [*SEARCHES, Exact(expansions=200, batch=50)], ids=lambda each: each.name)
def test_forced_scoring_says_what_the_search_said(model: Any, strategy: Any) -> None:
    """Of every token of every hypothesis, to 1e-4."""
    sources = [model.source_tokens(text) for text in TOGETHER]
    found = search(model, sources, strategy, limits=LIMITS)
    pairs = [(source, each) for source, several in zip(sources, found, strict=True) for each in several]
    again = score_tokens(model, [source for source, _ in pairs], [each.tokens for _, each in pairs], strategy.length)
    for (_, said), scored in zip(pairs, again, strict=True):
        assert scored.token_log_probs == pytest.approx(said.token_log_probs, abs=1e-4)
        assert (scored.log_prob, scored.score) == pytest.approx((said.log_prob, said.score), abs=1e-4)
