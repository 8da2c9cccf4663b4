"""Extraction of secrets from a server's entry: likely secrets become ``${secret:NAME}`` (docs/contract.md 2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Final, Protocol
from urllib.parse import parse_qsl

from toolnote_desktop.assistants.same_server import SECRET_PREFIX
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.secrets.secret_detection import looks_like_secret, move_secrets
from toolnote_desktop.model.secrets.secret_masks import secret_part
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.model.url_parts import split_url

_SCHEME = re.compile(r"^(?:Bearer|Basic|Token|ApiKey)\s+", re.IGNORECASE)
_NEUTRAL_NAME: Final = "id"
"""Name for a bare word, which counts as a secret only if it begins like one or contains a password."""


class SecretWriter(Protocol):
    """Store of secrets. Its methods may wait for the user, so they need a thread that may wait."""

    def write(self, server: str, name: str, value: str) -> object:
        """Store a secret of a server."""

    def remove(self, server: str, name: str) -> object:
        """Delete a secret of a server."""


class Secret(SecretStruct, frozen=True):
    """Secret that was in an entry, with its name in the entry now."""

    secret_fields: ClassVar = frozenset({"value"})

    name: str
    value: str


class ExtractedSecrets(SecretStruct, frozen=True):
    """Entry without its secrets, and the secrets."""

    secret_fields: ClassVar = frozenset({"entry"})

    entry: JsonObject
    secrets: tuple[Secret, ...] = ()


def extract_secrets(entry: JsonObject, known: Collection[str] = ()) -> ExtractedSecrets:
    """Replace each secret in an entry by a placeholder: in env, headers, command line and URL.

    Args:
        known: values that are secret in any case.
    """
    changed, found = move_secrets(entry)
    extractor = _SecretExtractor(frozenset(known), found)
    for key in ("env", "headers"):
        values = changed.get(key)
        if isinstance(values, dict):
            changed[key] = {name: extractor.known_value(name, value) for name, value in values.items()}
    arguments = changed.get("args")
    if isinstance(arguments, list):
        changed["args"] = list(extractor.words(arguments))
    if isinstance(changed.get("url"), str):
        changed["url"] = extractor.address(changed["url"])
    return ExtractedSecrets(changed, tuple(Secret(name, value) for name, value in extractor.found.items()))


class _SecretExtractor:
    def __init__(self, known: frozenset[str], found: dict[str, str]) -> None:
        self._known = known
        self.found = found

    def known_value(self, name: str, value: Any) -> Any:
        """Replace a value that is a known secret, with or without its scheme."""
        if not isinstance(value, str):
            return value
        scheme = _SCHEME.match(value)
        start = scheme.end() if scheme else 0
        return value[:start] + self._replace(name, value[start:]) if value[start:] in self._known else value

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
            prefix = word[: len(word.rstrip()) - len(part)]
            scheme = _SCHEME.match(part)
            start = scheme.end() if scheme else 0
            flag = prefix.strip("=: ") or before
            if part[start:] in self._known or looks_like_secret(flag, part):
                return prefix + part[:start] + self._replace(flag, part[start:])
            return word
        if word in self._known or looks_like_secret(_NEUTRAL_NAME, word):
            return self._replace(before, word)
        return self.address(word) if "://" in word else word

    def address(self, url: str) -> str:
        """Replace the values of a query that are secrets by name or look."""
        if "${" in url:
            return url
        try:
            pairs = parse_qsl(split_url(url).query)
        except ValueError:
            return url
        for name, value in pairs:
            if (value in self._known or looks_like_secret(name, value)) and f"{name}={value}" in url:
                url = url.replace(f"{name}={value}", f"{name}={self._replace(name, value)}", 1)
        return url

    def _replace(self, name: str, value: str) -> str:
        base = re.sub(r"[^A-Z0-9_]+", "_", name.upper()).strip("_") or "SECRET"
        base = base if not base[0].isdigit() else f"_{base}"
        number, free = 1, base
        while self.found.get(free, value) != value:
            number += 1
            free = f"{base}_{number}"
        self.found[free] = value
        return f"{SECRET_PREFIX}{free}}}"


def store_secrets(secrets: Mapping[str, tuple[Secret, ...]], store: SecretWriter) -> None:
    """Store the secrets of servers, all or none. Blocks: call it in a thread.

    Raises:
        ToolnoteError: raised by the store; none of them is stored then.
    """
    stored: list[tuple[str, str]] = []
    try:
        for server, found in secrets.items():
            for secret in found:
                store.write(server, secret.name, secret.value)
                stored.append((server, secret.name))
    except BaseException:
        for server, name in stored:
            store.remove(server, name)
        raise
