"""`tertium.compat.torchmetrics`: sums over batches and processes, sacreBLEU's values, where torchmetrics differs."""

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
import torch
import torch.distributed as distributed
import torch.multiprocessing as multiprocessing
import torchmetrics
from rouge_score.rouge_scorer import RougeScorer
from torchmetrics import text as original

import tertium
from realdata import wmt
from tertium.compat import torchmetrics as face
from tertium.errors import InputError, OptionError, UnknownName

RNG = random.Random(0)
WORDS = ["the", "cat", "dog", "sat", "on", "mat", "a", "in", "hat,", "house."]
PREDS = [" ".join(RNG.choices(WORDS, k=RNG.randint(4, 14))) for _ in range(40)]
TARGET = [
    [" ".join(w if RNG.random() < 0.7 else RNG.choice(WORDS) for w in line.split()) for _ in range(2)] for line in PREDS
]
STREAMS = [list(stream) for stream in zip(*TARGET, strict=True)]
SINGLE = [[texts[0]] for texts in TARGET]


@pytest.mark.parametrize("spelling", ["bleu", "chrf:words=2", "ter", "wer", "gleu", "rouge:variant=L"])
def test_any_metric_adds_up_over_batches(spelling: str) -> None:
    """Batches of any size, one text at a time too, give the corpus score; `forward` gives the batch's own."""
    whole = tertium.score(spelling, PREDS, tertium.References.from_segments(TARGET)).score
    metric = face.TertiumMetric(spelling)
    for begin, end in ((0, 1), (1, 7), (7, 7), (7, 40)):
        metric.update(PREDS[begin:end], TARGET[begin:end])
    assert metric.compute().item() == pytest.approx(whole, abs=1e-12)
    metric.reset()
    part = metric(PREDS[:5], TARGET[:5]).item()
    assert part == pytest.approx(
        tertium.score(spelling, PREDS[:5], tertium.References.from_segments(TARGET[:5])).score, abs=1e-12
    )
    metric(PREDS[5:], TARGET[5:])
    assert metric.compute().item() == pytest.approx(whole, abs=1e-12)


def test_values_are_sacrebleus() -> None:
    """BLEU, chrF++ in both ways of smoothing, TER with its options: sacreBLEU's scores over 100."""
    for metric, theirs in [
        (face.SacreBLEUScore(), sacrebleu.BLEU(smooth_method="none")),
        (
            face.SacreBLEUScore(smooth="exp", tokenize="intl", lowercase=True),
            sacrebleu.BLEU(tokenize="intl", lowercase=True),
        ),
        (face.SacreBLEUScore(smooth=True, n_gram=2), sacrebleu.BLEU(smooth_method="add-k", max_ngram_order=2)),
        (face.BLEUScore(), sacrebleu.BLEU(tokenize="none", smooth_method="none")),
        (face.CHRFScore(), sacrebleu.CHRF(word_order=2, eps_smoothing=True)),
        (face.CHRFScore(5, 1, 3.0, True, True, eps_smoothing=False), sacrebleu.CHRF(5, 1, 3, True, True)),
        (face.TranslationEditRate(), sacrebleu.TER()),
        (face.TranslationEditRate(True, True, False, True), sacrebleu.TER(True, True, True, True)),
    ]:
        metric.update(PREDS, TARGET)
        assert metric.compute().item() == pytest.approx(theirs.corpus_score(PREDS, STREAMS).score / 100, abs=1e-12)


def test_values_are_torchmetrics_where_it_is_right() -> None:
    """One reference, no missing order: all named metrics agree with the originals (which compute in float32)."""
    for name, options in [
        ("BLEUScore", {}),
        ("BLEUScore", {"n_gram": 2, "smooth": True, "weights": [0.7, 0.3]}),
        ("SacreBLEUScore", {"tokenize": "char", "lowercase": True}),
        ("CHRFScore", {"n_word_order": 0}),
        ("TranslationEditRate", {"normalize": True}),
    ]:
        ours, theirs = (getattr(module, name)(**options) for module in (face, original))
        assert ours(PREDS, SINGLE).item() == pytest.approx(theirs(PREDS, SINGLE).item(), rel=2e-6), name
    flat = [texts[0] for texts in SINGLE]
    for name in ("WordErrorRate", "CharErrorRate"):
        ours, theirs = (getattr(module, name)() for module in (face, original))
        assert ours(PREDS, flat).item() == pytest.approx(theirs(PREDS, flat).item(), rel=2e-6), name
        assert ours("a b", "a c").item() == pytest.approx(theirs("a b", "a c").item())


