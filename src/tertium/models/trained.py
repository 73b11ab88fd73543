"""A network with its vocabularies: text in, log probabilities out; and the folder that it is kept in.

    config.json         what the network is (its spelling), the languages, what Tertium wrote it
    model.safetensors   the weights
    vocabulary.json     the subwords; or source.json and target.json where the two sides have their own
    README.md           the model's card: for people

The folder has all that is needed. Padding, the begin and the unknown token are never predicted: their probability is
0 here, whatever the network says of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tertium import __version__, registry
from tertium.errors import InputError, MissingFile
from tertium.models.network import BEGIN, END, PADDING, UNKNOWN, Network
from tertium.models.next_token import State, Step
from tertium.models.vocabulary import Vocabulary
from tertium.native.network import FAST
from tertium.native.network import log_softmax as in_place

FORMAT = 1
NEVER = [PADDING, BEGIN, UNKNOWN]
LIMITS = ("longest_source", "longest_target")
ONE_VOCABULARY, TWO_VOCABULARIES = ("vocabulary.json",), ("source.json", "target.json")


@dataclass
class TrainedModel:
    """A translation model of ours; see `tertium.models.next_token` for what its methods promise."""

    network: Any  # a Network that is an nn.Module
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    facts: dict[str, Any] = field(default_factory=dict)  # languages, how it was trained: for the card
    longest_source: int | None = None
    longest_target: int | None = None

    @property
    def vocabulary_size(self) -> int:
        return len(self.target_vocabulary)

    @property
    def end(self) -> int:
        return END

    def source_tokens(self, text: str) -> list[int]:
        """The subwords of a source text and its end."""
        return [*self.source_vocabulary.tokens(text), END]

    def target_tokens(self, text: str) -> list[int]:
        """The subwords of a translation and its end."""
        return [*self.target_vocabulary.tokens(text), END]

    def text(self, tokens: Sequence[int]) -> str:
        """The text of a translation's tokens."""
        return self.target_vocabulary.text(tokens)

    @torch.inference_mode()
    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        """Read the sources and feed the begin token."""
        self.network.eval()
        network: Network = self.network
        state = network.begin(network.read(padded(sources)))
        step = self.advance(state, torch.full((len(sources), 1), BEGIN))
        return Step(step.log_probs[:, 0], step.state)

    @torch.inference_mode()
    def advance(self, state: State, tokens: Tensor) -> Step:
        """Feed tokens (rows, n): log probabilities (rows, n, vocabulary) of what follows each."""
        hidden, after = self.network.step(self.network.embed_target(tokens), state)
        logits = self.network.project(hidden).float()
        logits[..., NEVER] = float("-inf")
        return Step(log_softmax(logits), after)

    def save(self, folder: str | Path) -> None:
        """Write the folder, whole or not at all for each file."""
        from safetensors.torch import save_file

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        config = {"tertium": __version__, "format": FORMAT, "network": repr(self.network.options), **self.facts}
        config |= {name: getattr(self, name) for name in LIMITS if getattr(self, name) is not None}
        save_file(own_tensors(self.network), str(folder / "model.safetensors.part"))
        (folder / "model.safetensors.part").replace(folder / "model.safetensors")
        for name in {*ONE_VOCABULARY, *TWO_VOCABULARIES} - set(self.vocabularies()):
            (folder / name).unlink(missing_ok=True)  # of a model that was here before
        for name, vocabulary in self.vocabularies().items():
            (folder / name).write_text(vocabulary.to_json(), encoding="utf-8")
        (folder / "config.json").write_text(json.dumps(config, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        (folder / "README.md").write_text(card(config, self.parameters), encoding="utf-8")

    @property
    def parameters(self) -> int:
        """How many numbers were learned."""
        return sum(each.numel() for each in self.network.parameters())

    def vocabularies(self) -> dict[str, Vocabulary]:
        """The vocabularies by the names of their files."""
        if self.source_vocabulary == self.target_vocabulary:
            return dict(zip(ONE_VOCABULARY, [self.source_vocabulary], strict=True))
        return dict(zip(TWO_VOCABULARIES, [self.source_vocabulary, self.target_vocabulary], strict=True))

    @classmethod
    def load(cls, folder: str | Path) -> "TrainedModel":
        """Read a folder that `save` wrote; a missing or damaged part is named."""
        folder = Path(folder)
        config = read_config(folder)
        if config.get("format") != FORMAT or "network" not in config:
            raise InputError(f"{folder}: its format is {config.get('format')}, this version reads {FORMAT}")
        source, target = read_vocabularies(folder)
        network = registry.make("network", str(config["network"])).build(len(source), len(target))
        _read_weights(network, folder / "model.safetensors")
        own = ("tertium", "format", "network", *LIMITS)
        facts = {key: value for key, value in config.items() if key not in own}
        return cls(network.eval(), source, target, facts, **{name: config.get(name) for name in LIMITS})


def log_softmax(logits: Tensor) -> Tensor:
    """Log probabilities (..., vocabulary), in the place of the logits where the core computes them.

    >>> log_softmax(torch.zeros(1, 2)).exp().tolist()
    [[0.5, 0.5]]
    """
    if not FAST or torch.is_grad_enabled():
        return logits.log_softmax(-1)
    logits = logits.contiguous()
    in_place(logits.view(-1, logits.shape[-1]).numpy(), threads=torch.get_num_threads())
    return logits


def padded(sequences: Sequence[Sequence[int]], padding: int = PADDING) -> Tensor:
    """Token ids (sequences, longest), padded on the right.

    >>> padded([[5, 6], [7]]).tolist()
    [[5, 6], [7, 0]]
    """
    longest = max(len(each) for each in sequences)
    return torch.tensor([[*each, *[padding] * (longest - len(each))] for each in sequences], dtype=torch.long)


def read_vocabularies(folder: Path) -> tuple[Vocabulary, Vocabulary]:
    """The source's and the target's subwords in a model's folder; the same object where they are one."""
    names = TWO_VOCABULARIES if (folder / TWO_VOCABULARIES[0]).exists() else ONE_VOCABULARY
    found = [Vocabulary.load(folder / name) for name in names]
    return found[0], found[-1]


def read_config(folder: Path) -> dict[str, Any]:
    """The config.json of a model's folder."""
    path = folder / "config.json"
    if not folder.is_dir():
        raise MissingFile(f"there is no model folder {folder}")
    if not path.exists():
        raise MissingFile(f"{folder} is no model's folder: it has no config.json")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no JSON: {error}") from None
    if not isinstance(config, dict):
        raise InputError(f"{path} must be a JSON object")
    return config


def own_tensors(network: Any) -> dict[str, Tensor]:
    """The weights by name, each once: tied weights are stored under the first of their names."""
    found: dict[str, Tensor] = {}
    seen: set[int] = set()
    for name, tensor in network.state_dict().items():
        if tensor.data_ptr() not in seen or not tensor.numel():
            seen.add(tensor.data_ptr())
            found[name] = tensor.contiguous()
    return found


def _read_weights(network: Any, path: Path) -> None:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if not path.exists():
        raise MissingFile(f"there is no {path}: the model's folder is not whole")
    try:
        weights: Mapping[str, Tensor] = load_file(str(path))
    except SafetensorError as error:
        raise InputError(f"{path} is damaged: {error}") from None
    wanted = own_tensors(network)
    for name in sorted({*wanted, *weights}):
        if name not in weights:
            raise InputError(f"{path} lacks {name}, which config.json says the network has")
        if name not in wanted or weights[name].shape != wanted[name].shape:
            raise InputError(f"{path}: {name} does not fit the network that config.json describes")
        if not bool(torch.isfinite(weights[name]).all()):
            raise InputError(f"{path}: {name} has values that are not finite: the training went astray")
    network.load_state_dict(weights, strict=False)


def card(config: Mapping[str, Any], parameters: int) -> str:
    """The model's README: what it is, and how to use it."""
    lines = [f"# {config.get('title', 'A translation model')}", ""]
    lines += [f"* {key}: {value}" for key, value in config.items() if key not in ("title", "format")]
    lines += [f"* parameters: {parameters:,}", "", "Made by Tertium:", ""]
    lines += ["```", "tertium translate THIS_FOLDER < source.txt > translation.txt", "```", ""]
    return "\n".join(lines)
