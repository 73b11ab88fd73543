"""How subwords are learned: byte pairs by Hugging Face's `tokenizers`, unigrams by SentencePiece.

`tokenizers` can learn unigrams too, but goes through hash tables whose order changes from run to run, and so do the
pieces and their probabilities. What both learn is written as a `tokenizers` model, which does the cutting.

Of the characters in the texts the most frequent are kept, as many as fill half of what is left beside the special
tokens and the bytes. The others are left out before anything is learned: they are written as bytes. So a vocabulary is
never larger than it is asked to be, whatever the script.
"""

import importlib
import io
import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from tertium.errors import InputError, MissingExtra
from tertium.models.network import SPECIAL, UNKNOWN

BYTES = [f"<0x{value:02X}>" for value in range(256)]
FIXED = (*SPECIAL, *BYTES)  # in every vocabulary
LEAST = len(FIXED) + 4  # the space, a character, and room to learn anything
SPACE, WRITTEN_SPACE = "\u2581", "\ufdd0"
SEPARATE = "<"  # always a piece of its own: see `vocabulary.py`


def learn_bpe(texts: Iterable[str], size: int) -> Any:
    """A tokenizer with the most frequent pairs of the texts."""
    tokenizer = _tokenizer(models.BPE(unk_token=SPECIAL[UNKNOWN], byte_fallback=True, fuse_unk=False))
    trainer: Any = trainers.BpeTrainer(vocab_size=size, special_tokens=list(FIXED), show_progress=False)
    tokenizer.train_from_iterator(_frequent(texts, size), trainer)
    described = json.loads(tokenizer.to_str())
    special = [each for each in described["added_tokens"] if each["content"] in SPECIAL]  # and no more the bytes
    return tokenizers.Tokenizer.from_str(json.dumps({**described, "added_tokens": special}, ensure_ascii=False))


def learn_unigram(texts: Iterable[str], size: int) -> Any:
    """A tokenizer with the pieces that make the texts likely."""
    try:
        sentencepiece: Any = importlib.import_module("sentencepiece")
    except ImportError:
        raise MissingExtra("learning a unigram vocabulary", "sentencepiece", "train") from None
    kept = _frequent(texts, size)
    written = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(kept),
            model_writer=written,
            model_type="unigram",
            vocab_size=size,
            hard_vocab_limit=False,
            byte_fallback=True,
            character_coverage=1.0,
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            user_defined_symbols=[SEPARATE] if any(SEPARATE in text for text in kept) else [],
            max_sentence_length=1 << 30,
            num_threads=1,
            minloglevel=2,
            **{f"{name}_id": number for number, name in enumerate(("pad", "bos", "eos", "unk"))},
        )
    except RuntimeError as error:
        raise InputError(f"no unigram vocabulary of {size} can be learned from these texts: {error}") from None
    found = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    scores = {found.id_to_piece(token): found.get_score(token) for token in range(found.get_piece_size())}
    # Rounded, as the reader of the tokenizer's file does not give back all 17 digits of a number.
    own = [(piece, round(score, 6)) for piece, score in scores.items() if piece not in FIXED]
    likely = [(name, 0.0) for name in FIXED]  # never found in a text, so their score says nothing
    tokenizer = _tokenizer(models.Unigram([*likely, *own], unk_id=UNKNOWN, byte_fallback=True))
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


LEARNERS: dict[str, Callable[[Iterable[str], int], Any]] = {"bpe": learn_bpe, "unigram": learn_unigram}


def check_whole(text: str, number: int) -> None:
    """Refuse a text that has half a character, a surrogate without the other: no encoding can write it."""
    if not isinstance(text, str) or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"text {number} has half a character (a surrogate): {text!r:.80}")


def _tokenizer(model: Any) -> Any:
    """A tokenizer around a model: how texts are written before they are cut, and how pieces become text again."""
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(SPACE, WRITTEN_SPACE), normalizers.Prepend(SPACE)]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="never"), pre_tokenizers.Split(SEPARATE, "isolated")]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.ByteFallback(),
            decoders.Metaspace(prepend_scheme="always"),  # takes the first space away
            decoders.Replace(WRITTEN_SPACE, SPACE),
        ]
    )
    return tokenizer


def _frequent(texts: Iterable[str], size: int) -> list[str]:
    """The texts as they are cut, without their rare characters."""
    written = [unicodedata.normalize("NFC", text).replace(SPACE, WRITTEN_SPACE) for text in texts]
    counts: Counter[str] = Counter()
    for text in written:
        counts.update(text)
    if not any(text.strip() for text in written):
        raise InputError("there are no texts to learn subwords from")
    for number, text in enumerate(written if any("\ud800" <= each <= "\udfff" for each in counts) else ()):
        check_whole(text, number)
    ordered = sorted(counts, key=lambda character: (-counts[character], character))
    rare = dict.fromkeys(map(ord, ordered[max(1, (size - len(FIXED)) // 2) :]))
    return [text.translate(rare) for text in written] if rare else written
