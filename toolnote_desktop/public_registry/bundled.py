"""The list that came with this release: well-known servers, in the registry's own words."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from toolnote_desktop import assets
from toolnote_desktop.model import json_text
from toolnote_desktop.public_registry.records import Published, read_page

FILE = "registry.json"


@cache
def bundled_servers() -> tuple[Published, ...]:
    """All of them, in the file's order."""
    page = read_page(json_text.loads(assets.path(FILE).read_bytes()))
    # The version there only makes the records whole: the newest is started.
    return tuple(replace(server, version="") for server in page.servers) if page is not None else ()


def search_bundled(text: str) -> tuple[Published, ...]:
    """Those that have every word of ``text`` in their name, title or description."""
    words = text.casefold().split()
    return tuple(server for server in bundled_servers() if all(word in _searched(server) for word in words))


def _searched(server: Published) -> str:
    return "\n".join((server.name, server.title, server.description)).casefold()
