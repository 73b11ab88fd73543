"""Tiny Hugging Face folders, made on the spot: random weights, and tokenizers trained on a few lines."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
import torch
import transformers
from tokenizers import decoders, pre_tokenizers, processors, trainers

from models.small import TEXTS

CORPUS = TEXTS * 8
WIDTH, HEADS, HIDDEN, LAYERS = 16, 2, 24, 2
LONGEST = 48
SHAPE = {
    "d_model": WIDTH,
    "encoder_layers": LAYERS,
    "decoder_layers": LAYERS,
    "encoder_attention_heads": HEADS,
    "decoder_attention_heads": HEADS,
    "encoder_ffn_dim": HIDDEN,
    "decoder_ffn_dim": HIDDEN,
    "max_position_embeddings": LONGEST,
    "init_std": 0.3,
}
T5_SHAPE = {"d_model": WIDTH, "d_kv": 8, "d_ff": HIDDEN, "num_layers": LAYERS, "num_heads": HEADS}
CAUSAL_SHAPE = {
    "hidden_size": WIDTH,
    "intermediate_size": HIDDEN,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": 1,
    "max_position_embeddings": 2 * LONGEST,
    "initializer_range": 0.3,
}


def make(kind: str, folder: Path) -> Path:
    """Write a folder of a kind; the same weights each time."""
    folder.mkdir(parents=True, exist_ok=True)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        network = KINDS[kind](folder)
    network.save_pretrained(folder)
    return folder


def pieces(folder: Path, name: str) -> list[str]:
    """Train SentencePiece on the corpus, write NAME.model, and say its pieces without its special ones."""
    lines = folder / "lines.txt"
    lines.write_text("\n".join(CORPUS), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(lines), model_prefix=str(folder / name), vocab_size=60, hard_vocab_limit=False, minloglevel=2
    )
    lines.unlink()
    (folder / f"{name}.vocab").unlink()
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{name}.model"))
    return [model.id_to_piece(index) for index in range(3, model.get_piece_size())]


def byte_pairs(special: list[str]) -> Any:
    """A byte-level BPE tokenizer, as GPT-2 and BART have it."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def metaspace(model: Any) -> Any:
    """A tokenizer that writes spaces as SentencePiece does."""
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    return tokenizer


def metaspace_pairs(special: list[str]) -> Any:
    """Byte-pair encoding over it."""
    tokenizer = metaspace(tokenizers.models.BPE(unk_token="<unk>"))
    trainer = trainers.BpeTrainer(vocab_size=90, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def marian(folder: Path) -> Any:
    """Marian: SentencePiece of both sides, the padding starts the decoder and is never generated."""
    found = ["</s>", "<unk>", *pieces(folder, "source"), "<pad>"]
    (folder / "source.model").rename(folder / "source.spm")
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    (folder / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(found)}))
    files = [str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")]
    transformers.MarianTokenizer(*files).save_pretrained(folder)
    pad = len(found) - 1
    config = transformers.MarianConfig(
        vocab_size=len(found), **SHAPE, pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad
    )
    network = transformers.MarianMTModel(config)
    network.final_logits_bias.normal_()
    network.generation_config.bad_words_ids = [[pad]]
    return network


def t5(folder: Path, config_of: Any = transformers.T5Config, network_of: Any = None, **options: Any) -> Any:
    """T5: unigram subwords, positions relative to each other, no limit of length."""
    ranked = ["<pad>", "</s>", "<unk>", *pieces(folder, "spiece")]
    (folder / "spiece.model").unlink()
    scores = [(piece, -0.1 * rank) for rank, piece in enumerate(ranked)]
    tokenizer = metaspace(tokenizers.models.Unigram(scores, unk_id=2))
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    size = tokenizer.get_vocab_size() + 5  # published ones are padded to a round number as well
    config = config_of(vocab_size=size, **T5_SHAPE, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, **options)
    network = (network_of or transformers.T5ForConditionalGeneration)(config)
    with torch.no_grad():
        network.lm_head.weight.mul_(2.0 if config.tie_word_embeddings else 0.4)  # neither flat nor sure of one token
    return network


def mt5(folder: Path) -> Any:
    """mT5: gated layers, an output matrix of its own."""
    return t5(
        folder,
        transformers.MT5Config,
        transformers.MT5ForConditionalGeneration,
        feed_forward_proj="gated-gelu",
        tie_word_embeddings=False,
    )


def bart(folder: Path) -> Any:
    """BART: learned positions, the begin token forced to be the first."""
    tokenizer = byte_pairs(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    config = transformers.BartConfig(
        vocab_size=tokenizer.get_vocab_size(),
        **SHAPE,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
    )
    network = transformers.BartForConditionalGeneration(config)
    network.generation_config.forced_bos_token_id = 0
    return network


def nllb(folder: Path) -> Any:
    """NLLB: the language token before the source, and given to the decoder."""
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trained = metaspace_pairs(special)
    model = json.loads(trained.to_str())["model"]
    tokenizer = transformers.NllbTokenizer(
        vocab=model["vocab"],
        merges=[tuple(merge) for merge in model["merges"]],
        extra_special_tokens=["eng_Latn", "deu_Latn"],
    )
    tokenizer.save_pretrained(folder)
    return transformers.M2M100ForConditionalGeneration(_m2m_config(len(tokenizer)))


def m2m100(folder: Path) -> Any:
    """M2M100: a hundred languages, named by tokens such as __de__."""
    found = ["<s>", "<pad>", "</s>", "<unk>", *pieces(folder, "sentencepiece.bpe")]
    (folder / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(found)}))
    files = [str(folder / name) for name in ("vocab.json", "sentencepiece.bpe.model")]
    tokenizer = transformers.M2M100Tokenizer(*files)
    tokenizer.save_pretrained(folder)
    return transformers.M2M100ForConditionalGeneration(_m2m_config(len(found) + 108))


