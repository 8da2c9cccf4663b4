"""Secret parts of command lines and URLs (docs/contract.md 4), and their spellings in messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

_SECRET_NAME = re.compile(r"token|secret|passw|api[-_]?key|credential|bearer|authorization", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.-]{0,30}://\S+", re.IGNORECASE)
_MAX_PAIRS = 100
"""Pairs of a query that are secrets of their own; the query is one as a whole."""


def is_secret_name(name: str) -> bool:
    """Return True if a value of this name is likely to be a secret."""
    return bool(_SECRET_NAME.search(name))


def secret_part(word: str, before: str) -> str:
    """Return the part of a command-line word that is secret by its name or by the preceding flag; "" if none."""
    if before.startswith("-") and "=" not in before and is_secret_name(before):
        return word
    name, _, value = word.partition("=")
    if value and "://" not in name and is_secret_name(name):  # --token=x
        return value
    name, _, value = word.partition(":")
    if value.strip() and "://" not in word and is_secret_name(name):  # --header "Authorization: Bearer x"
        return value
    return ""


def secrets_in_words(words: Sequence[str]) -> Iterator[str]:
    """Yield the secrets in a command line: by name, and those in its URLs."""
    before = ""
    for word in words:
        part = secret_part(word, before)
        if part:
            yield from (part, part.strip(), part.strip().partition(" ")[2])
        for url in _URL.findall(word):
            yield from secrets_in_url(url)
        before = word


def secrets_in_url(url: str) -> Iterator[str]:
    """Yield all parts of a URL except its address: query, fragment, user and password, raw and decoded."""
    for secret in _parts(url):
        yield secret
        yield unquote(secret)


def _parts(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        user, query, fragment = parts.netloc.rpartition("@")[0], parts.query, parts.fragment
    except ValueError:  # not a URL; its query, if any, begins at the question mark
        address, _, rest = url.partition("?")
        query, _, fragment = rest.partition("#")
        user = address.partition("://")[2].rpartition("@")[0]
    yield from (user, user.partition(":")[2], query, fragment)
    for pair in query.split("&", _MAX_PAIRS):
        yield pair.partition("=")[2]


def spellings(value: str) -> Iterator[str]:
    """Yield the spellings in which a secret may occur in messages: whole or by line, raw or as JSON."""
    for line in (value, *value.splitlines()):
        yield from (line, line.strip(), json.dumps(line)[1:-1], json.dumps(line, ensure_ascii=False)[1:-1])
