"""Corpus BLEU under each tokenizer, one thread: de-en, Chinese and Japanese of WMT22.

No SentencePiece model is downloaded: one of at most 8,000 pieces is trained on the references, and both sides use it.
"""

import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import sacrebleu
import sentencepiece
import wmt22
from measure import Row, faster
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM

import tertium


def rows(full: bool) -> Iterator[Row]:
    for name, pair, bar in (
        ("intl", "de-en", 40),
        ("char", "de-en", 40),
        ("zh", "en-zh", 40),
        ("ja-mecab", "en-ja", 3),
    ):
        hypotheses, reference = wmt22.texts(pair)
        yield faster(
            f"corpus BLEU {name}, {pair}",
            "sacrebleu",
            ours(f"bleu:tokenize={name}", hypotheses, reference),
            theirs(sacrebleu.BLEU(tokenize=name), hypotheses, reference),
            bar,
        )
    with tempfile.TemporaryDirectory() as folder:
        hypotheses, reference = wmt22.texts()
        model = Path(folder) / "pieces.model"
        model.write_bytes(trained([text for texts in wmt22.references().values() for text in texts]))
        yield faster(
            "corpus BLEU spm, de-en",
            "sacrebleu",
            ours(f"bleu:tokenize=spm:{model}", hypotheses, reference),
            theirs(with_model(model), hypotheses, reference),
            3,
        )


def ours(spelling: str, hypotheses: list[str], reference: list[str]) -> Callable[[], float]:
    return lambda: tertium.score(spelling, hypotheses, reference, threads=1).score


def theirs(metric: sacrebleu.BLEU, hypotheses: list[str], reference: list[str]) -> Callable[[], float]:
    return lambda: float(metric.corpus_score(hypotheses, [reference]).score)


def trained(texts: list[str]) -> bytes:
    """A unigram model of as many pieces as the texts give, 8,000 at most."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=model,
        vocab_size=8000,
        hard_vocab_limit=False,
        minloglevel=2,
        num_threads=1,
    )
    return model.getvalue()


def with_model(model: Path) -> sacrebleu.BLEU:
    """sacreBLEU's SentencePiece tokenizer on a local model; its constructor only downloads those it knows."""
    metric = sacrebleu.BLEU(tokenize="none")
    tokenizer = TokenizerSPM.__new__(TokenizerSPM)
    tokenizer.sp = sentencepiece.SentencePieceProcessor(model_file=str(model))
    metric.tokenizer = tokenizer
    return metric
