"""Hugging Face folders: our searches find what transformers' own `generate` finds (transformers 5); what is refused."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer

from models import checkpoints
from models.small import TEXTS
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.search import Limits, search
from tertium.errors import InputError, MissingFile, OptionError, TertiumError, UnknownName
from tertium.models.ensemble import Ensemble
from tertium.models.huggingface import load_huggingface

SOURCES = ["a cat sat on the mat", "the dog", "where is the mouse now?", "Über den Hund"]
LONGEST = 24


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: checkpoints.make(kind, tmp_path_factory.mktemp(kind)) for kind in checkpoints.KINDS}


@pytest.fixture(scope="module", params=list(checkpoints.KINDS))
def model(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Any:
    """A network that likes to end, as random ones do not: a constant is added to the end's logit, for whoever asks."""
    model = load_huggingface(folders[request.param], **checkpoints.OPTIONS.get(request.param, {}))
    model.ends = model.ends[:1]  # generate's scores know ends one by one only
    sources = [model.source_tokens(text) for text in SOURCES]
    found = search(model, sources, Greedy(), limits=Limits(least=10, absolute=10))
    said = model.advance(model.start(sources).state, torch.tensor([each[0].tokens[:-1] for each in found])).log_probs
    more = torch.zeros(model.vocabulary_size)
    more[model.end] = 0.5 + float((said.max(-1).values - said[..., model.end]).mean())  # mostly the best
    model.network.get_output_embeddings().register_forward_hook(lambda module, given, logits: logits + more)
    return model


def generated(model: Any, source: list[int], **options: Any) -> tuple[list[list[int]], list[float]]:
    """What transformers generates: tokens up to the end, and the scores of its beam.

    Tokens that may not be generated leave their probability to the others (`renormalize_logits`), and the language
    token is given to the decoder, as in our models."""
    start = {}
    prompt = len(source)
    if hasattr(model, "begin"):
        start, prompt = {"decoder_input_ids": torch.tensor([model.begin])}, len(model.begin)
        options["forced_bos_token_id"] = None
    out = model.network.generate(
        input_ids=torch.tensor([source]),
        attention_mask=torch.ones(1, len(source), dtype=torch.long),
        **start,
        max_new_tokens=LONGEST,
        renormalize_logits=True,
        pad_token_id=model.end,
        eos_token_id=model.end,
        output_scores=True,
        return_dict_in_generate=True,
        **options,
    )
    found = [tokens[prompt:].tolist() for tokens in out.sequences]
    cut = [tokens[: tokens.index(model.end) + 1] if model.end in tokens else tokens for tokens in found]
    scores = getattr(out, "sequences_scores", None)
    return cut, [] if scores is None else scores.tolist()


def test_greedy_search_finds_what_generate_finds(model: Any) -> None:
    """The same tokens, batch or not; a translation that fills the whole length is compared up to our forced end."""
    sources = [model.source_tokens(text) for text in SOURCES]
    ours = search(model, sources, Greedy(), limits=Limits(absolute=LONGEST))
    ended = 0
    for source, (hypothesis,) in zip(sources, ours, strict=True):
        ((*tokens, last),), _ = generated(model, source, num_beams=1, do_sample=False)
        assert list(hypothesis.tokens[:-1]) == tokens
        ended += last == model.end
    assert ended


@pytest.mark.parametrize(("width", "penalty", "early"), [(4, 0.2, "never"), (3, 1.0, True), (2, 0.0, "never")])
def test_beam_search_finds_what_generate_finds(model: Any, width: int, penalty: float, early: Any) -> None:
    """All hypotheses and scores. transformers' length_penalty is our alpha: the log probability is divided by T^alpha,
    where T counts the end and neither the prompt nor the tokens the decoder is given; early_stopping="never" is our
    stop=proven, early_stopping=True is stop=patience. Compared are sentences whose hypotheses all end."""
    sources = [model.source_tokens(text) for text in SOURCES]
    beam = Beam(width=width, count=width, alpha=penalty, stop="proven" if early == "never" else "patience")
    ours = search(model, sources, beam, limits=Limits(absolute=LONGEST))
    compared = 0
    for source, hypotheses in zip(sources, ours, strict=True):
        tokens, scores = generated(
            model,
            source,
            num_beams=width,
            num_return_sequences=width,
            length_penalty=penalty,
            early_stopping=early,
            do_sample=False,
        )
        if all(each[-1] == model.end and len(each) < LONGEST for each in tokens):
            assert [list(hypothesis.tokens) for hypothesis in hypotheses] == tokens
            assert [hypothesis.score for hypothesis in hypotheses] == pytest.approx(scores, rel=1e-4)
            compared += 1
    assert compared


