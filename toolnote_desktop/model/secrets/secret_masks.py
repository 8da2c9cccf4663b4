"""Secret parts of command lines and URLs (docs/contract.md 4), and their spellings in messages."""

from __future__ import annotations

import json
import re
import threading
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from toolnote_desktop.model.url_parts import split_url

MASK = "•••"
SHORTEST_SECRET = 4
"""Characters. Shorter values are not redacted: a log without any ``1`` would be useless."""

_FEW = 64
"""Secrets that are searched for one by one; of more, only those whose first characters occur in the text."""

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
        parts = split_url(url)
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


class SecretCover:
    """Replacement of secrets in texts, the longest first, in linear time however many there are. Thread-safe.

    Attributes:
        longest: characters of the longest secret: held back where a text is cut, so that no secret is split.
    """

    def __init__(self, values: Iterable[str] = (), *, most: int | None = None, harmless: Iterable[str] = ()) -> None:
        self.longest = 0
        self._most = most
        self._harmless = frozenset(harmless)
        self._lock = threading.Lock()
        self._secrets: dict[str, None] = {}
        self._by_start: dict[str, list[str]] = {}
        self.add(values)

    def add(self, values: Iterable[str]) -> None:
        """Add secrets in all their spellings; the oldest are forgotten if there are too many."""
        forms = {form for value in values for form in spellings(value) if len(form) >= SHORTEST_SECRET}
        with self._lock:
            for form in forms - self._secrets.keys():
                if form.lower() not in self._harmless:
                    self._secrets[form] = None
                    insort(self._by_start.setdefault(form[:SHORTEST_SECRET], []), form, key=_longest_first)
                    self.longest = max(self.longest, len(form))
            while self._most is not None and len(self._secrets) > self._most:
                oldest = next(iter(self._secrets))
                del self._secrets[oldest]
                self._by_start[oldest[:SHORTEST_SECRET]].remove(oldest)

    def __call__(self, text: str) -> str:
        """Return ``text`` without the secrets."""
        if not self._secrets:
            return text
        with self._lock:
            candidates: Iterable[str] = self._secrets
            if len(self._secrets) > _FEW:
                starts = {text[place : place + SHORTEST_SECRET] for place in range(len(text) - SHORTEST_SECRET + 1)}
                candidates = (one for start in starts & self._by_start.keys() for one in self._by_start[start])
            found = sorted((secret for secret in candidates if secret in text), key=len, reverse=True)
        for secret in found:
            text = text.replace(secret, MASK)
        return text


def _longest_first(secret: str) -> int:
    return -len(secret)
