"""What every model promises, whoever made it: see `tertium.models.next_token`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

from models.catalogue import KINDS
from models.small import TEXTS
from tertium.errors import InputError
from tertium.models.next_token import NextToken, TextModel

ROUNDING = {"rtol": 1e-5, "atol": 1e-5}
LENGTHS = (TEXTS[0], "mouse", TEXTS[3], "the dog", TEXTS[4])  # sources that need padding


class Subject(NamedTuple):
    """A model under test, and what it should say."""

    model: Any
    expected: Any


@pytest.fixture(scope="module", params=list(KINDS))
def subject(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    kind = KINDS[request.param]
    return Subject(kind.make(Path(tmp_path_factory.mktemp(request.param))), kind.expected)


def sources_of(model: Any) -> list[list[int]]:
    return [model.source_tokens(text) for text in LENGTHS]


def tokens_like(model: Any, rows: int, count: int, seed: int = 0) -> Tensor:
    """Tokens that may follow: not the end, and none that the model holds impossible."""
    likely = model.start(sources_of(model)[:1]).log_probs[0].isfinite()
    likely[model.end] = False
    choices = likely.nonzero()[:, 0]
    generator = torch.Generator().manual_seed(seed)
    return choices[torch.randint(len(choices), (rows, count), generator=generator)]


def close(ours: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(ours, expected, **ROUNDING)


def test_it_is_a_model(subject: Subject) -> None:
    """It has the methods of both protocols."""
    assert isinstance(subject.model, NextToken)
    assert isinstance(subject.model, TextModel)


def test_probabilities_sum_to_one(subject: Subject) -> None:
    """At the start and after each token, in float32, over as many tokens as the vocabulary is said to have."""
    model = subject.model
    log_probs, state = model.start(sources_of(model))
    after = model.advance(state, tokens_like(model, len(LENGTHS), 3)).log_probs
    assert log_probs.shape == (len(LENGTHS), model.vocabulary_size)
    assert after.shape == (len(LENGTHS), 3, model.vocabulary_size)
    for each in (log_probs, after):
        assert each.dtype == torch.float32
        close(each.exp().sum(-1), torch.ones(each.shape[:-1]))


def test_steps_say_what_the_whole_sentence_says(subject: Subject) -> None:
    """One token at a time, several at once, and the whole sentence in one pass without states agree; and what a row
    says is what it would say alone, without the padding and the company of the others."""
    model, expected = subject
    sources = sources_of(model)
    tokens = tokens_like(model, len(sources), 6)
    whole = torch.stack([expected(model, *pair) for pair in zip(sources, tokens.tolist(), strict=True)])
    first, state = model.start(sources)
    close(first, whole[:, 0])
    close(model.advance(state, tokens).log_probs, whole[:, 1:])
    for position in range(6):
        log_probs, state = model.advance(state, tokens[:, position : position + 1])
        close(log_probs[:, 0], whole[:, position + 1])


def test_tokens_in_pieces_of_any_size(subject: Subject) -> None:
    """Two tokens, then one, then three are the same as six; also after rows were picked."""
    model, expected = subject
    (source,) = sources_of(model)[2:3]
    tokens = tokens_like(model, 2, 6)
    state = model.start([source]).state.pick(torch.tensor([0, 0]))
    said = []
    for size in (2, 1, 3):
        done = sum(each.shape[1] for each in said)
        log_probs, state = model.advance(state, tokens[:, done : done + size])
        said.append(log_probs)
    for row in range(2):
        close(torch.cat(said, 1)[row], expected(model, source, tokens[row].tolist())[1:])


@pytest.mark.parametrize("seed", range(3))
def test_rows_can_be_picked_in_any_way(subject: Subject, seed: int) -> None:
    """However rows are repeated, dropped and reordered, step after step, each says what its own prefix says: beams by
    sentence, a sentence that leaves, and rows in wild order."""
    model, expected = subject
    generator = torch.Generator().manual_seed(seed)
    sources = sources_of(model)
    prefixes: list[tuple[int, list[int]]] = [(source, []) for source in range(len(sources))]
    state = model.start(sources).state
    for step in range(6):
        rows = picked(prefixes, generator, step)
        prefixes = [(prefixes[row][0], list(prefixes[row][1])) for row in rows.tolist()]
        state = state.pick(rows)
        assert state.rows == len(prefixes)
        tokens = tokens_like(model, len(prefixes), 1, seed=10 * seed + step)
        log_probs, state = model.advance(state, tokens)
        for (_, prefix), token in zip(prefixes, tokens[:, 0].tolist(), strict=True):
            prefix.append(token)
        for row in {0, len(prefixes) // 2, len(prefixes) - 1}:
            source, prefix = prefixes[row]
            close(log_probs[row, 0], expected(model, sources[source], prefix)[-1])


def picked(prefixes: Sequence[tuple[int, list[int]]], generator: torch.Generator, step: int) -> Tensor:
    """Which rows go on: a beam of two, at odd steps as a search does it, at even ones at random."""
    if step % 2:
        return torch.randint(len(prefixes), (max(2, len(prefixes) - 2),), generator=generator)
    sentences = sorted({source for source, _ in prefixes})
    if step == 4:
        sentences = sentences[1:] or sentences
    rows = []
    for sentence in sentences:
        own = [row for row, (source, _) in enumerate(prefixes) if source == sentence]
        rows += [own[int(torch.randint(len(own), (1,), generator=generator))] for _ in range(2)]
    return torch.tensor(rows)


def test_states_are_values(subject: Subject) -> None:
    """A state may be advanced again and again, and picked from: what it gives never depends on what was done before.

    Three continuations of one state, the middle one other and longer; each is gone on from after the others were made.
    """
    model, expected = subject
    sources = sources_of(model)[:3]
    begun = tokens_like(model, 3, 2)
    old = model.advance(model.start(sources).state, begun).state
    one, other, last = (
        tokens_like(model, 3, 1, seed=1),
        tokens_like(model, 3, 2, seed=2),
        tokens_like(model, 3, 1, seed=3),
    )
    branches = [(tokens, model.advance(old, tokens)) for tokens in (one, other, one)]
    assert torch.equal(branches[0][1].log_probs, branches[2][1].log_probs)
    for tokens, step in branches:
        fed = torch.cat([begun, tokens, last], 1).tolist()
        whole = torch.stack([expected(model, *pair)[-1] for pair in zip(sources, fed, strict=True)])
        for _ in range(2):
            close(model.advance(step.state, last).log_probs[:, 0], whole)
    rows = torch.tensor([2, 0])
    for _ in range(2):
        close(model.advance(old.pick(rows), one[rows]).log_probs, branches[0][1].log_probs[rows])
    assert old.rows == 3


def test_the_end_ends(subject: Subject) -> None:
    """The end is a token of the vocabulary, the last of every translation's tokens and of no other place."""
    model = subject.model
    assert 0 <= model.end < model.vocabulary_size
    for text in (*TEXTS, "", "</s> and <s>, <pad>, <unk>"):
        *tokens, end = model.target_tokens(text)
        assert end == model.end
        assert model.end not in tokens
        assert all(0 <= token < model.vocabulary_size for token in tokens)