def test_rouge_has_torchmetrics_keys_and_values() -> None:
    """Precision, recall and F of ROUGE-1, -2 and -L; of two references the best one for each, as rouge-score has it."""
    keys = ("rouge1", "rouge2", "rougeL")
    scorer = RougeScorer(keys)
    for targets in (SINGLE, TARGET):
        ours, theirs = face.ROUGEScore(rouge_keys=keys), original.ROUGEScore(rouge_keys=keys)
        for begin in (0, 20):
            ours.update(PREDS[begin : begin + 20], targets[begin : begin + 20])
            theirs.update(PREDS[begin : begin + 20], targets[begin : begin + 20])
        found, wanted = ({key: value.item() for key, value in each.compute().items()} for each in (ours, theirs))
        assert found.keys() == wanted.keys()
        if targets is SINGLE:
            assert found == pytest.approx(wanted, rel=2e-6)
        best = [scorer.score_multi(texts, text) for text, texts in zip(PREDS, targets, strict=True)]
        for key in keys:
            for part in ("precision", "recall", "fmeasure"):
                mean = sum(getattr(scores[key], part) for scores in best) / len(best)
                assert found[f"{key}_{part}"] == pytest.approx(mean, abs=1e-12)


CHRF_PLUS_PLUS = sacrebleu.CHRF(word_order=2, eps_smoothing=True)


@pytest.mark.parametrize(
    ("name", "options", "preds", "target", "judge"),
    [
        # References of 5 and 3 words are equally far from 4: the shorter one counts, so there is no penalty.
        ("SacreBLEUScore", {"n_gram": 1}, ["a b c d"], [["a b c d e", "a b c"]], sacrebleu.BLEU(max_ngram_order=1)),
        # No 4-gram matches, which add-one smoothing is there for: torchmetrics returns 0.
        ("SacreBLEUScore", {"smooth": True}, ["a b c d e"], [["a b c x e"]], sacrebleu.BLEU(smooth_method="add-k")),
        # Four words are missing, four edits of four: torchmetrics returns 0, as for a perfect text.
        ("TranslationEditRate", {}, [""], [["a b c d"]], sacrebleu.TER()),
        # Three edits by tercom's search, four by torchmetrics'.
        ("TranslationEditRate", {}, ["b d d e"], [["a e b e d"]], sacrebleu.TER()),
        # The second text is perfect, the first shares nothing: torchmetrics forgets the first one's reference.
        ("CHRFScore", {}, ["ab", "c d e f g"], [["xyz"], ["c d e f g"]], CHRF_PLUS_PLUS),
        # A tab is white space like any other.
        ("CHRFScore", {}, ["a\tb c d e f"], [["a b c d e f"]], CHRF_PLUS_PLUS),
    ],
    ids=["tied lengths", "smoothing", "empty translation", "shifts", "no match", "white space"],
)
def test_where_torchmetrics_leaves_sacrebleu_this_stays(
    name: str, options: dict[str, Any], preds: list[str], target: list[list[str]], judge: Any
) -> None:
    """Cases in which torchmetrics 1.9 gives another value than sacreBLEU 2.6; ours is sacreBLEU's."""
    wanted = judge.corpus_score(preds, list(zip(*target, strict=True))).score / 100
    ours, theirs = (getattr(module, name)(**options)(preds, target).item() for module in (face, original))
    assert ours == pytest.approx(wanted, abs=1e-12)
    assert theirs != pytest.approx(wanted, abs=1e-3)


def test_an_empty_reference_is_a_number() -> None:
    """Insertions only are an error rate of 1, nothing against nothing one of 0; torchmetrics says inf and nan."""
    for preds, wanted in (("a b", 1.0), ("", 0.0)):
        for name in ("WordErrorRate", "CharErrorRate"):
            assert getattr(face, name)()([preds], [""]).item() == wanted
            assert not torch.isfinite(getattr(original, name)()([preds], [""]))


def test_sentence_scores_come_along() -> None:
    """`return_sentence_level_score` gives the corpus score and the score of every text, over batches."""
    metric = face.CHRFScore(return_sentence_level_score=True)
    with pytest.warns(UserWarning, match="before the ``update`` method"):  # torchmetrics' own, and right
        assert metric.compute()[1].shape == (0,)
    metric.update(PREDS[:30], TARGET[:30])
    metric.update(PREDS[30:], TARGET[30:])
    corpus, sentences = metric.compute()
    judge = sacrebleu.CHRF(word_order=2, eps_smoothing=True)
    assert corpus.item() == pytest.approx(judge.corpus_score(PREDS, STREAMS).score / 100)
    wanted = [
        judge.sentence_score(text, references).score / 100 for text, references in zip(PREDS, TARGET, strict=True)
    ]
    assert sentences.tolist() == pytest.approx(wanted)


