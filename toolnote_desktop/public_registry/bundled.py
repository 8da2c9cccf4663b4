"""Bundled list of well-known servers, in the registry's format."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from toolnote_desktop import assets
from toolnote_desktop.model import json_text
from toolnote_desktop.public_registry.records import Published, read_page

FILE = "registry.json"


@cache
def bundled_servers() -> tuple[Published, ...]:
    """Return all of them, in the file's order."""
    page = read_page(json_text.loads(assets.path(FILE).read_bytes()))
    # The version is only needed to make the records valid: the newest is started.
    return tuple(replace(server, version="") for server in page.servers) if page is not None else ()


def search_bundled(text: str) -> tuple[Published, ...]:
    """Return those with all words of ``text`` in their name, title or description."""
    words = text.casefold().split()
    return tuple(server for server in bundled_servers() if all(word in _searched(server) for word in words))


def _searched(server: Published) -> str:
    return "\n".join((server.name, server.title, server.description)).casefold()
