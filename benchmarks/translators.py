"""Models to be timed: a Transformer that translates by copying, and the same weights in other libraries.

What decoding costs depends on how long translations are and how the beam branches, not on what is said. Random weights
never end a sentence, so a few are set by hand: the last decoder layer's cross-attention looks at the source position
that the target has reached (the first widths of the stream carry nothing but the sinusoids of positions), and adds what
stands there to the stream, END in its turn. All other parts are random and add noise, so that a beam has alternatives:
mostly to stay with the token before. Lengths are thereby those of the sources, which are taken from real text.
"""

import gzip
from typing import Any

import torch
import wmt22
from torch import Tensor

from tertium.models.network import BEGIN, END, PADDING, SPECIAL
from tertium.models.trained import TrainedModel, padded
from tertium.models.transformer import Transformer, TransformerOptions, sinusoids
from tertium.models.vocabulary import Vocabulary

PLACES = 64  # widths of the stream that only positions use
TINY = TransformerOptions(layers=2, width=256, heads=4, hidden=1024)
BASE = TransformerOptions(layers=6, width=512, heads=8, hidden=2048)


class Numbers(Vocabulary):
    """A vocabulary of so many tokens, of which only the number counts."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and other.size == self.size

    __hash__ = None  # type: ignore[assignment]

    def piece(self, token: int) -> str:
        """What names the token."""
        return SPECIAL[token] if token < len(SPECIAL) else str(token)

    def to_json(self) -> str:
        """Nothing: no text is read by it."""
        return "{}"


def copying(options: TransformerOptions, vocabulary: int, *, seed: int = 1) -> TrainedModel:
    """A model of this shape that copies, see above."""
    torch.manual_seed(seed)
    numbers = Numbers(vocabulary)
    network = options.build(vocabulary, vocabulary).eval()
    with torch.no_grad():
        for block in (*network.encoder, *network.decoder):
            for name, weight in block.named_parameters():
                if name.endswith(("out.weight", "narrow.weight")):
                    weight *= 0.5  # the noise
                    weight[:PLACES] = 0
        embeddings = network.target_embedding.weight
        embeddings[:, :PLACES] = 0
        embeddings[BEGIN] = 0
        look(network, network.decoder[-1].cross_attention)
    return TrainedModel(network, numbers, numbers)


def look(network: Transformer, attention: Any) -> None:
    """Let each head find the source's position of the target and take its part of what stands there."""
    width, heads = network.options.width, network.options.heads
    each, part = width // heads, (width - PLACES) // heads
    query, keys, values, out = torch.zeros(4, width, width)
    for head in range(heads):
        rows = torch.arange(PLACES)
        query[head * each + rows, rows] = keys[head * each + rows, rows] = 4.0  # sharply
        rows = torch.arange(part)
        values[head * each + rows, PLACES + head * part + rows] = 1.0
        out[PLACES + head * part + rows, head * each + rows] = 2.0  # twice what was there
    attention.query.weight.copy_(query)
    attention.key_value.weight.copy_(torch.cat([keys, values]))
    attention.out.weight.copy_(out)


def sources(vocabulary: int, texts: list[str], *, seed: int = 1) -> list[list[int]]:
    """Token ids at random, as many as each text has subwords, and their END."""
    learned = Vocabulary.learn(texts, size=8000)
    draw = torch.Generator().manual_seed(seed)
    return [
        [*torch.randint(4, vocabulary, (len(learned.tokens(text)),), generator=draw).tolist(), END] for text in texts
    ]


def multi30k(test: str = "test_2016_flickr") -> list[str]:
    """The German side of Multi30k: captions."""
    path = wmt22.FOLDER / "train" / f"multi30k.{test}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.split("\t") for line in file.read().split("\n") if line]
    return [row[rows[0].index("de")] for row in rows[1:]]


def as_hugging_face(model: TrainedModel) -> Any:
    """The same model as M2M100, which has the same parts in the same places; the tables of positions become ours."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    network, options = model.network, model.network.options
    sizes = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (("layers", options.layers), ("attention_heads", options.heads), ("ffn_dim", options.hidden))
    }
    config = M2M100Config(
        vocab_size=model.vocabulary_size,
        d_model=options.width,
        activation_function="relu",
        scale_embedding=True,
        max_position_embeddings=512,
        pad_token_id=PADDING,
        bos_token_id=BEGIN,
        eos_token_id=END,
        decoder_start_token_id=BEGIN,
        **sizes,
    )
    theirs = M2M100ForConditionalGeneration(config).eval()
    weights = {"model.shared.weight": network.target_embedding.weight}
    for side in ("encoder", "decoder"):
        weights |= norm(getattr(network, f"{side}_norm"), f"model.{side}.layer_norm")
        for number, block in enumerate(getattr(network, side)):
            weights |= of_block(block, f"model.{side}.layers.{number}", options.width)
        table = torch.cat([torch.zeros(1, options.width), sinusoids(600, options.width)])  # positions from 1 on
        getattr(theirs.model, side).embed_positions.weights = table
    missing, unexpected = theirs.load_state_dict(weights, strict=False)
    assert not unexpected
    assert all("embed_tokens" in name or "lm_head" in name for name in missing), missing  # they are tied
    theirs.tie_weights()
    assert_same(model, theirs)
    theirs.generation_config.suppress_tokens = None
    return theirs


@torch.inference_mode()
def assert_same(model: TrainedModel, theirs: Any) -> None:
    """Both give the same logits, padded sources and all positions of the target at once."""
    source, target = padded([[9, 8, 7, END], [5, END]]), torch.tensor([[BEGIN, 10, 11, 12], [BEGIN, 20, 21, END]])
    out = theirs(input_ids=source, attention_mask=(source != PADDING).long(), decoder_input_ids=target)
    torch.testing.assert_close(out.logits, model.network.project(model.network(source, target)), rtol=1e-4, atol=1e-4)


def of_block(block: Any, name: str, width: int) -> dict[str, Tensor]:
    """A block's weights under their names."""
    own, fused = block.self_attention, block.self_attention.query_key_value
    weights = norm(block.self_norm, f"{name}.self_attn_layer_norm") | norm(block.feed_norm, f"{name}.final_layer_norm")
    weights |= parts(fused, f"{name}.self_attn", ("q_proj", "k_proj", "v_proj"), width)
    weights |= parts(own.out, name, ("self_attn.out_proj",), width)
    weights |= norm(block.widen, f"{name}.fc1") | norm(block.narrow, f"{name}.fc2")
    if hasattr(block, "cross_attention"):
        cross = block.cross_attention
        weights |= norm(block.cross_norm, f"{name}.encoder_attn_layer_norm")
        weights |= norm(cross.query, f"{name}.encoder_attn.q_proj") | norm(cross.out, f"{name}.encoder_attn.out_proj")
        weights |= parts(cross.key_value, f"{name}.encoder_attn", ("k_proj", "v_proj"), width)
    return weights


def norm(module: Any, name: str) -> dict[str, Tensor]:
    """A module's weight and bias."""
    return {f"{name}.weight": module.weight, f"{name}.bias": module.bias}


def parts(fused: Any, name: str, names: tuple[str, ...], width: int) -> dict[str, Tensor]:
    """A fused projection's parts."""
    weights = dict(zip(names, fused.weight.split(width), strict=True))
    biases = dict(zip(names, fused.bias.split(width), strict=True))
    return {f"{name}.{each}.weight": weights[each] for each in names} | {
        f"{name}.{each}.bias": biases[each] for each in names
    }
