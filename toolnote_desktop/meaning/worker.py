"""The model's process: reads requests from its standard input until that ends (``toolnote search-model``, hidden)."""

from __future__ import annotations

import os
import sys
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from toolnote_desktop.meaning.messages import (
    MOST_INDEXES,
    MOST_TEXTS,
    MOST_TOOLS,
    SCALE,
    Added,
    Ask,
    Similar,
    read_request,
    write_message,
)

if TYPE_CHECKING:
    from toolnote_desktop.meaning.vectors import Vectors

_SLICE_SECONDS: Final = 0.04
"""Time after which no further text of a message is worked out: a question may be waiting."""
MEMORY_LIMIT: Final = 1_024 * 1024 * 1024
"""Bytes of address space of the process, where the system can limit it."""


def main(vectors: str) -> int:
    """Serve requests from standard input. Return 0 at its end, 1 if NumPy or the model is missing.

    Args:
        vectors: path of the file of vectors.
    """
    _bound()
    try:
        from toolnote_desktop.meaning.network import Network
        from toolnote_desktop.meaning.vectors import Vectors

        held = Vectors(Network(), Path(vectors))
    except (ImportError, OSError, ValueError, MemoryError) as error:
        print(f"the search model cannot be used: {error}", file=sys.stderr)
        return 1
    try:
        _serve(sys.stdin.buffer, sys.stdout.buffer, held)
    except (OSError, ValueError, MemoryError, KeyboardInterrupt):
        return 1
    finally:
        held.save()
    return 0


def _serve(requests: BinaryIO, responses: BinaryIO, held: Vectors) -> None:
    import numpy as np

    from toolnote_desktop.meaning.vectors import Bytes, unit_rows

    indexes: OrderedDict[int, list[Bytes]] = OrderedDict()
    asked: list[Bytes] = []  # the list that was asked last, and its matrix
    matrix = np.zeros((0, held.network.size), np.float32)
    while (request := read_request(requests)) is not None:
        rows = indexes.setdefault(request.index, [])
        indexes.move_to_end(request.index)
        while len(indexes) > 2 * MOST_INDEXES:  # the app forgets them in another order
            indexes.popitem(last=False)
        if isinstance(request, Ask):
            if rows and (asked is not rows or len(matrix) != len(rows)):  # rows are only added
                asked, matrix = rows, unit_rows(np.stack(rows))
            found = matrix @ held.network.vector(request.question) if rows else np.zeros(0, np.float32)
            write_message(responses, Similar((np.round(found * SCALE).astype("<f8") / SCALE).tobytes()))
            held.save()
            continue
        count, deadline = 0, time.monotonic() + _SLICE_SECONDS
        for text in request.texts[: min(MOST_TEXTS, MOST_TOOLS - len(rows))]:
            vector = held.known(text)
            if vector is None:
                if count and time.monotonic() > deadline:
                    break
                vector = held.work_out(text)
            rows.append(vector)
            count += 1
        write_message(responses, Added(count))


def _bound() -> None:
    """Limit the process: little priority, and bounded memory where the system can."""
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):
            os.nice(5)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
