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
        table, factors = self._tensors["words"], self._tensors["words.factor"]
        x: Floats = table[ids] * factors[ids][:, None] + self._tensors["positions"][: len(ids)]
        x = _normalized(x, self._tensors["norm"])
        for layer in self._layers:
            x = _encoded(x, layer)
        mean: Floats = x.mean(axis=0)
        result: Floats = mean / np.float32(max(float(np.linalg.norm(mean)), 1e-9))
        return result

    def _layer(self, number: int) -> dict[str, Floats]:
        """Return the weights of a layer as numbers, its matrices in blocks to be multiplied from the right.

        Products of few tokens and a block take less time than those of a whole matrix, and there is one for each head.
        """
        names = {name.removeprefix(f"{number}."): name for name in self._tensors if name.startswith(f"{number}.")}
        layer: dict[str, Floats] = {}
        for short, name in names.items():
            tensor = self._tensors[name]
            if tensor.dtype == np.int8:
                factors = self._tensors[f"{name}.factor"].astype(np.float32)
                layer[short] = _in_blocks(tensor, factors, _BLOCKS[short], of_outputs=short in _OF_OUTPUTS)
            elif not short.endswith(".factor"):
                layer[short] = tensor.astype(np.float32)
        for name in _OF_OUTPUTS:
            layer[f"{name}.bias"] = layer[f"{name}.bias"].reshape(_BLOCKS[name], 1, -1)
        for name in ("attention", "attention.bias"):  # so that products of queries and keys are what they are to be
            layer[name][:_HEADS] /= np.float32(np.sqrt(layer[name].shape[-1]))
        layer["outer"] /= 2  # of what ``_gelu`` doubles
        return layer


_BLOCKS: Final = {"attention": 3 * _HEADS, "output": _HEADS, "inner": 24, "outer": 24}
_OF_OUTPUTS: Final = ("attention", "inner")
"""Matrices whose blocks each give other outputs; those of the others each read other inputs, and are added up."""


def _in_blocks(tensor: NDArray[Any], factors: Floats, count: int, *, of_outputs: bool) -> Floats:
    """Return a matrix, of which each row has the weights of an output, in blocks of outputs or of inputs."""
    outputs, inputs = tensor.shape
    if of_outputs:
        blocks = np.ascontiguousarray(tensor.reshape(count, -1, inputs).transpose(0, 2, 1))
        return np.asarray(blocks * factors.reshape(count, 1, -1), dtype=np.float32)
    return np.asarray(np.ascontiguousarray(tensor.T).reshape(count, -1, outputs) * factors, dtype=np.float32)


def _encoded(x: Floats, layer: dict[str, Floats]) -> Floats:
    """Return what a layer makes of the tokens, in the same memory."""
    heads = x @ layer["attention"]
    heads += layer["attention.bias"]
    query, key, value = heads[:_HEADS], heads[_HEADS : 2 * _HEADS], heads[2 * _HEADS :]
    scores = query @ key.transpose(0, 2, 1)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    mixed = scores @ value
    mixed /= scores.sum(axis=-1, keepdims=True)
    x += (mixed @ layer["output"]).sum(axis=0)
    x += layer["output.bias"]
    x = _normalized(x, layer["norm"])
    inner = x @ layer["inner"]
    inner += layer["inner.bias"]
    x += (_gelu(inner) @ layer["outer"]).sum(axis=0)
    x += layer["outer.bias"]
    return _normalized(x, layer["norm2"])


def _normalized(x: Floats, weights: NDArray[Any]) -> Floats:
    """Return each row with mean 0 and variance 1, times the first row of the weights plus the second."""
    x -= x.mean(axis=-1, keepdims=True)
    x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(1e-12))
    x *= weights[0]
    x += weights[1]
    return x


def _gelu(x: Floats) -> Floats:
    """Return twice the Gaussian error linear unit by its tanh form (Hendrycks, Gimpel, 2016)."""
    result = x * x
    result *= np.float32(0.044715 * 0.7978845608)
    result += np.float32(0.7978845608)
    result *= x
    np.tanh(result, out=result)
    result += np.float32(1)
    result *= x
    return result