@pytest.mark.parametrize("text", TEXTS)
def test_text_comes_back(subject: Subject, text: str) -> None:
    """The text of a translation's tokens is the translation; what follows the end says nothing."""
    tokens = subject.model.target_tokens(text)
    assert subject.model.text(tokens) == text
    assert subject.model.text([*tokens, tokens[0], tokens[0]]) == text
    assert subject.model.text([subject.model.end]) == ""


def test_limits_are_honest(subject: Subject) -> None:
    """A source and a translation of the greatest length can be read, and both together."""
    model = subject.model
    source = (model.longest_source or 40) * model.source_tokens(TEXTS[0])[:1]
    target = tokens_like(model, 1, (model.longest_target or 40) - 1)  # its end is never fed
    step = model.start([source])
    assert bool(model.advance(step.state, target).log_probs.exp().sum(-1).isfinite().all())


def test_an_empty_text_can_be_read(subject: Subject) -> None:
    """It has no words, but a model says something all the same, beside a long text as alone; a language model without a
    template has nothing to start from, and says so."""
    model, expected = subject
    empty = model.source_tokens("")
    if not empty:
        with pytest.raises(InputError, match="has no tokens"):
            model.start([empty])
        return
    log_probs = model.start([sources_of(model)[0], empty]).log_probs
    close(log_probs[1], expected(model, empty, [])[0])
