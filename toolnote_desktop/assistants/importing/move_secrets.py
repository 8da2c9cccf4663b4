"""Secrets out of a server's entry into the keychain: what looks like one becomes ``${secret:NAME}`` (docs/contract.md 2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from toolnote_desktop.assistants.same_server import SECRET_PREFIX
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.secrets.secret_detection import looks_like_secret, move_secrets
from toolnote_desktop.model.secrets.secret_masks import secret_part
from toolnote_desktop.model.secrets.secret_repr import SecretStruct

_SCHEME = re.compile(r"^(?:Bearer|Basic|Token|ApiKey)\s+", re.IGNORECASE)
_NOT_BY_CHANCE: Final = "id"
"""The name under which a word counts as a secret only if it begins like one, or has a password in it."""


class SecretWriter(Protocol):
    """What is asked of the store of secrets. It may wait for a person, so it is for a thread that may."""

    def write(self, server: str, name: str, value: str) -> object:
        """Keep a secret of a server."""

    def remove(self, server: str, name: str) -> object:
        """Forget it."""


class Secret(SecretStruct, frozen=True):
    """One that was in an entry. ``name`` is what the entry calls it now."""

    secret_fields: ClassVar = frozenset({"value"})

    name: str
    value: str


class ExtractedSecrets(SecretStruct, frozen=True):
    """An entry without its secrets, and those."""

    secret_fields: ClassVar = frozenset({"entry"})

    entry: JsonObject
    secrets: tuple[Secret, ...] = ()


def extract_secrets(entry: JsonObject, known: Collection[str] = ()) -> ExtractedSecrets:
    """The entry with each secret as a place in it: of env and headers, of the command line, of the address.

    Args:
        known: values that are secret whatever they look like.
    """
    changed, found = move_secrets(entry)
    taker = _Taker(frozenset(known), found)
    for key in ("env", "headers"):
        values = changed.get(key)
        if isinstance(values, dict):
            changed[key] = {name: taker.known_value(name, value) for name, value in values.items()}
    arguments = changed.get("args")
    if isinstance(arguments, list):
        changed["args"] = list(taker.words(arguments))
    if isinstance(changed.get("url"), str):
        changed["url"] = taker.address(changed["url"])
    return ExtractedSecrets(changed, tuple(Secret(name, value) for name, value in taker.found.items()))


class _Taker:
    def __init__(self, known: frozenset[str], found: dict[str, str]) -> None:
        self._known = known
        self.found = found

    def known_value(self, name: str, value: Any) -> Any:
        """A value that is a secret by the word of whoever asked for it, with or without its scheme."""
        if not isinstance(value, str):
            return value
        scheme = _SCHEME.match(value)
        start = scheme.end() if scheme else 0
        return value[:start] + self._take(name, value[start:]) if value[start:] in self._known else value

    def words(self, words: list[Any]) -> Iterator[Any]:
        before = ""
        for word in words:
            if isinstance(word, str) and "${" not in word:
                yield self._word(word, before)
                before = word
            else:
                yield word
                before = ""

    def _word(self, word: str, before: str) -> str:
        part = secret_part(word, before).strip()
        if part:
            said = word[: len(word.rstrip()) - len(part)]
            scheme = _SCHEME.match(part)
            start = scheme.end() if scheme else 0
            flag = said.strip("=: ") or before
            if part[start:] in self._known or looks_like_secret(flag, part):
                return said + part[:start] + self._take(flag, part[start:])
            return word
        if word in self._known or looks_like_secret(_NOT_BY_CHANCE, word):
            return self._take(before, word)
        return self.address(word) if "://" in word else word

    def address(self, url: str) -> str:
        """The values of a query that are secrets by their names or looks."""
        if "${" in url:
            return url
        try:
            pairs = parse_qsl(urlsplit(url).query)
        except ValueError:
            return url
        for name, value in pairs:
            if (value in self._known or looks_like_secret(name, value)) and f"{name}={value}" in url:
                url = url.replace(f"{name}={value}", f"{name}={self._take(name, value)}", 1)
        return url

    def _take(self, name: str, value: str) -> str:
        base = re.sub(r"[^A-Z0-9_]+", "_", name.upper()).strip("_") or "SECRET"
        base = base if not base[0].isdigit() else f"_{base}"
        number, free = 1, base
        while self.found.get(free, value) != value:
            number += 1
            free = f"{base}_{number}"
        self.found[free] = value
        return f"{SECRET_PREFIX}{free}}}"


def store_secrets(secrets: Mapping[str, tuple[Secret, ...]], store: SecretWriter) -> None:
    """Put the secrets of servers where they are kept, all or none. Waits: for a thread of its own.

    Raises:
        ToolnoteError: as the store says; then none of them is kept.
    """
    kept: list[tuple[str, str]] = []
    try:
        for server, found in secrets.items():
            for secret in found:
                store.write(server, secret.name, secret.value)
                kept.append((server, secret.name))
    except BaseException:
        for server, name in kept:
            store.remove(server, name)
        raise
