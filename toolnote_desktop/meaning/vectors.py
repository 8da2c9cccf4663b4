"""Vectors of texts, in memory and in one file of the home, by hashes of model and text. For the worker alone."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from toolnote_desktop.meaning.network import Floats, Network
from toolnote_desktop.paths import make_folder, read_regular
from toolnote_desktop.system.atomic_file import write_file

log = logging.getLogger(__name__)

MOST_VECTORS: Final = 20_000
"""Vectors that the file holds: 8 MB. What was wanted longest ago is left out first."""
_MAGIC: Final = b"toolnote-vectors-1\n"
_HASH: Final = 16

Bytes = NDArray[np.int8]


class Vectors:
    """Vectors of texts as bytes, each scaled to its greatest part: read from the file, else worked out."""

    def __init__(self, network: Network, path: Path) -> None:
        self.network = network
        self._path = path
        self._key = hashlib.sha256(network.name.encode()).digest()
        self._record = np.dtype([("hash", f"V{_HASH}"), ("vector", np.int8, (network.size,))])
        self._known: dict[bytes, Bytes] = self._read()
        self.is_changed = False

    def known(self, text: str) -> Bytes | None:
        """Return the vector of a text if it was worked out before."""
        key = self._hash(text)
        vector = self._known.pop(key, None)
        if vector is not None:
            self._known[key] = vector  # wanted last
        return vector

    def work_out(self, text: str) -> Bytes:
        """Return the vector of a text."""
        made = as_bytes(self.network.vector(text))
        self._known[self._hash(text)] = made
        self.is_changed = True
        return made

    def save(self) -> None:
        """Write the file if vectors were added. One that cannot be written costs time at the next start, no more."""
        if not self.is_changed:
            return
        self.is_changed = False
        kept = list(self._known.items())[-MOST_VECTORS:]
        records = np.zeros(len(kept), self._record)
        for place, (key, vector) in enumerate(kept):
            records[place] = (np.void(key), vector)
        body = records.tobytes()
        try:
            make_folder(self._path.parent)
            write_file(self._path, _MAGIC + self._key + hashlib.sha256(body).digest() + body, durable=False)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)

    def _read(self) -> dict[bytes, Bytes]:
        """Return the vectors of the file; none if it is of another model, damaged or too large."""
        try:
            raw = read_regular(self._path)
        except OSError:
            return {}
        head = _MAGIC + self._key
        start = len(head) + len(self._key)
        body = raw[start:]
        if not raw.startswith(head) or raw[len(head) : start] != hashlib.sha256(body).digest():
            return {}
        if len(body) % self._record.itemsize or len(body) > MOST_VECTORS * self._record.itemsize:
            return {}
        records: NDArray[Any] = np.frombuffer(body, self._record)
        return {bytes(one["hash"]): one["vector"] for one in records}

    def _hash(self, text: str) -> bytes:
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_HASH]


def as_bytes(vector: Floats) -> Bytes:
    """Return a vector as bytes; its length is lost, which a cosine does not need."""
    scaled: Bytes = np.round(vector * (127 / max(float(np.abs(vector).max()), 1e-9))).astype(np.int8)
    return scaled


def unit_rows(vectors: Bytes) -> Floats:
    """Return each row with length 1, so that its product with a question of length 1 is their cosine."""
    rows = vectors.astype(np.float32)
    lengths = np.maximum(np.sqrt((rows * rows).sum(axis=1)), 1e-9)
    return np.asarray(rows / lengths[:, None], dtype=np.float32)
