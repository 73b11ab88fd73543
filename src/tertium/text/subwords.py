"""SentencePiece subwords (Kudo and Richardson, 2018): any model file, and the models of spBLEU by name.

    spm:my.model    the model file `my.model`
    flores101       the model of FLORES-101 (Goyal et al., 2022); `spm` alone means this one
    flores200       the model of FLORES-200 (NLLB team, 2022)
    spBLEU-1K       the model for a thousand languages (Adebara et al., 2024)

Nothing is downloaded. A name stands for a file that is looked for in the folders of `model_folders`, in their order;
the files keep the names under which sacreBLEU stores them, so a machine that has used sacreBLEU has them already.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tertium.errors import InputError, MissingExtra, MissingFile
from tertium.text import Tokenizer, no_argument

BATCH = 8192  # lines encoded at once: the lists of their pieces need much more memory than the lines


@dataclass(frozen=True)
class PublishedModel:
    """A model that scores are published with: its file name, and where its authors offer it."""

    file: str
    origin: str


MODELS = {
    "flores101": PublishedModel(
        "sacrebleu_tokenizer_spm.model",
        "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    ),
    "flores200": PublishedModel("flores200sacrebleuspm", "https://tinyurl.com/flores200sacrebleuspm"),
    "spBLEU-1K": PublishedModel(
        "spbleu-1k_tokenizer_spm.model", "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model"
    ),
}


def spm(argument: str = "") -> Tokenizer:
    """The scheme `spm:<model file>`; without a file it is flores101, as in sacreBLEU."""
    if not argument:
        return flores101()
    path = Path(argument).expanduser()
    if not path.is_file():
        raise MissingFile(f"tokenizer spm:{argument}: there is no model file {path.absolute()}")
    return _tokenizer(f"spm:{argument}", path, "")


def flores101(argument: str = "") -> Tokenizer:
    """The scheme flores101."""
    return _published("flores101", argument)


def flores200(argument: str = "") -> Tokenizer:
    """The scheme flores200."""
    return _published("flores200", argument)


def thousand_languages(argument: str = "") -> Tokenizer:
    """The scheme spBLEU-1K."""
    return _published("spBLEU-1K", argument)


def model_folders() -> list[Path]:
    """Where published models are looked for.

    The folder that the environment variable TERTIUM_MODELS names, `~/.cache/tertium/models`, and sacreBLEU's own:
    `models` in the folder that its variable SACREBLEU names, or in `~/.sacrebleu`.
    """
    named = os.environ.get("TERTIUM_MODELS")
    sacrebleu = os.environ.get("SACREBLEU")
    return [
        *([Path(named).expanduser()] if named else []),
        Path.home() / ".cache" / "tertium" / "models",
        (Path(sacrebleu) if sacrebleu else Path.home() / ".sacrebleu") / "models",
    ]


def _published(name: str, argument: str) -> Tokenizer:
    no_argument(name, argument)
    model, folders = MODELS[name], model_folders()
    for folder in folders:
        if (folder / model.file).is_file():
            return _tokenizer(name, folder / model.file, name)
    raise MissingFile(
        f"tokenizer {name}: its model file {model.file} is in none of {', '.join(map(str, folders))}; fetch it from "
        f"{model.origin} and save it there under that name, or write spm:PATH for a model file elsewhere"
    )


def _tokenizer(name: str, path: Path, signature: str) -> Tokenizer:
    state = path.stat()
    encode = _encoder(name, str(path), state.st_mtime_ns, state.st_size)

    def space(lines: list[str]) -> list[str]:
        batches = (lines[start : start + BATCH] for start in range(0, len(lines), BATCH))
        return [" ".join(pieces) for batch in batches for pieces in encode(batch)]

    return Tokenizer(name, lambda text: space([text.rstrip()])[0].split(), space=space, signature=signature)


@lru_cache(maxsize=8)
def _encoder(name: str, path: str, changed: int, size: int) -> Callable[[list[str]], list[list[str]]]:
    """The batch encoder of a model file, loaded once for each state of the file."""
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtra(f"tokenizer {name}", "sentencepiece", "spm") from None
    try:
        processor: Any = sentencepiece.SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        raise InputError(f"tokenizer {name}: {path} is not a SentencePiece model ({error})") from None

    def encode(lines: list[str]) -> list[list[str]]:
        pieces: list[list[str]] = processor.encode(lines, out_type=str, num_threads=1)
        return pieces

    return encode
