"""Recognition of Toolnote's own entries in a client's file, by any name or address (case C50, C51)."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from msgspec import Struct

from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.paths import DEFAULT_PORT, ENDPOINT_PATH

ENTRY_NAME = "toolnote"

URL_KEYS = ("url", "serverUrl", "httpUrl", "uri")
_PROGRAM = re.compile(r"toolnote(?:[-_ .]?desktop)?(?:[-_.@=][\w.\-+]*)?", re.IGNORECASE)
_ENDINGS = re.compile(r"\.(?:exe|cmd|bat|sh|py|pyz|appimage)$", re.IGNORECASE)


class ToolnoteIdentity(Struct, frozen=True):
    """Command and ports of this Toolnote.

    Attributes:
        ports: all ports that the endpoint uses or has used here.
        command: command that runs ``toolnote`` on this machine.
    """

    ports: frozenset[int] = frozenset({DEFAULT_PORT})
    command: tuple[str, ...] = ()


def is_own(name: str, entry: Any, identity: ToolnoteIdentity) -> bool:
    """Return True if a client's entry leads to Toolnote: its bridge in any spelling, or the endpoint's address.

    ``toolnote demo-server`` and the like are servers in their own right.
    """
    if not isinstance(entry, dict):
        return False
    words = list(_words(entry))
    if "bridge" in words:
        before = words[: words.index("bridge")]
        if any(_is_our_program(word) for word in before) or _is_this_program(before, identity):
            return True
    has_toolnote_name = bool(_PROGRAM.fullmatch(name.strip()))
    urls = [entry[key] for key in URL_KEYS if isinstance(entry.get(key), str)]
    return any(_is_our_address(url, identity, has_toolnote_name) for url in [*urls, *words] if "://" in url)


def _words(entry: dict[str, Any]) -> Iterator[str]:
    """Yield the command and its arguments, those inside a shell's ``-c "…"`` too."""
    command = entry.get("command", entry.get("cmd"))
    if isinstance(command, dict):  # Zed's older shape
        yield from _words({"command": command.get("path"), "args": command.get("args")})
        return
    parts: list[Any] = command if isinstance(command, list) else [command]
    arguments = entry.get("args")
    parts = [*parts, *(arguments if isinstance(arguments, list) else [arguments])]
    for position, part in enumerate(parts):
        if isinstance(part, str):
            yield part
            if " " in part and (position > 0 or not os.path.exists(part)):
                yield from part.replace('"', " ").replace("'", " ").split()


def _is_our_program(word: str) -> bool:
    for path in (PurePosixPath(word), PureWindowsPath(word)):
        stem = _ENDINGS.sub("", path.name)
        if _PROGRAM.fullmatch(stem) or _PROGRAM.fullmatch(stem.rpartition(".")[2]):  # also org.example.Toolnote
            return True
    return False


def _is_this_program(words: list[str], identity: ToolnoteIdentity) -> bool:
    """Return True if one of the words is this program under another name: a link to it, or another path."""
    if len(identity.command) != 1:
        return False  # run by a Python that runs other programs too
    own_program = os.path.realpath(identity.command[0])
    return any(os.path.isabs(word) and os.path.realpath(word) == own_program for word in words)


def _is_our_address(url: str, identity: ToolnoteIdentity, has_toolnote_name: bool) -> bool:
    try:
        parts = split_url(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return False
    if parts.scheme.lower() not in ("http", "https") or not _is_loopback(host):
        return False
    return port in identity.ports or (has_toolnote_name and parts.path.rstrip("/") == ENDPOINT_PATH)


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return any(one.is_loopback or one.is_unspecified for one in (address, inner) if one)