def open_(kind: str, folder: Path, **options: Any) -> Any:
    return load_huggingface(folder, **{**checkpoints.OPTIONS.get(kind, {}), **options})


def test_tokens_that_are_never_generated_have_no_probability(folders: dict[str, Path]) -> None:
    """Marian's padding, which its generation_config.json bans, and which starts its decoder."""
    model = open_("marian", folders["marian"])
    pad = model.network.config.pad_token_id
    first, state = model.start([model.source_tokens("a cat")])
    then = model.advance(state, torch.tensor([[5, 6]])).log_probs
    assert float(first[0, pad]) == -math.inf
    assert then[0, :, pad].tolist() == [-math.inf, -math.inf]


def test_several_ends_are_one(folders: dict[str, Path]) -> None:
    """Llama's second end has no probability left: it went to the first."""
    model = open_("llama", folders["llama"])
    assert list(model.ends) == [2, 3]
    source = model.source_tokens("a cat")
    log_probs = model.start([source]).log_probs[0]
    with torch.inference_mode():
        probs = model.network(torch.tensor([source])).logits[0, -1].softmax(-1)
    assert float(log_probs[2].exp()) == pytest.approx(float(probs[2] + probs[3]), rel=1e-5)
    assert float(log_probs[3]) == -math.inf


def test_the_language_is_said_to_encoder_and_decoder(folders: dict[str, Path]) -> None:
    """NLLB's source has its language's token, the decoder starts from the end token and the target's language."""
    model = open_("nllb", folders["nllb"])
    code = AutoTokenizer.from_pretrained(folders["nllb"]).convert_tokens_to_ids
    assert model.source_tokens("a cat")[0] == code("eng_Latn")
    assert model.begin == [2, code("deu_Latn")]
    assert code("deu_Latn") not in model.target_tokens("a cat")


def test_a_prefix_is_before_the_source(folders: dict[str, Path]) -> None:
    """T5's task is said in words, before the source and not before the translation."""
    with_task, without = open_("t5", folders["t5"]), open_("t5", folders["t5"], prefix="")
    assert with_task.source_tokens("a cat") == without.source_tokens("to the dog: a cat")
    assert with_task.target_tokens("a cat") == without.target_tokens("a cat")


def test_folders_of_one_vocabulary_can_be_averaged(folders: dict[str, Path]) -> None:
    """The same tokens around the same texts: not, where another language is translated into."""
    one, same = (open_("nllb", folders["nllb"]) for _ in range(2))
    source = one.source_tokens("a cat")
    said = Ensemble([one, same]).start([source]).log_probs
    torch.testing.assert_close(said, one.start([source]).log_probs)
    other = open_("nllb", folders["nllb"], target_language="eng_Latn")
    with pytest.raises(InputError, match="model 2 of the ensemble has another source vocabulary"):
        Ensemble([one, other])


def test_special_tokens_are_special_in_the_template_only(folders: dict[str, Path]) -> None:
    """<|end|> in a template is the token; in a text to be translated it is text. The begin token is there once."""
    model = open_("llama", folders["llama"], template="{source}<|end|>a cat:")
    plain = model.source_tokens("the dog")
    assert plain.count(3) == 1
    assert plain.count(1) == 1
    named = model.source_tokens("the <|end|> <s> dog")
    assert named.count(3) == 1
    assert named.count(1) == 1


def test_networks_are_computed_in_float32_or_bfloat16(folders: dict[str, Path], tmp_path: Path) -> None:
    """bfloat16 has 8 bits: near the log probabilities of float32, not at them, and still given in float32."""
    exact, rough = (open_("marian", folders["marian"], dtype=dtype) for dtype in ("float32", "bfloat16"))
    source = exact.source_tokens(TEXTS[0])
    one, other = (model.start([source]).log_probs for model in (exact, rough))
    assert other.dtype == torch.float32
    assert rough.network.dtype == torch.bfloat16
    kept = one.isfinite()
    assert 0 < float((one - other)[kept].abs().max()) < 0.3
    rough.network.save_pretrained(tmp_path)
    for name in ("source.spm", "target.spm", "vocab.json", "tokenizer_config.json"):
        shutil.copy(folders["marian"] / name, tmp_path)
    assert open_("marian", tmp_path).network.dtype == torch.float32


