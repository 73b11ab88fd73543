"""From what a user writes to a model or an engine.

    runs/multi30k                    a folder of ours, of Hugging Face or of CTranslate2: what lies in it says which
    runs/nllb:source_language=eng_Latn,target_language=deu_Latn
                                     a folder, and options of its kind
    command:apertium eng-spa         a program, see `command.py`
    ensemble:runs/one+runs/two       several folders as one model, see `ensemble.py`

A comma in an option's value is written %2C, as in every spelling.
"""

import re
from pathlib import Path
from typing import Any

from tertium.errors import InputError, MissingFile, OptionError, UnknownName
from tertium.models.command import Command
from tertium.models.engine import Engine
from tertium.models.ensemble import Ensemble
from tertium.models.next_token import TextModel
from tertium.models.trained import TrainedModel, read_config
from tertium.spelling import option_types, parts, read_options, read_value

KINDS = ("command", "ensemble")
LANGUAGES = ("source_language", "target_language")
TEXT_OPTIONS = (*LANGUAGES, "prefix", "template")  # of Hugging Face folders


def open_model(
    what: str | Path, *, precision: str | None = None, trainable: bool = False, **options: Any
) -> TextModel | Engine:
    """The model or engine that a text or path names.

    `precision` is float32, bfloat16 or int8; None is float32, and what it was stored for a CTranslate2 folder. A model
    that is to be trained further is opened as `trainable`, others are made ready for translating (`precision.py`).
    Options are those of the kind: `load_huggingface`'s, `CTranslate2`'s and `CTranslate2Options`', `Command`'s.

    >>> open_model("command:tr a-z A-Z").translate(["a cat"])
    ['A CAT']
    """
    if not str(what).strip():
        raise OptionError("no model is named: write a folder, command:PROGRAM or ensemble:FOLDER+FOLDER")
    kind, colon, rest = str(what).partition(":")
    if kind in KINDS and colon:
        if kind == "ensemble":
            return _ensemble(rest, precision, options)
        _refuse_precision(f"command {rest!r}", precision)
        return Command(rest.strip(), **options)
    folder, spelled = _folder_and_options(str(what))
    options = {**spelled, **options}
    if (folder / "model.bin").exists():
        return _ctranslate2(folder, precision, options)
    config = read_config(folder)
    if "tertium" in config:
        _refuse_others(folder, options, ())
        return _prepared(TrainedModel.load(folder), precision, trainable)
    if "model_type" in config:
        return _huggingface(folder, precision, trainable, options)
    if "add_source_bos" in config:
        raise MissingFile(f"{folder} is a CTranslate2 folder without its model.bin: it is not whole")
    raise InputError(
        f"{folder} is no model's folder that is known: its config.json has neither `tertium` nor `model_type`, and "
        "there is no model.bin of CTranslate2"
    )


def _folder_and_options(what: str) -> tuple[Path, dict[str, Any]]:
    """The folder, and the options behind the first colon that an option follows."""
    found = re.search(r":(?=\w+=)", what)
    if found and not Path(what).exists():
        options = parts(f"model:{what[found.end() :]}")[1]
        return Path(what[: found.start()]), {name: read_value(text, str) for name, text in options.items()}
    if ":" in what and "/" not in what and not Path(what).exists():
        raise UnknownName("kind of model", what.partition(":")[0], KINDS)
    return Path(what), {}


def _prepared(model: Any, precision: str | None, trainable: bool) -> TextModel:
    """A model of ours or of Hugging Face, ready to translate in a precision."""
    from tertium.models.precision import apply

    prepared: TextModel = model if trainable else apply(model, precision or "float32")
    return prepared


def _huggingface(folder: Path, precision: str | None, trainable: bool, options: dict[str, Any]) -> TextModel:
    from tertium.models.huggingface import load_huggingface

    _refuse_others(folder, options, TEXT_OPTIONS)
    if precision == "bfloat16":  # all of it: such networks are large
        return load_huggingface(folder, dtype=precision, **options)
    return _prepared(load_huggingface(folder, **options), precision, trainable)


def _ctranslate2(folder: Path, precision: str | None, options: dict[str, Any]) -> Engine:
    from tertium.models.ctranslate2 import CTranslate2, CTranslate2Options

    own = option_types(CTranslate2Options)
    _refuse_others(folder, options, (*own, *LANGUAGES, "threads"))
    search = {name: value for name, value in options.items() if name in own}
    search |= read_options(CTranslate2Options, "ctranslate2", {n: v for n, v in search.items() if isinstance(v, str)})
    others = {name: value for name, value in options.items() if name not in own}
    return CTranslate2(folder, CTranslate2Options(**search), compute_type=precision or "default", **others)


def _ensemble(folders: str, precision: str | None, options: dict[str, Any]) -> TextModel:
    models = []
    for folder in folders.split("+"):
        model = open_model(folder.strip(), precision=precision)
        if isinstance(model, Engine):
            raise OptionError(f"{folder} decodes by itself: an ensemble is of models that give next tokens")
        models.append(model)
    return Ensemble(models, **options)


def _refuse_others(folder: Path, options: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in options:
        if name not in known:
            if not known:
                raise OptionError(f"{folder} is a model of Tertium, which takes no options: leave {name} out")
            raise UnknownName(f"option of {folder}", name, known)


def _refuse_precision(what: str, precision: str | None) -> None:
    if precision not in (None, "float32"):
        raise OptionError(f"{what} computes as it does: leave precision={precision} out")
