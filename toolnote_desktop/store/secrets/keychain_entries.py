"""Values in a keychain with short entries: Windows allows 1,280 characters.

A longer value is split over several entries; the one with its own name then holds their number. New parts are written
before it and old ones removed after it, so that a reader finds the old value or the new one and never a mixture.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

LONGEST: Final = 1_200
"""UTF-16 units in one entry; Windows stores 2,560 bytes."""

_MARK: Final = "toolnote-parts "


class NotStoredError(Exception):
    """A keychain returned another value than was stored."""


def read_entry(backend: KeyringBackend, service: str, name: str) -> str | None:
    """Return the whole value; None if it does not exist, or a part of it is missing."""
    value = backend.get_password(service, name)
    if value is None or not value.startswith(_MARK):
        return value
    parts = [backend.get_password(service, part) for part in _parts(name, value)]
    return None if None in parts else "".join(part or "" for part in parts)


def write_entry(backend: KeyringBackend, service: str, name: str, value: str) -> None:
    """Replace a value, and verify it by reading it.

    Raises:
        NotStoredError: the keychain returned another value.
    """
    before = backend.get_password(service, name)
    pieces = list(_pieces(value))
    if len(pieces) == 1 and not value.startswith(_MARK):
        backend.set_password(service, name, value)
    else:
        head = f"{_MARK}{secrets.token_hex(4)} {len(pieces)}"
        for part, piece in zip(_parts(name, head), pieces, strict=True):
            backend.set_password(service, part, piece)
        backend.set_password(service, name, head)
    if read_entry(backend, service, name) != value:
        raise NotStoredError
    _delete_parts(backend, service, name, before)


def delete_entry(backend: KeyringBackend, service: str, name: str) -> None:
    """Delete a value with all its parts; a missing one is ignored."""
    before = backend.get_password(service, name)
    if before is not None:
        backend.delete_password(service, name)
        _delete_parts(backend, service, name, before)


def _delete_parts(backend: KeyringBackend, service: str, name: str, head: str | None) -> None:
    for part in _parts(name, head or ""):
        if backend.get_password(service, part) is not None:
            backend.delete_password(service, part)


def _parts(name: str, head: str) -> list[str]:
    """Return the names of the entries to which ``head`` refers."""
    if not head.startswith(_MARK):
        return []
    nonce, _, count = head.removeprefix(_MARK).partition(" ")
    return [f"{name} part {nonce} {number}" for number in range(int(count))] if count.isdecimal() else []


def _pieces(value: str) -> Iterator[str]:
    piece, size = "", 0
    for character in value:
        units = 2 if ord(character) > 0xFFFF else 1
        if size + units > LONGEST:
            yield piece
            piece, size = "", 0
        piece += character
        size += units
    yield piece