@pytest.mark.parametrize(
    ("kind", "part", "said"),
    [
        ("marian", "config.json", "has no config.json"),
        ("marian", "model.safetensors", "has no weights: there is no model.safetensors"),
        ("marian", "source.spm", "there is no source.spm"),
        ("marian", "target.spm", "there is no target.spm"),
        ("marian", "vocab.json", "there is no vocab.json"),
        ("t5", "tokenizer.json", "has no tokenizer"),
        ("m2m100", "sentencepiece.bpe.model", "there is no sentencepiece.bpe.model"),
        ("gpt2", "tokenizer.json", "has no tokenizer"),
    ],
)
def test_a_missing_part_is_named(folders: dict[str, Path], tmp_path: Path, kind: str, part: str, said: str) -> None:
    """A folder without one of its files is refused; the message names the folder and what is missing."""
    folder = shutil.copytree(folders[kind], tmp_path / "folder")
    (folder / part).unlink()
    with pytest.raises(TertiumError, match=said) as raised:
        open_(kind, folder)
    assert str(folder) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """As such, and not as a part of a folder."""
    with pytest.raises(MissingFile, match=r"there is no model folder .*nowhere"):
        load_huggingface(tmp_path / "nowhere")


def test_damaged_weights_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    """Weights that are no numbers, one weight too few, a file that was cut off: each is said."""
    folder = shutil.copytree(folders["t5"], tmp_path / "folder")
    path = folder / "model.safetensors"
    weights = load_file(str(path))
    name = "decoder.block.1.layer.1.EncDecAttention.k.weight"
    save_file({**weights, name: torch.full_like(weights[name], math.nan)}, str(path))
    with pytest.raises(InputError, match=rf"{name} has values that are not finite"):
        load_huggingface(folder)
    save_file({key: value for key, value in weights.items() if key != name}, str(path))
    with pytest.raises(InputError, match=f"the weights lack {name}"):
        load_huggingface(folder)
    path.write_bytes((folders["t5"] / "model.safetensors").read_bytes()[:1000])
    with pytest.raises(InputError, match="the network cannot be read"):
        load_huggingface(folder)


def test_networks_that_do_not_generate_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    """An encoder alone is neither kind; an unknown type is none; a damaged config is no JSON."""
    folder = shutil.copytree(folders["t5"], tmp_path / "folder")
    path = folder / "config.json"
    config = json.loads(path.read_text())
    for changed in ({"architectures": ["T5EncoderModel"]}, {"model_type": "bert"}, {"model_type": "t6"}):
        path.write_text(json.dumps({**config, **changed}))
        with pytest.raises(InputError, match="is neither an encoder-decoder nor a language model"):
            load_huggingface(folder)
    path.write_text("{")
    with pytest.raises(InputError, match="no JSON"):
        load_huggingface(folder)


@pytest.mark.parametrize(
    ("kind", "options", "error", "said"),
    [
        ("t5", {"template": "a {source}"}, OptionError, "takes no template"),
        ("llama", {"prefix": "translate: "}, OptionError, "put the prefix into its template"),
        ("llama", {"template": "translate"}, OptionError, r"must have \{source\} once"),
        ("t5", {"dtype": "float8"}, OptionError, "float32 or bfloat16, not in 'float8'"),
        ("t5", {"target_language": "de"}, OptionError, "knows no languages"),
        ("nllb", {"target_language": None}, OptionError, "is multilingual: say source_language and target_language"),
        ("nllb", {"source_language": "eng_Lat"}, UnknownName, "did you mean eng_Latn"),
        ("m2m100", {"target_language": "xx"}, UnknownName, "unknown language of the model 'xx'"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    folders: dict[str, Path], kind: str, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    """Options are checked against the kind of network, in words."""
    with pytest.raises(error, match=said):
        open_(kind, folders[kind], **options)


def test_tokens_that_the_network_does_not_have_are_refused(folders: dict[str, Path]) -> None:
    """They would be read from beyond the embeddings: the tokenizer is another network's. And nothing is no source."""
    model = open_("t5", folders["t5"])
    with pytest.raises(InputError, match="source 1 has a token that is none of the network's 46"):
        model.start([[5, 1], [46, 1]])
    with pytest.raises(InputError, match="source 0 has no tokens"):
        model.start([[]])
