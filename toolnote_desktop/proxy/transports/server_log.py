"""Log of a server's stderr: the newest lines, bounded, without the secrets of its entry.

The same lines go to a file of bounded size, written by a thread of its own, so that a slow disk never blocks the loop.
"""

from __future__ import annotations

import codecs
import hashlib
import logging
import os
import re
import threading
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

from toolnote_desktop.model.hidden_characters import escape_controls
from toolnote_desktop.model.secrets.secret_masks import SecretCover
from toolnote_desktop.paths import make_folder
from toolnote_desktop.proxy.aio.worker_thread import WorkerThread

log = logging.getLogger(__name__)

LINES = 500
BYTES = 64 * 1024
LONGEST_LINE = 4096
"""Characters; a longer line is split, so that a flood without a line end is bounded too."""

FILE_BYTES = 1024 * 1024
"""Size of a file; the one before it is stored as ``NAME.log.1``."""

_BACKLOG = 256 * 1024
"""Characters that may wait for the disk; further lines are left out of the file, which says so."""


def log_name(server: str) -> str:
    """Return a file name for a server's id, which may be any text; different ids have different names."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", server)[:60]
    if plain == server and not re.fullmatch(r"(?i)con|prn|aux|nul|com\d|lpt\d", plain):
        return f"{plain}.log"
    return f"{plain}-{hashlib.sha256(server.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.log"


class LogFiles:
    """Log files of all servers, with the thread that writes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer = WorkerThread("toolnote-server-logs")
        self._lock = threading.Lock()
        self._waiting: dict[str, list[str]] = {}
        self._size = 0
        self._dropped = False
        self._scheduled = False

    def append(self, name: str, lines: list[str]) -> None:
        """Append lines to the file called ``name``; returns at once."""
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        with self._lock:
            if self._size > _BACKLOG:
                self._dropped = True
                return
            texts = [f"{stamp} {escape_controls(line)}\n" for line in lines]  # it is read in a terminal
            self._waiting.setdefault(name, []).extend(texts)
            self._size += sum(map(len, texts))
            if self._scheduled:
                return
            self._scheduled = True
        self._writer.submit(self._write)

    def close(self) -> None:
        """Write pending lines and stop the thread."""
        self._writer.close()

    def _write(self) -> None:
        with self._lock:
            waiting, self._waiting, self._size, self._scheduled = self._waiting, {}, 0, False
            dropped, self._dropped = self._dropped, False
        for name, texts in waiting.items():
            if dropped:
                texts.append("… lines were left out here: they came faster than the disk took them\n")
            try:
                self._append(self._folder / name, "".join(texts).encode("utf-8", "backslashreplace"))
            except OSError as error:
                log.warning("%s could not be written: %s", name, error)

    def _append(self, path: Path, data: bytes) -> None:
        make_folder(self._folder)
        try:
            if path.stat().st_size + len(data) > FILE_BYTES:
                os.replace(path, path.with_name(f"{path.name}.1"))
        except FileNotFoundError:
            pass  # the first lines
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with open(descriptor, "ab") as file:
            file.write(data[-FILE_BYTES:])


class ServerLog:
    """Newest lines of one server. Fed on the event loop; ``tail`` may be called from any thread."""

    def __init__(self, server: str, files: LogFiles | None = None) -> None:
        self._name = log_name(server)
        self._files = files
        self._redact = SecretCover()
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._pending = ""
        self._last_output = ""
        self._lines: deque[tuple[float, str]] = deque()
        self._size = 0

    def redact_with(self, cover: SecretCover) -> None:
        """Mask these secrets from now on."""
        self._redact = cover

    def redacted(self, text: str) -> str:
        """Return a text without this server's secrets."""
        return self._redact(text)

    def tail(self) -> tuple[str, ...]:
        """Return the newest lines, oldest first, redacted."""
        return tuple(line for _, line in self._lines.copy())

    def timed_tail(self) -> tuple[tuple[float, str], ...]:
        """Return the newest lines as ``tail``, each with its time in seconds since the epoch."""
        return tuple(self._lines.copy())

    @property
    def last_line(self) -> str:
        """Newest line that the server itself wrote, even without a line end; "" if there is none."""
        if self._pending.strip():
            return self._redact(self._pending).strip()[:LONGEST_LINE]
        return self._last_output

    def feed(self, data: bytes) -> None:
        """Process bytes from the pipe."""
        self._pending += self._decoder.decode(data)
        if "\n" not in self._pending and len(self._pending) <= LONGEST_LINE + self._redact.longest:
            return
        *lines, self._pending = self._pending.split("\n")
        pieces: list[str] = []
        if len(lines) > LINES:  # a flood, of which only the newest lines are ever shown
            pieces.append(f"[{len(lines) - LINES} lines were left out here: they came too fast]")
            lines = lines[-LINES:]
        for line in lines:
            pieces += _pieces(self._redact(line.rstrip("\r")))
        if len(self._pending) > LONGEST_LINE + self._redact.longest:
            # A secret may span the cut: as many characters as the longest one has are held back.
            masked = self._redact(self._pending)
            cut = len(masked) - self._redact.longest
            pieces += _pieces(masked[:cut])
            self._pending = masked[cut:]
        self._add_output(pieces)

    def note(self, text: str) -> None:
        """Add a line of our own in brackets, for example about the server's start or end."""
        self._add([f"[{self._redact(text)[:LONGEST_LINE]}]"])

    def quote(self, what: str, data: bytes, most: int) -> None:
        """Add the first ``most`` characters of output that came elsewhere than on stderr.

        It is redacted before it is cut, because half a secret would not be recognized.
        """
        # Four bytes are the longest character.
        text = data[: 4 * (most + self._redact.longest)].decode("utf-8", "backslashreplace")
        self._add([f"[{what}: {self._redact(text)[:most]}]"])

    def flush(self) -> None:
        """Add the last line at the end of the pipe, which may have no line end."""
        self._pending += self._decoder.decode(b"", final=True)
        if self._pending:
            masked, self._pending = self._redact(self._pending), ""
            self._add_output(_pieces(masked))
        self._decoder.reset()

    def start_process(self) -> None:
        """Forget the last line of the previous process."""
        self._last_output = ""

    def _add_output(self, lines: list[str]) -> None:
        self._last_output = next((line.strip() for line in reversed(lines) if line.strip()), self._last_output)
        self._add(lines)

    def _add(self, lines: list[str]) -> None:
        now = time.time()
        for line in lines:
            self._lines.append((now, line))
            self._size += len(line.encode("utf-8", "replace"))
        while len(self._lines) > LINES or self._size > BYTES:
            self._size -= len(self._lines.popleft()[1].encode("utf-8", "replace"))
        if self._files is not None and lines:
            self._files.append(self._name, lines)


def _pieces(line: str) -> list[str]:
    return [line[at : at + LONGEST_LINE] for at in range(0, max(1, len(line)), LONGEST_LINE)]
