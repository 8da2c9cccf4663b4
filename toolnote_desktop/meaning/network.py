"""Sentence vectors by a BERT encoder with mean pooling, in NumPy. Imported by the worker process alone.

Source: Devlin et al., *BERT* (2019); Reimers, Gurevych, *Sentence-BERT* (2019). The weights are those of
all-MiniLM-L6-v2, trained further (``resources/search/model.md``), each row of them as bytes with a factor.
"""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from toolnote_desktop import assets
from toolnote_desktop.meaning.wordpiece import WordPiece

Floats = NDArray[np.float32]

MOST_TOKENS: Final = 72
"""Tokens of a text that are read."""
_MAGIC: Final = b"toolnote-model-1\n"
_HEADS: Final = 12


class Network:
    """Model as bundled."""

    def __init__(self) -> None:
        raw = assets.path("search/model.bin").read_bytes()
        if not raw.startswith(_MAGIC):
            raise ValueError("search/model.bin is no model")
        start = len(_MAGIC) + 4
        end = start + int.from_bytes(raw[len(_MAGIC) : start], "little")
        header: dict[str, Any] = json.loads(raw[start:end])
        self.name: str = header["name"]
        self.words = WordPiece(header["vocabulary"].split("\n"))
        body = memoryview(raw)[end:]
        self._tensors: dict[str, NDArray[Any]] = {}
        for name, (kind, shape, offset) in header["tensors"].items():
            count = int(np.prod(shape))
            self._tensors[name] = np.frombuffer(body, dtype=np.dtype(kind), count=count, offset=offset).reshape(shape)
        self._layers = [self._layer(number) for number in range(header["layers"])]
        self.size = int(self._tensors["positions"].shape[1])

    def vector(self, text: str) -> Floats:
        """Return the vector of a text, of length 1."""
        ids = self.words.tokens(text, MOST_TOKENS)
        count = len(ids)
        table, factors = self._tensors["words"], self._tensors["words.factor"]
        x = table[ids] * factors[ids][:, None].astype(np.float32) + self._tensors["positions"][:count]
        x = _normalized(x.astype(np.float32), self._tensors["norm"])
        for layer in self._layers:
            x = _encoded(x, layer, count)
        mean: Floats = x.mean(axis=0)
        result: Floats = mean / np.float32(max(float(np.linalg.norm(mean)), 1e-9))
        return result

    def _layer(self, number: int) -> dict[str, Floats]:
        """Return the weights of a layer, each matrix turned to be multiplied from the right."""
        names = {name.removeprefix(f"{number}."): name for name in self._tensors if name.startswith(f"{number}.")}
        layer: dict[str, Floats] = {}
        for short, name in names.items():
            tensor = self._tensors[name]
            if tensor.dtype == np.int8:
                factors = self._tensors[f"{name}.factor"].astype(np.float32)
                layer[short] = np.ascontiguousarray((tensor * factors[:, None]).T, dtype=np.float32)
            elif not short.endswith(".factor"):
                layer[short] = tensor.astype(np.float32)
        return layer


def _encoded(x: Floats, layer: dict[str, Floats], count: int) -> Floats:
    """Return what a layer makes of the tokens."""
    size = x.shape[1]
    heads = (x @ layer["attention"] + layer["attention.bias"]).reshape(count, 3, _HEADS, size // _HEADS)
    query, key, value = np.ascontiguousarray(heads.transpose(1, 2, 0, 3), dtype=np.float32)
    scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(size // _HEADS))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed = (scores @ value).transpose(1, 0, 2).reshape(count, size)
    x = _normalized(x + mixed @ layer["output"] + layer["output.bias"], layer["norm"])
    inner = _gelu(x @ layer["inner"] + layer["inner.bias"])
    return _normalized(x + inner @ layer["outer"] + layer["outer.bias"], layer["norm2"])


def _normalized(x: Floats, weights: NDArray[Any]) -> Floats:
    """Return each row with mean 0 and variance 1, times the first row of the weights plus the second."""
    x = x - x.mean(axis=-1, keepdims=True)
    x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(1e-12))
    scaled: Floats = x * weights[0] + weights[1]
    return scaled


def _gelu(x: Floats) -> Floats:
    """Return the Gaussian error linear unit by its tanh form (Hendrycks, Gimpel, 2016)."""
    result: Floats = 0.5 * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)))
    return result
