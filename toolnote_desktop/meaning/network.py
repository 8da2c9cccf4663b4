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
        self._layers = self._read_layers(header["layers"])
        self.size = int(self._tensors["positions"].shape[1])

    def vector(self, text: str) -> Floats:
        """Return the vector of a text, of length 1."""
        ids = self.words.tokens(text, MOST_TOKENS)
        table, factors = self._tensors["words"], self._tensors["words.factor"]
        x: Floats = table[ids] * factors[ids][:, None] + self._tensors["positions"][: len(ids)]
        _normalize(x, self._tensors["norm"])
        for layer in self._layers:
            _encode(x, layer)
        mean: Floats = x.mean(axis=0)
        result: Floats = mean / np.float32(max(float(np.linalg.norm(mean)), 1e-9))
        return result

    def _read_layers(self, count: int) -> list[dict[str, Floats]]:
        """Return the weights of the layers as numbers.

        They are read once for each text, in 40 MB: in one piece of memory the system keeps them in large pages, which
        takes a fourth less time.
        """
        layers = [self._layer(number) for number in range(count)]
        parts = [(layer, name) for layer in layers for name in _MATRICES]
        memory = np.empty(sum(layer[name].size for layer, name in parts) + _LINE, np.float32)
        start = -memory.ctypes.data % (4 * _LINE) // 4
        for layer, name in parts:
            end = start + layer[name].size
            kept = memory[start:end].reshape(layer[name].shape)
            kept[:] = layer[name]
            layer[name], start = kept, end
        return layers

    def _layer(self, number: int) -> dict[str, Floats]:
        """Return the weights of a layer as numbers, its matrices in blocks to be multiplied from the right.

        What a key's bias adds is the same for all keys of a query, and so changes nothing. That of the values is the
        same for all tokens, since the shares of a query add up to 1: it belongs to the bias of what reads them.
        """
        names = {name.removeprefix(f"{number}."): name for name in self._tensors if name.startswith(f"{number}.")}
        layer: dict[str, Floats] = {}
        for short, name in names.items():
            tensor = self._tensors[name]
            if tensor.dtype == np.int8:
                factors = self._tensors[f"{name}.factor"].astype(np.float32)
                layer[short] = np.asarray(tensor * factors.reshape(-1, 1), dtype=np.float32)
            elif not short.endswith(".factor"):
                layer[short] = tensor.astype(np.float32)
        size = layer["output"].shape[0]
        bias = layer.pop("attention.bias")
        scale = np.float32(1 / np.sqrt(size / _HEADS))  # so that products of queries and keys are what they are to be
        layer["query.bias"] = bias[:size] * scale
        layer["output.bias"] += layer["output"] @ bias[2 * size :]
        layer["attention"][:size] *= scale
        layer["outer"] /= 2  # of what ``_gelu`` doubles
        for name in _MATRICES:
            layer[name] = _in_blocks(layer[name])
        return layer


_MATRICES: Final = ("attention", "output", "inner", "outer")
_LINE: Final = 16
"""Numbers of a line of a processor's cache."""
_OUTPUTS: Final = 64
_INPUTS: Final = 384
"""Numbers that a block of a matrix gives and reads: products of few tokens and such a block take the least time."""


def _in_blocks(matrix: Floats) -> Floats:
    """Return a matrix, of which each row has the weights of an output, in blocks: by inputs, then by outputs."""
    outputs, inputs = matrix.shape
    return matrix.reshape(outputs // _OUTPUTS, _OUTPUTS, inputs // _INPUTS, _INPUTS).transpose(2, 0, 3, 1)


def _product(x: Floats, blocks: Floats) -> Floats:
    """Return the product of each row and a matrix in blocks (``_in_blocks``)."""
    parts, columns, inputs, outputs = blocks.shape
    result = np.empty((parts, len(x), columns * outputs), np.float32)
    np.matmul(
        x.reshape(len(x), parts, 1, inputs).transpose(1, 2, 0, 3),
        blocks,
        out=result.reshape(parts, len(x), columns, outputs).transpose(0, 2, 1, 3),
    )
    return result[0] if parts == 1 else result.sum(axis=0)


def _encode(x: Floats, layer: dict[str, Floats]) -> None:
    """Turn tokens into what a layer makes of them."""
    count, size = x.shape
    attention = _product(x, layer["attention"])
    attention[:, :size] += layer["query.bias"]
    query, key, value = attention.reshape(count, 3, _HEADS, size // _HEADS).transpose(1, 2, 0, 3)
    scores = query @ key.transpose(0, 2, 1)
    np.clip(scores, -_SAFE_SCORE, _SAFE_SCORE, out=scores)
    np.exp(scores, out=scores)
    scores /= scores @ np.ones((count, 1), np.float32)
    mixed = np.empty((count, size), np.float32)
    np.matmul(scores, value, out=mixed.reshape(count, _HEADS, -1).transpose(1, 0, 2))
    x += _product(mixed, layer["output"])
    x += layer["output.bias"]
    _normalize(x, layer["norm"])
    inner = _product(x, layer["inner"])
    inner += layer["inner.bias"]
    x += _product(_gelu(inner), layer["outer"])
    x += layer["outer.bias"]
    _normalize(x, layer["norm2"])


_SAFE_SCORE: Final = np.float32(80)
"""Product of a query and a key whose exponential is still a number of four bytes. The largest seen are about 40."""


def _normalize(x: Floats, weights: NDArray[Any]) -> None:
    """Give each row mean 0 and variance 1, times the first row of the weights plus the second."""
    x -= x.sum(axis=1, keepdims=True) * np.float32(1 / x.shape[1])
    x *= 1 / np.sqrt(np.vecdot(x, x)[:, None] * np.float32(1 / x.shape[1]) + np.float32(1e-12))
    x *= weights[0]
    x += weights[1]


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