def test_metrics_in_a_collection_keep_their_own_sums() -> None:
    """A perfect first batch gives metrics equal sums; they must not be taken for one and the same afterwards."""
    collection = torchmetrics.MetricCollection(
        {"r1": face.TertiumMetric("rouge:variant=1"), "rl": face.TertiumMetric("rouge:variant=L")}
    )
    collection.update(["a b"], [["a b"]])
    collection.update(["b a"], [["a b"]])
    assert {name: value.item() for name, value in collection.compute().items()} == {"r1": 100.0, "rl": 75.0}


def test_sums_are_exact_beyond_float32() -> None:
    """A state near 2**24 still grows by one."""
    metric = face.WordErrorRate()
    state = getattr(metric, metric._total)
    state += 2.0**24
    metric.update(["a"], [["b"]])
    assert getattr(metric, metric._total)[0].item() == 2**24 + 1


def test_copies_pickles_and_direction() -> None:
    """A metric copies and pickles with its sums; `higher_is_better` is the metric's."""
    metric = face.TranslationEditRate()
    metric.update(PREDS, TARGET)
    for twin in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric)), metric.clone()):
        assert twin.compute() == metric.compute()
    assert not metric.higher_is_better
    assert face.CHRFScore().higher_is_better


def test_what_cannot_be_is_refused() -> None:
    """Metrics whose rows do not add over batches, unknown options, texts and references that do not fit."""
    with pytest.raises(OptionError, match="batch by batch"):
        face.TertiumMetric("nist")
    with pytest.raises(UnknownName, match="smoothing"):
        face.BLEUScore(smooth="expo")
    with pytest.raises(OptionError, match="3 weights for n_gram=2"):
        face.BLEUScore(n_gram=2, weights=[1, 1, 1])
    with pytest.raises(OptionError, match="rougeLsum"):
        face.ROUGEScore(rouge_keys="rougeLsum")
    with pytest.raises(OptionError, match="stemmer"):
        face.ROUGEScore(use_stemmer=True)
    with pytest.raises(InputError, match="2 hypotheses but references for 1"):
        face.BLEUScore()(["a", "b"], [["a"]])


def _score_a_share(rank: int, processes: int, file: str, results: Any) -> None:
    distributed.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=processes)
    metrics = [face.SacreBLEUScore(), face.CHRFScore(return_sentence_level_score=True), face.TranslationEditRate()]
    share = slice(0, 10) if rank == 0 else slice(10, None)
    values = []
    for metric in metrics:
        metric.update(PREDS[share], TARGET[share])
        value = metric.compute()
        values.append((value[0].item(), len(value[1])) if isinstance(value, tuple) else value.item())
    late = face.SacreBLEUScore()
    if rank == 1:  # the other process has no text at all and takes part all the same
        late.update(PREDS[share], TARGET[share])
    values.append(late.compute().item())
    results.put((rank, values))
    distributed.barrier()
    distributed.destroy_process_group()


@pytest.mark.skipif(not distributed.is_gloo_available(), reason="torch without gloo")
def test_two_processes_give_the_score_of_all_texts(tmp_path: Path) -> None:
    """Two real processes with unequal shares: both report the score of the 40 texts together, to the last bit."""
    context = multiprocessing.get_context("spawn")
    results = context.SimpleQueue()
    multiprocessing.spawn(_score_a_share, args=(2, str(tmp_path / "meeting"), results), nprocs=2)
    reports = dict(results.get() for _ in range(2))
    whole = [
        metric(PREDS, TARGET).item() for metric in (face.SacreBLEUScore(), face.CHRFScore(), face.TranslationEditRate())
    ]
    rest = face.SacreBLEUScore()(PREDS[10:], TARGET[10:]).item()
    for values in reports.values():
        assert values == [whole[0], (whole[1], 40), whole[2], rest]


@pytest.mark.data
def test_a_real_system_has_sacrebleus_scores() -> None:
    """WMT22 de-en, 1,984 segments in batches of 64, two references."""
    data = wmt("wmt22/de-en")
    hypotheses = next(iter(data.systems.values()))
    streams = list(data.references.values())
    targets = [list(texts) for texts in zip(*streams, strict=True)]
    bleu, chrf = face.SacreBLEUScore(smooth="exp"), face.CHRFScore(eps_smoothing=False)
    for begin in range(0, len(hypotheses), 64):
        for metric in (bleu, chrf):
            metric.update(hypotheses[begin : begin + 64], targets[begin : begin + 64])
    assert bleu.compute().item() == pytest.approx(sacrebleu.corpus_bleu(hypotheses, streams).score / 100, abs=1e-12)
    wanted = sacrebleu.CHRF(word_order=2).corpus_score(hypotheses, streams).score / 100
    assert chrf.compute().item() == pytest.approx(wanted, abs=1e-12)
    assert bleu.compute().dtype == torch.float64
