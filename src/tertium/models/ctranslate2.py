"""Folders of CTranslate2 as engines: its own beam search, greedy search and sampling, its own kernels.

Options have the names that CTranslate2 gives them. Three of its defaults are changed: an empty translation is a
translation (`min_decoding_length` 0), the end counts as a token where a score is divided by its length, as in our
searches, and no source is cut at 1024 tokens in silence. A translation that fills `max_decoding_length` is cut by
CTranslate2; a warning says how many were.
"""

import importlib
import struct
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from tertium.errors import InputError, MissingExtra, MissingFile, OptionError
from tertium.models.engine import Alternative, worded
from tertium.models.network import END, SPECIAL
from tertium.models.pieces import read_pieces
from tertium.models.trained import read_config
from tertium.spelling import spelled

KINDS = ("TransformerSpec", "TransformerBase", "TransformerBig")  # what model.bin calls models that translate


@spelled
@dataclass(frozen=True, repr=False)
class CTranslate2Options:
    """How CTranslate2 searches; a beam_size of 1 is greedy search, or sampling where sampling_topk is not 1.

    >>> CTranslate2Options(beam_size=1).length_penalty
    0.7
    """

    beam_size: int = 4
    patience: float = 1.0
    length_penalty: float = 0.7
    coverage_penalty: float = 0.0
    repetition_penalty: float = 1.0
    no_repeat_ngram_size: int = 0
    sampling_topk: int = 1  # 0: all
    sampling_topp: float = 1.0
    sampling_temperature: float = 1.0
    min_decoding_length: int = 0
    max_decoding_length: int = 512
    seed: int = 0  # of sampling
    batch_tokens: int = 4096

    name: ClassVar[str] = "ctranslate2"

    def __post_init__(self) -> None:
        if min(self.beam_size, self.max_decoding_length, self.batch_tokens) < 1:
            raise OptionError(f"{self!r}: beam_size, max_decoding_length and batch_tokens must be 1 or more")
        if not 0 <= self.min_decoding_length <= self.max_decoding_length:
            raise OptionError(f"{self!r}: min_decoding_length must be from 0 to max_decoding_length")

    def passed(self, count: int) -> dict[str, Any]:
        """What is passed to CTranslate2 for so many translations of each text."""
        options = asdict(self)
        options["max_batch_size"], options["batch_type"] = options.pop("batch_tokens"), "tokens"
        del options["seed"]
        if self.beam_size > 1 and count > self.beam_size:
            raise OptionError(f"{count} translations of a text need beam_size={count} or more, not {self.beam_size}")
        return {**options, "num_hypotheses": count, "return_end_token": True, "max_input_length": 0}


class CTranslate2:
    """An encoder-decoder in a CTranslate2 folder; a `RankingEngine`."""

    def __init__(
        self,
        folder: str | Path,
        options: CTranslate2Options | None = None,
        *,
        compute_type: str = "default",
        threads: int = 0,
        source_language: str | None = None,
        target_language: str | None = None,
    ) -> None:
        self.folder = Path(folder)
        self.options = options or CTranslate2Options()
        self.library = _library()
        _check_folder(self.folder)
        self.pieces = read_pieces(self.folder, source_language, target_language)
        self.end = str(read_config(self.folder).get("eos_token", SPECIAL[END]))
        try:
            self.translator: Any = self.library.Translator(
                str(self.folder), compute_type=compute_type, intra_threads=threads
            )
        except (RuntimeError, ValueError) as error:
            raise InputError(f"{self.folder}: CTranslate2 cannot open it: {error}") from None

    def __repr__(self) -> str:
        return f"{self.folder} ({self.options!r})"

    def translate(self, texts: Sequence[str]) -> list[str]:
        """The translation of each text."""
        return [alternatives[0].text for alternatives in self.n_best(texts, 1)]

    def n_best(self, texts: Sequence[str], count: int) -> list[list[Alternative]]:
        """At most `count` translations of each text: log probabilities divided by the length penalty."""
        found = [[Alternative(text, 0.0)] for text in texts]
        places = worded(texts)
        sources = [self.pieces.source(texts[place]) for place in places]
        prefix = [self.pieces.begin] * len(sources) if self.pieces.begin else None
        self.library.set_random_seed(self.options.seed)
        options = self.options.passed(count)
        with _named(self.folder):
            results = self.translator.translate_batch(sources, prefix, return_scores=True, **options)
        cut = 0
        for place, result in zip(places, results, strict=True):
            pairs = zip(result.hypotheses, result.scores, strict=True)
            found[place] = [Alternative(self._text(pieces), score) for pieces, score in pairs]
            cut += result.hypotheses[0][-1:] != [self.end]
        if cut:
            longest = self.options.max_decoding_length
            warnings.warn(f"{cut} translations were cut at max_decoding_length={longest} tokens", stacklevel=2)
        return found

    def token_log_probs(self, sources: Sequence[str], translations: Sequence[str]) -> list[list[float]]:
        """The log probability of each token of given translations, their ends included."""
        if len(sources) != len(translations):
            raise InputError(f"{len(translations)} translations of {len(sources)} sources: give one of each")
        begin = self.pieces.begin
        with _named(self.folder):
            results = self.translator.score_batch(
                [self.pieces.source(text) for text in sources],
                [[*begin, *self.pieces.target(text)] for text in translations],
                max_batch_size=self.options.batch_tokens,
                batch_type="tokens",
                max_input_length=0,
                offset=len(begin),
            )
        return [list(result.log_probs) for result in results]

    def _text(self, pieces: Sequence[str]) -> str:
        """The text of a hypothesis, which has the begin and, where it was not cut, the end."""
        own = pieces[len(self.pieces.begin) :]
        return self.pieces.text(own[:-1] if own[-1:] == [self.end] else own)


def _library() -> Any:
    try:
        return importlib.import_module("ctranslate2")
    except ImportError:
        raise MissingExtra("a CTranslate2 folder", "ctranslate2", "ctranslate2") from None


def _check_folder(folder: Path) -> None:
    """Refuse what is no folder of a model that translates."""
    path = folder / "model.bin"
    if not folder.is_dir():
        raise MissingFile(f"there is no model folder {folder}")
    if not path.exists():
        raise MissingFile(f"{folder} is no CTranslate2 folder: it has no model.bin")
    with path.open("rb") as file:
        head = file.read(200)
    size = struct.unpack_from("<H", head, 4)[0] if len(head) > 6 else 0  # a version, then the kind with its length
    kind = head[6 : 6 + size].rstrip(b"\0").decode("ascii", "replace")
    if kind not in KINDS:
        raise InputError(f"{path} is no model that translates: CTranslate2 would call it {kind!r:.60}")


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """CTranslate2's complaints (a text longer than its positions, an option that it does not take) with the folder."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise InputError(f"{folder}: CTranslate2 says: {error}") from None
