"""Addresses of skills (SEP-2640) in the text of a server, moved as the skills are where another server has them too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

from toolnote_desktop.model.snapshot import Snapshot

MARK: Final = "toolnote-server="
SKILL: Final = "skill://"
_ADDRESS: Final = re.compile(r"skill://[^\s<>`()\[\]{}\x22\x27]+")
_ENDS: Final = ".,;:!?"


def mark_of(server: str) -> str:
    """Return the mark of a server."""
    return MARK + quote(server, safe="", errors="surrogatepass")


def marked_skill(uri: str, server: str) -> str:
    """Return a skill's URI with the mark of its server as the first segment: paths in it are relative to its folder."""
    return f"{SKILL}{mark_of(server)}/{uri.removeprefix(SKILL)}"


def with_moved_skills(snapshot: Snapshot, server: str, text: str, served: Iterable[str]) -> str:
    """Return a server's text with the addresses under which a client reaches its skills.

    The second server with a skill, in the order of ``servers.json``, has it at a marked address.

    Args:
        served: servers of the client.
    """
    if SKILL not in text:
        return text
    known = set(served)
    folders: set[str] = set()
    for other, listing in snapshot.catalogue.servers.items():
        if other == server:
            break
        if other in known:
            uris = (str(one.get("uri")) for one in listing.resources)
            folders |= set(_folders((*uris, *_ADDRESS.findall(listing.instructions or ""))))
    if not folders:
        return text

    def moved(found: re.Match[str]) -> str:
        uri = found.group().rstrip(_ENDS)
        own = any(folder in folders for folder in _above(uri))
        return (marked_skill(uri, server) if own else uri) + found.group()[len(uri) :]

    return _ADDRESS.sub(moved, text)


def _folders(uris: Iterable[str]) -> Iterator[str]:
    for uri in uris:
        folder, _, name = uri.rstrip(_ENDS).rpartition("/")
        if uri.startswith(SKILL) and name == "SKILL.md":
            yield folder


def _above(uri: str) -> Iterator[str]:
    """Yield an address and the folders above it."""
    yield uri
    while "/" in uri.partition("://")[2]:
        uri = uri.rpartition("/")[0]
        yield uri