def _m2m_config(size: int) -> Any:
    return transformers.M2M100Config(
        vocab_size=size, **SHAPE, bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=2
    )


def llama(folder: Path, config_of: Any = transformers.LlamaConfig, network_of: Any = None, **options: Any) -> Any:
    """Llama: rotary positions, a begin token before the prompt; two tokens end a text."""
    special = ["<unk>", "<s>", "</s>", "<|end|>"]
    tokenizer = metaspace_pairs(special)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        extra_special_tokens=["<|end|>"],
    ).save_pretrained(folder)
    config = config_of(vocab_size=tokenizer.get_vocab_size(), **CAUSAL_SHAPE, bos_token_id=1, eos_token_id=2, **options)
    network = (network_of or transformers.LlamaForCausalLM)(config)
    network.generation_config.eos_token_id = [2, 3]
    return network


def mistral(folder: Path) -> Any:
    """Mistral: each token sees only the four before it and itself."""
    return llama(folder, transformers.MistralConfig, transformers.MistralForCausalLM, sliding_window=5)


def qwen2(folder: Path) -> Any:
    """Qwen2: biases in the attention's projections, embeddings tied to the output."""
    tokenizer = byte_pairs(["<|endoftext|>"])
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>").save_pretrained(folder)
    config = transformers.Qwen2Config(
        vocab_size=tokenizer.get_vocab_size(), **CAUSAL_SHAPE, bos_token_id=0, eos_token_id=0, tie_word_embeddings=True
    )
    return transformers.Qwen2ForCausalLM(config)


def gpt2(folder: Path) -> Any:
    """GPT-2: learned positions, nothing before the prompt."""
    tokenizer = byte_pairs(["<|endoftext|>"])
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>").save_pretrained(folder)
    config = transformers.GPT2Config(
        vocab_size=tokenizer.get_vocab_size(),
        n_positions=2 * LONGEST,
        n_embd=WIDTH,
        n_layer=LAYERS,
        n_head=HEADS,
        bos_token_id=0,
        eos_token_id=0,
        initializer_range=0.3,
    )
    return transformers.GPT2LMHeadModel(config)


KINDS: dict[str, Callable[[Path], Any]] = {
    "marian": marian,
    "t5": t5,
    "mt5": mt5,
    "bart": bart,
    "nllb": nllb,
    "m2m100": m2m100,
    "llama": llama,
    "mistral": mistral,
    "qwen2": qwen2,
    "gpt2": gpt2,
}
OPTIONS: dict[str, dict[str, str]] = {  # what a folder of the kind cannot be opened without, or is not used without
    "t5": {"prefix": "to the dog: "},
    "nllb": {"source_language": "eng_Latn", "target_language": "deu_Latn"},
    "m2m100": {"source_language": "en", "target_language": "de"},
    "llama": {"template": "a cat: {source}\nthe dog:"},
    "gpt2": {"template": "a cat: {source}\nthe dog:"},
    "mistral": {"template": "no cat {source} dog"},
}
