"""Train the search's model: ``python -m tests.measurements.model_training DIR [--steps N] [--to FILE]``.

Needs PyTorch, safetensors and tokenizers, which nothing else here needs and the lock files do not list (an environment
beside the clone's own, whose packages it needs as well), and in ``DIR`` the files ``model.safetensors`` and
``tokenizer.json`` of all-MiniLM-L6-v2. Writes ``resources/search/model.bin``; ``--steps 2 --to FILE`` shows in a minute
that it runs and leaves that file alone. The upper three of its six layers are trained on the
plain questions of ``FILES``: each with one of its tools, one of the tools that the model takes for nearest though they
do not answer it, and those of the other questions of its batch (InfoNCE: van den Oord et al., 2018). The other files
are left for ``joined_training``, which needs cosines of questions that the model has not seen.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.measurements.search import HERE, name_of, read_questions, served
from toolnote_desktop.guidance.search import SearchIndex

TARGET: Final = Path(__file__).parents[2] / "resources" / "search"
FILES: Final = ("tuning", "tuning_2", "tuning_3", "tuning_4")
"""Files of questions that the model is trained on."""
_FIXED: Final = 3
_LAYERS: Final = 6
_TOKENS: Final = 72
_BATCH: Final = 32
_ROUNDS: Final = 3
_RATE: Final = 5e-5
_TEMPERATURE: Final = 0.05
_HARD: Final = 12

torch: Any = importlib.import_module("torch") if __name__ == "__main__" else None


class Encoder:
    """Weights of the encoder by their names in ``model.bin``, as tensors."""

    def __init__(self, folder: Path) -> None:
        load = importlib.import_module("safetensors.torch").load_file
        raw = {name.removeprefix("bert."): value for name, value in load(folder / "model.safetensors").items()}
        tokenizers = importlib.import_module("tokenizers")
        self.tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(_TOKENS)
        self.weights: dict[str, Any] = {
            "words": raw["embeddings.word_embeddings.weight"],
            "positions": raw["embeddings.position_embeddings.weight"][:_TOKENS]
            + raw["embeddings.token_type_embeddings.weight"][0],
            "norm": torch.stack([raw[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias")]),
        }
        for number in range(_LAYERS):
            self.weights |= {f"{number}.{name}": value for name, value in _layer_of(raw, number).items()}

    def copy(self) -> Encoder:
        """Return a copy whose upper layers are trained."""
        made = copy.copy(self)
        made.weights = {
            name: value.clone().requires_grad_(name[0].isdigit() and int(name[0]) >= _FIXED)
            for name, value in self.weights.items()
        }
        return made

    def lower(self, texts: Sequence[str]) -> list[Any]:
        """Return what the layers that stay make of each text."""
        found = []
        with torch.no_grad():
            for one in self.tokenizer.encode_batch(list(texts)):
                ids = torch.tensor(one.ids)[None]
                x = _normalized(
                    self.weights["words"][ids] + self.weights["positions"][: ids.shape[1]], self.weights["norm"]
                )
                for number in range(_FIXED):
                    x = self._layer(x, torch.ones(1, ids.shape[1]), number)
                found.append(x[0])
        return found

    def upper(self, lower: Sequence[Any]) -> Any:
        """Return the vectors of several texts, each of length 1."""
        x = torch.nn.utils.rnn.pad_sequence(list(lower), batch_first=True)
        mask = torch.tensor([[float(place < len(one)) for place in range(x.shape[1])] for one in lower])
        for number in range(_FIXED, _LAYERS):
            x = self._layer(x, mask, number)
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.nn.functional.normalize(mean, dim=-1)

    def vectors(self, lower: Sequence[Any]) -> Any:
        """Return the vectors of many texts as an array."""
        with torch.no_grad():
            return np.concatenate([self.upper(lower[at : at + 32]).numpy() for at in range(0, len(lower), 32)])

    def _layer(self, x: Any, mask: Any, number: int) -> Any:
        functional, weights = torch.nn.functional, self.weights
        count, length, size = x.shape
        parts = functional.linear(x, weights[f"{number}.attention"], weights[f"{number}.attention.bias"])
        query, key, value = parts.view(count, length, 3, 12, size // 12).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :].bool())
        mixed = mixed.transpose(1, 2).reshape(count, length, size)
        out = functional.linear(mixed, weights[f"{number}.output"], weights[f"{number}.output.bias"])
        x = _normalized(x + out, weights[f"{number}.norm"])
        inner = functional.gelu(functional.linear(x, weights[f"{number}.inner"], weights[f"{number}.inner.bias"]))
        out = functional.linear(inner, weights[f"{number}.outer"], weights[f"{number}.outer.bias"])
        return _normalized(x + out, weights[f"{number}.norm2"])

    def write(self, path: Path) -> None:
        """Write the file that ``toolnote_desktop.meaning.network`` reads."""
        vocabulary = sorted(self.tokenizer.get_vocab().items(), key=lambda one: one[1])
        tensors: dict[str, Any] = {}
        for name, tensor in self.weights.items():
            value = tensor.detach().numpy()
            if value.ndim == 2 and name != "positions" and "norm" not in name:
                factors = np.maximum(np.abs(value).max(axis=1) / 127, 1e-12).astype(np.float32)
                tensors[name] = np.round(value / factors[:, None]).astype(np.int8)
                tensors[f"{name}.factor"] = factors
            else:
                tensors[name] = value.astype(np.float32)
        body, places = bytearray(), {}
        for name, value in tensors.items():
            body += bytes(-len(body) % 16)
            places[name] = [value.dtype.str, list(value.shape), len(body)]
            body += np.ascontiguousarray(value).tobytes()
        words = "\n".join(word for word, _ in vocabulary)
        header = {"name": "toolnote-1", "layers": _LAYERS, "tensors": places, "vocabulary": words}
        head, magic = json.dumps(header, ensure_ascii=False).encode(), b"toolnote-model-1\n"
        head += b" " * (-(len(magic) + 4 + len(head)) % 16)
        path.write_bytes(magic + len(head).to_bytes(4, "little") + head + body)


def _layer_of(raw: dict[str, Any], number: int) -> dict[str, Any]:
    prefix = f"encoder.layer.{number}."
    own = {name.removeprefix(prefix): value for name, value in raw.items() if name.startswith(prefix)}
    found = {"norm": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
    layer = {name: torch.stack([own[f"{place}.weight"], own[f"{place}.bias"]]) for name, place in found.items()}
    heads = [f"attention.self.{name}" for name in ("query", "key", "value")]
    layer["attention"] = torch.cat([own[f"{head}.weight"] for head in heads])
    layer["attention.bias"] = torch.cat([own[f"{head}.bias"] for head in heads])
    for name, place in (("output", "attention.output"), ("inner", "intermediate"), ("outer", "output")):
        layer[name], layer[f"{name}.bias"] = own[f"{place}.dense.weight"], own[f"{place}.dense.bias"]
    return layer


def _normalized(x: Any, weights: Any) -> Any:
    return torch.nn.functional.layer_norm(x, x.shape[-1:], weights[0], weights[1], 1e-12)


class Sets:
    """Questions of ``FILES``, and the tools, as the layers that stay give them."""

    def __init__(self, base: Encoder) -> None:
        self.base = base
        self.questions = {file: read_questions(HERE / "search" / f"{file}.jsonl") for file in FILES}
        self.index = SearchIndex(served({}))
        self.places = {name_of(tool): place for place, tool in enumerate(self.index.tools)}
        self.tools = base.lower(self.index.texts)
        self.lower = {
            file: base.lower([self.index.question_for_model(one.question) for one in questions])
            for file, questions in self.questions.items()
        }

    def train(self, most: int | None = None) -> Encoder:
        """Return an encoder that was trained on the questions, in ``most`` steps at most."""
        drawn = random.Random(0)
        torch.manual_seed(0)
        tools, pairs = self.base.vectors(self.tools), []
        for file in FILES:
            asked = self.base.vectors(self.lower[file])
            for one, lower, vector in zip(self.questions[file], self.lower[file], asked, strict=True):
                if one.kind == "plain":
                    fit = [self.places[name] for name in one.expected]
                    hard = [int(place) for place in np.argsort(-(tools @ vector)) if place not in fit]
                    pairs.append((lower, fit, hard[:_HARD]))
        made = self.base.copy()
        trained = [value for value in made.weights.values() if value.requires_grad]
        optimizer = torch.optim.AdamW(trained, lr=_RATE, weight_decay=0.01)
        steps, step = _ROUNDS * -(-len(pairs) // _BATCH), 0
        for _ in range(_ROUNDS):
            drawn.shuffle(pairs)
            for at in range(0, len(pairs) - _BATCH // 2, _BATCH):
                if step == most:
                    return made
                some, step = pairs[at : at + _BATCH], step + 1
                for group in optimizer.param_groups:
                    group["lr"] = _RATE * min(1, step / (0.1 * steps + 1)) * max(0.0, 1 - step / steps)
                shown = list(dict.fromkeys(drawn.choice(own) for _, fit, hard in some for own in (fit, hard)))
                scores = made.upper([lower for lower, _, _ in some]) @ made.upper([self.tools[one] for one in shown]).T
                right = torch.tensor([[one in fit for one in shown] for _, fit, _ in some])
                scores = scores / _TEMPERATURE
                best = torch.logsumexp(scores.masked_fill(~right, -1e9), 1)
                loss = (torch.logsumexp(scores, 1) - best).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return made


def main() -> None:
    """Train, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.measurements.model_training", description=__doc__)
    parser.add_argument("folder", type=Path, help="has model.safetensors and tokenizer.json of all-MiniLM-L6-v2")
    parser.add_argument("--steps", type=int, help="stop after so many steps: to see that it runs")
    parser.add_argument("--to", type=Path, default=TARGET / "model.bin", help="the file to write")
    options = parser.parse_args()
    Sets(Encoder(options.folder)).train(options.steps).write(options.to)


if __name__ == "__main__":
    main()
