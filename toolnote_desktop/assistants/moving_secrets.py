"""Secrets out of a server's entry into the keychain: what looks like one becomes ``${secret:NAME}`` (CONTRACT 2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.secret_words import is_secret_name, secret_part

PLACE: Final = "${secret:"

_SCHEME = re.compile(r"^(?:Bearer|Basic|Token|ApiKey)\s+", re.IGNORECASE)
_MORE_NAMES = re.compile(r"(?<![a-z])(?!public)(?:[a-z0-9]+[_-])*(?:key|pat|pwd|pass)$", re.IGNORECASE)
_MORE_HEADERS = frozenset({"cookie", "x-auth", "x-key", "proxy-authorization"})


class KeepsSecrets(Protocol):
    """What is asked of the store of secrets. It may wait for a person, so it is for a thread that may."""

    def write(self, server: str, name: str, value: str) -> object:
        """Keep a secret of a server."""

    def remove(self, server: str, name: str) -> object:
        """Forget it."""


@dataclass(frozen=True, slots=True)
class Secret:
    """One that was in an entry. ``name`` is what the entry calls it now."""

    name: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry without its secrets, and those."""

    entry: JsonObject = field(repr=False)
    secrets: tuple[Secret, ...] = ()


def moved(entry: JsonObject, known: Collection[str] = ()) -> Moved:
    """The entry with each secret as a place in it: by the names of variables, headers, flags and parts of an address.

    Args:
        known: values that are secret whatever they are called.
    """
    taker = _Taker(frozenset(known))
    changed = dict(entry)
    for key, is_header in (("env", False), ("headers", True)):
        values = entry.get(key)
        if isinstance(values, dict):
            changed[key] = {name: taker.value(name, value, is_header=is_header) for name, value in values.items()}
    arguments = entry.get("args")
    if isinstance(arguments, list):
        changed["args"] = list(taker.words(arguments))
    if isinstance(entry.get("url"), str):
        changed["url"] = taker.address(entry["url"])
    return Moved(changed, tuple(taker.found))


class _Taker:
    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self.found: list[Secret] = []

    def value(self, name: str, value: Any, *, is_header: bool) -> Any:
        if not isinstance(value, str) or "${" in value or not value.strip():
            return value
        scheme = _SCHEME.match(value) if is_header else None
        start = scheme.end() if scheme else 0
        named = is_secret_name(name) or bool(_MORE_NAMES.match(name)) or (is_header and name.lower() in _MORE_HEADERS)
        if named or scheme or value[start:] in self._known or _has_password(value):
            return value[:start] + self._take(name, value[start:])
        return value

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
            return said + part[:start] + self._take(flag, part[start:])
        if word in self._known or _has_password(word):
            return self._take(before, word)
        return self.address(word) if "://" in word else word

    def address(self, url: str) -> str:
        """The values of a query whose names are a secret's."""
        if "${" in url:
            return url
        try:
            pairs = parse_qsl(urlsplit(url).query)
        except ValueError:
            return url
        for name, value in pairs:
            if (is_secret_name(name) or name.lower() == "key" or value in self._known) and f"{name}={value}" in url:
                url = url.replace(f"{name}={value}", f"{name}={self._take(name, value)}", 1)
        return url

    def _take(self, name: str, value: str) -> str:
        base = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "SECRET"
        base = base if not base[0].isdigit() else f"SECRET_{base}"
        taken = {one.name: one.value for one in self.found}
        number, free = 1, base
        while taken.get(free, value) != value:
            number += 1
            free = f"{base}_{number}"
        if free not in taken:
            self.found.append(Secret(free, value))
        return f"{PLACE}{free}}}"


def _has_password(text: str) -> bool:
    """Whether it is an address with a password in it, as a database's is."""
    try:
        return "://" in text and bool(urlsplit(text).password)
    except ValueError:
        return False


def stands_for(place: str, value: str) -> bool:
    """Whether a text with ``${secret:…}`` in it is another one whose secrets were moved."""
    if PLACE not in place:
        return place == value
    parts = re.split(r"\$\{secret:[^}]*\}", place)
    return re.fullmatch(".+".join(re.escape(part) for part in parts), value, re.DOTALL) is not None


def keep_all(secrets: Mapping[str, tuple[Secret, ...]], store: KeepsSecrets) -> None:
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
