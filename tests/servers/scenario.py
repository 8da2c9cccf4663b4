"""A scenario as data: what a test server is told to do. The keys are described in ``raw_server.py``."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSION = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"

_decoder = json.JSONDecoder()
_WHITE = " \t\r\n"


def encode(value: Any) -> bytes:
    """Compact JSON in ASCII, so that lone surrogates can be written."""
    return json.dumps(value, separators=(",", ":")).encode()


def members(text: str) -> dict[str, str]:
    """The top-level members of a JSON object, each value as the raw text it had; {} for anything else."""
    try:
        return dict(_members(text))
    except (ValueError, IndexError):
        return {}


def _members(text: str) -> Iterator[tuple[str, str]]:
    at = _skip(text, 0)
    if text[at] != "{":
        return
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, at = _decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)  # over the colon
        start = at
        _, at = _decoder.raw_decode(text, at)
        yield key, text[start:at]
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    while text[at] in _WHITE:
        at += 1
    return at


def load_scenario(argument: str) -> Scenario:
    """From the JSON text or the path given on a command line."""
    if argument.lstrip().startswith("{"):
        return Scenario(json.loads(argument))
    with open(argument, encoding="utf-8") as file:
        return Scenario(json.load(file))


class Scenario:
    """The settings of one run, and the part of them that changes while it runs."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._times: dict[str, int] = {}

    def get(self, key: str, default: Any) -> Any:
        """A setting, or the default."""
        return self.settings.get(key, default)

    def action(self, method: str) -> Any:
        """Return the setting in `on` for this occurrence of a method; None: do as usual."""
        action = self.get("on", {}).get(method)
        if not isinstance(action, list):
            return action
        with self._lock:
            turn = self._times.get(method, 0)
            self._times[method] = turn + 1
        return action[min(turn, len(action) - 1)] if action else None

    def noise(self, place: str) -> list[bytes]:
        """The raw lines to print at ``start``, ``before`` or ``after`` an answer."""
        return [line.encode() for line in self.get("noise", {}).get(place, [])]

    def definitions(self, key: str, default: list[Any]) -> list[bytes]:
        """Definitions as the bytes to send."""
        if key == "tools" and "toolsFile" in self.settings:
            with open(self.settings["toolsFile"], "rb") as file:
                return [line for line in file.read().split(b"\n") if line.strip()]
        return [raw_definition(item) for item in self.get(key, default)]


def raw_definition(item: Any) -> bytes:
    """A string is raw JSON text; anything else is encoded."""
    return item.encode("utf-8", "surrogatepass") if isinstance(item, str) else encode(item)


def page(scenario: Scenario, definitions: list[bytes], cursor: str | None) -> tuple[list[bytes], str | None] | None:
    """Return a page and the next cursor (None: the last one) by `pageSize` and `paging`; None: answer an error."""
    size = int(scenario.get("pageSize", 0)) or max(1, len(definitions))
    paging = scenario.get("paging", "normal")
    start = int(cursor) if cursor and cursor.isdigit() else 0
    if paging == "error" and start:
        return None
    more = start + size < len(definitions)
    following = str(start + size) if more else None
    if paging == "same":
        following = str(start)
    elif not more and paging == "loop":
        following = "0"
    elif not more and paging == "empty":
        following = ""
    return definitions[start : start + size], following
