"""The search audit: where a translation is wrong, is the search at fault or the model?

For a source x, the system's translation y' and a human reference y*, compare what the search maximises, its objective s
(the log probability, divided for length as the search divides it):

    s(y*) > s(y')    search at fault: there is a translation that the model likes better, and people too; it was missed
    s(y*) <= s(y')   model at fault: it likes its own translation at least as much; more search would not bring y* out

A translation that is a reference is no error (a match). Of several references the one with the highest score is taken:
if any of them beats the translation, search is at fault. The same is asked under log P itself, without normalisation.
All scores come from forced scoring in one way (`forced.py`), and a difference below ROUNDING is none.

Search at fault is certain: the better sequence is there. Model at fault says only that the references are no better;
the search may still have missed something. Exact search (`exact.py`) tells: a sentence has a true search error where
any sequence scores above y'. It also gives the mode of the model, the most probable sequence of all, which may be empty
or much too short.

docs/search-audit.md explains the measures and what they do not say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tertium.decoding.beam import Beam
from tertium.decoding.exact import Exact, ExactResult, prove
from tertium.decoding.forced import score_tokens
from tertium.decoding.frontier import Hypothesis
from tertium.decoding.length import Length
from tertium.decoding.search import DEFAULT_LIMITS, Limits, Strategy, WholeSearch
from tertium.decoding.sweep import Width, sweep
from tertium.decoding.translate import translating
from tertium.errors import InputError
from tertium.models.next_token import TextModel

ROUNDING = 1e-4  # scores are sums of float32 numbers, which depend on the batch by that much at most
SHORT = 0.5  # a mode is too short if it has fewer tokens than this share of the shortest reference
MATCH, SEARCH, MODEL = "match", "search", "model"


@dataclass(frozen=True)
class Case:
    """One sentence: what the system said, what people said, what the model thinks of both."""

    line: int  # counted from 1
    source: str
    references: tuple[str, ...]
    output: str
    source_tokens: int
    limit: int  # the most tokens that the search may give
    found: Hypothesis  # the output
    given: tuple[Hypothesis, ...]  # the references
    best: ExactResult | None = None  # under the objective of the search
    mode: ExactResult | None = None  # under log P
    best_text: str = ""
    mode_text: str = ""

    @property
    def matches(self) -> bool:
        """Whether the output is one of the references."""
        return self.output.split() in [each.split() for each in self.references]

    @property
    def reference(self) -> Hypothesis:
        """The reference that scores highest."""
        return max(self.given, key=lambda each: each.score)

    @property
    def margin(self) -> float:
        """By how much it scores above the output."""
        return self.reference.score - self.found.score

    @property
    def raw_margin(self) -> float:
        """The same for log P, for the reference with the highest."""
        return max(each.log_prob for each in self.given) - self.found.log_prob

    @property
    def verdict(self) -> str:
        """Who is at fault: match (nobody), search or model."""
        return self._verdict(self.margin)

    @property
    def raw_verdict(self) -> str:
        """The same under log P."""
        return self._verdict(self.raw_margin)

    def _verdict(self, margin: float) -> str:
        if self.matches:
            return MATCH
        return SEARCH if margin > ROUNDING else MODEL

    @property
    def missed(self) -> bool | None:
        """Whether any sequence scores above the output; None where that is not known."""
        other = self.best is not None and self.best.tokens != self.found.tokens
        if self.margin > ROUNDING or (self.best and other and self.best.score - self.found.score > ROUNDING):
            return True
        return False if self.best and self.best.proven else None

    @property
    def mode_is_empty(self) -> bool:
        """Whether the most probable sequence has no words."""
        return self.mode is not None and len(self.mode.tokens) == 1

    @property
    def mode_is_short(self) -> bool:
        """Whether it has less than half the tokens of the shortest reference, ends not counted."""
        shortest = min(len(each.tokens) for each in self.given) - 1
        return self.mode is not None and len(self.mode.tokens) - 1 < SHORT * shortest


@dataclass(frozen=True)
class Skipped:
    """A sentence that could not be audited."""

    line: int
    why: str


@dataclass(frozen=True)
class Audit:
    """What an audit found out, sentence by sentence; `audit_shares.py` and `advice.py` draw the conclusions."""

    search: str  # its spelling; `given` where the translations were
    width: int | None  # of a beam
    length: Length
    limits: Limits
    cases: tuple[Case, ...]
    skipped: tuple[Skipped, ...] = ()
    sweep: tuple[Width, ...] = ()
    exact: str | None = None  # the spelling of the exact search, where there was one


Watch = Callable[[], None]  # called for every piece of work that is done


def audit(
    model: TextModel,
    sources: Sequence[str],
    references: Sequence[Sequence[str | None]],
    strategy: Strategy | WholeSearch | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    outputs: Sequence[str] | None = None,
    exact: Exact | None = None,
    widths: Sequence[int] = (),
    metrics: Sequence[str] = ("bleu", "chrf"),
    watch: Watch = lambda: None,
) -> Audit:
    """Audit a search on a test set: `references[i]` are the references of `sources[i]`.

    `strategy` is the search, beam search where nothing is said; with `outputs` the translations are not searched for
    but given. `exact` has each sentence searched exactly, with its budget, under the search's objective and under
    log P; `widths` are those of a beam sweep. `watch` is called for each sentence of each of these.
    """
    strategy = Beam() if strategy is None else strategy
    length = strategy.length
    pairs, skipped = auditable(model, sources, references, outputs)
    if not pairs:
        raise InputError(f"no sentence can be audited; the first of {len(skipped)}: {_first(skipped)}")
    texts = [sources[place] for place, _ in pairs]
    if outputs is None:
        cases = _scored(model, texts, pairs, _searched(model, texts, strategy, limits, watch), length, limits)
    else:
        given = [model.target_tokens(outputs[place]) for place, _ in pairs]
        cases = _scored(model, texts, pairs, given, length, limits)
        cases = [replace(case, output=outputs[case.line - 1]) for case in cases]
    if exact is not None:
        cases = [_exactly(model, case, exact, length, limits, watch) for case in cases]
    beam = strategy if isinstance(strategy, Beam) else Beam(4, 1, length.normalise, length.alpha, length.count_end)
    swept = sweep(model, texts, [case.references for case in cases], beam, widths, metrics, limits=limits, watch=watch)
    return Audit(
        search=repr(strategy) if outputs is None else "given",
        width=strategy.width if isinstance(strategy, Beam) and outputs is None else None,
        length=length,
        limits=limits,
        cases=tuple(cases),
        skipped=tuple(skipped),
        sweep=swept,
        exact=None if exact is None else repr(exact),
    )


def auditable(
    model: TextModel,
    sources: Sequence[str],
    references: Sequence[Sequence[str | None]],
    outputs: Sequence[str] | None,
) -> tuple[list[tuple[int, list[str]]], list[Skipped]]:
    """The sentences that can be audited, as places and references; and the others, with the reason."""
    if len(sources) != len(references) or (outputs is not None and len(outputs) != len(sources)):
        counts = [len(sources), len(references), *([len(outputs)] if outputs is not None else [])]
        raise InputError(f"sources, references and translations are {counts} segments: they must be as many")
    pairs, skipped = [], []
    for place, (source, given) in enumerate(zip(sources, references, strict=True)):
        usable = [each for each in given if each and each.strip()]
        why = _obstacle(model, source, usable, None if outputs is None else outputs[place])
        if why is None:
            most = model.longest_target
            usable = [each for each in usable if most is None or len(model.target_tokens(each)) <= most]
            why = None if usable else f"every reference has more tokens than the model takes, {most}"
        if why is None:
            pairs.append((place, usable))
        else:
            skipped.append(Skipped(place + 1, why))
    return pairs, skipped


def _obstacle(model: TextModel, source: str, references: Sequence[str], output: str | None) -> str | None:
    if not source.strip():
        return "the source is empty"
    if not references:
        return "there is no reference"
    most = model.longest_source
    if most is not None and len(model.source_tokens(source)) > most:
        return f"the source has more tokens than the model takes, {most}"
    most = model.longest_target
    if output is not None and most is not None and len(model.target_tokens(output)) > most:
        return f"the translation has more tokens than the model takes, {most}"
    return None


def _first(skipped: Sequence[Skipped]) -> str:
    return f"line {skipped[0].line}, {skipped[0].why}" if skipped else "there are no sentences"


def _searched(
    model: TextModel, texts: Sequence[str], strategy: Strategy | WholeSearch, limits: Limits, watch: Watch
) -> list[Sequence[int]]:
    """The tokens that the search finds for each text."""
    found: list[Sequence[int]] = [()] * len(texts)
    for number, translations in translating(model, texts, strategy, limits=limits):
        found[number] = translations[0].hypotheses[0].tokens
        watch()
    return found


def _scored(
    model: TextModel,
    texts: Sequence[str],
    pairs: Sequence[tuple[int, list[str]]],
    found: Sequence[Sequence[int]],
    length: Length,
    limits: Limits,
) -> list[Case]:
    """The cases, with what the model says of each output and of each reference."""
    sources = [model.source_tokens(text) for text in texts]
    wanted = [
        (source, tokens)
        for source, output, (_, references) in zip(sources, found, pairs, strict=True)
        for tokens in (output, *map(model.target_tokens, references))
    ]
    scores = iter(score_tokens(model, [source for source, _ in wanted], [tokens for _, tokens in wanted], length))
    return [
        Case(
            line=place + 1,
            source=text,
            references=tuple(references),
            output=model.text(output),
            source_tokens=len(source),
            limit=limits.most(len(source), model.longest_target),
            found=next(scores),
            given=tuple(next(scores) for _ in references),
        )
        for text, source, output, (place, references) in zip(texts, sources, found, pairs, strict=True)
    ]


def _exactly(model: TextModel, case: Case, options: Exact, length: Length, limits: Limits, watch: Watch) -> Case:
    """The case with the best sequence under the objective and the mode."""
    source = model.source_tokens(case.source)
    known = [case.found, *(each for each in case.given if limits.least <= len(each.tokens) <= case.limit)]
    own = replace(options, normalise=length.normalise, alpha=length.alpha, count_end=length.count_end)
    best = mode = prove(model, source, max(known, key=lambda each: each.score), own, limits=limits)
    watch()
    if length.divisor(case.limit) > 1:
        likeliest = max([*known, best], key=lambda each: each.log_prob)
        raw = Hypothesis(likeliest.tokens, likeliest.token_log_probs, likeliest.log_prob, likeliest.log_prob)
        mode = prove(model, source, raw, replace(options, normalise="none"), limits=limits)
    watch()
    return replace(case, best=best, mode=mode, best_text=model.text(best.tokens), mode_text=model.text(mode.tokens))
