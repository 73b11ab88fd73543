"""What is read from a folder that `save_pretrained` wrote, and what is refused: missing parts, broken weights."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from tertium.errors import InputError, MissingFile, OptionError
from tertium.models.huggingface.cache import check_cache
from tertium.models.huggingface.networks import Causal, EncoderDecoder, HuggingFaceModel
from tertium.models.huggingface.text import (
    PLACE,
    HuggingFaceText,
    around,
    first_line,
    read_tokenizer,
    set_languages,
)
from tertium.models.trained import read_config

transformers: Any = importlib.import_module("transformers")  # parts of it have no types
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
WEIGHTS = ("model.safetensors", "pytorch_model.bin", "model.safetensors.index.json", "pytorch_model.bin.index.json")


def load_huggingface(
    folder: str | Path,
    *,
    dtype: str = "float32",
    prefix: str = "",
    template: str = PLACE,
    source_language: str | None = None,
    target_language: str | None = None,
) -> EncoderDecoder | Causal:
    """The model in a local folder.

    `prefix` stands before each source (T5), `template` is what a language model continues, and multilingual networks
    want both languages, named as their tokenizers name them.
    """
    folder = Path(folder)
    if dtype not in DTYPES:
        raise OptionError(f"a Hugging Face model computes in {' or '.join(DTYPES)}, not in {dtype!r}")
    config = read_config(folder)
    kind = _kind(folder, config)
    if not any((folder / name).exists() for name in WEIGHTS):
        raise MissingFile(f"{folder} has no weights: there is no {WEIGHTS[0]} and no {WEIGHTS[1]}")
    if kind is Causal and prefix:
        raise OptionError(f"{folder} is a language model: put the prefix into its template")
    if kind is EncoderDecoder and template != PLACE:
        raise OptionError(f"{folder} is an encoder-decoder, which takes no template")
    before, behind = around(template) if kind is Causal else (prefix, "")
    tokenizer = read_tokenizer(folder, str(config["model_type"]))
    set_languages(tokenizer, source_language, target_language, str(folder))
    network = _network(folder, kind, DTYPES[dtype])
    ends = _ends(network, tokenizer, folder)
    languages = (source_language, target_language)
    words = HuggingFaceText(tokenizer, ends[0], before, behind, *languages, continues=kind is Causal)
    return _model(kind, network, words, ends, folder)


def _kind(folder: Path, config: dict[str, Any]) -> type[EncoderDecoder] | type[Causal]:
    """What the network in a folder is, by the class that its config names."""
    auto = transformers.models.auto.modeling_auto
    named = (config.get("architectures") or [None])[0]
    kinds = (
        (EncoderDecoder, auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES),
        (Causal, auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES),
    )
    for kind, names in kinds:
        classes = names.get(config.get("model_type"), ())
        if named in ((classes,) if isinstance(classes, str) else classes):
            return kind
    raise InputError(
        f"{folder}: a {named or config.get('model_type')} is neither an encoder-decoder nor a language model that "
        f"transformers {transformers.__version__} knows"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """transformers' progress bars and reports are not ours to show; what is wrong is raised."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _network(folder: Path, kind: type[HuggingFaceModel], dtype: torch.dtype) -> Any:
    """The network with all its weights."""
    factory = transformers.AutoModelForSeq2SeqLM if kind is EncoderDecoder else transformers.AutoModelForCausalLM
    try:
        with _quiet():
            network, report = factory.from_pretrained(
                folder, dtype=dtype, local_files_only=True, trust_remote_code=False, output_loading_info=True
            )
    except Exception as error:  # whatever the network's class or the file's reader raises
        raise InputError(f"{folder}: the network cannot be read: {first_line(error)}") from error
    lacking = sorted(report["missing_keys"])
    if lacking:
        raise InputError(f"{folder}: the weights lack {lacking[0]}, which config.json says the network has")
    for name, weight in [*network.named_parameters(), *network.named_buffers()]:
        if weight.is_floating_point() and not bool(torch.isfinite(weight).all()):
            raise InputError(f"{folder}: {name} has values that are not finite: the training went astray")
    check_cache(network.config, str(folder))
    return network.eval()


def _ends(network: Any, tokenizer: Any, folder: Path) -> list[int]:
    """The tokens that end a text."""
    for known in (network.generation_config.eos_token_id, network.config.eos_token_id, tokenizer.eos_token_id):
        if known is not None:
            return [known] if isinstance(known, int) else list(known)
    raise InputError(f"{folder}: neither its configs nor its tokenizer say which token ends a text")


def _model(
    kind: type[EncoderDecoder] | type[Causal], network: Any, words: HuggingFaceText, ends: list[int], folder: Path
) -> EncoderDecoder | Causal:
    """The model with what its configs say of the tokens it starts from and never generates."""
    said = network.generation_config
    never = [*(said.suppress_tokens or ()), *(phrase[0] for phrase in said.bad_words_ids or () if len(phrase) == 1)]
    never_first = list(said.begin_suppress_tokens or ())
    size = network.get_output_embeddings().weight.shape[0]
    positions = getattr(network.config, "max_position_embeddings", None)
    if kind is Causal:
        target = None if positions is None else positions // 2  # source and target share them
        source = None if positions is None else positions - positions // 2
        return Causal(network, words, size, ends, never, never_first, source, target)
    begin = said.decoder_start_token_id
    if begin is None:
        begin = getattr(network.config, "decoder_start_token_id", None)
    if begin is None:
        raise InputError(f"{folder}: config.json has no decoder_start_token_id: what a translation starts from")
    code = words.target_code if words.target_code is not None else said.forced_bos_token_id
    started = [begin] if code is None else [begin, code]
    longest = None if positions is None else positions - len(started) + 1
    return EncoderDecoder(network, words, size, ends, never, never_first, positions, longest, started)
