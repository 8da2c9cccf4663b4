"""Masking of values in a configuration file that may be secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from toolnote_desktop.assistants.formats.base import Node, Window
from toolnote_desktop.model.secrets.secret_masks import is_secret_name, secret_part

MASK = "•••"

_SECRET_MAPS = {"env", "environment", "envs", "headers", "http_headers", "requestInit", "auth", "oauth"}
_QUERY = re.compile(r"(?<=\?)[^#\"]+")
_FRAGMENT = re.compile(r"(?<=#)[^\"\s]+")
_USER = re.compile(r"(?<=://)[^/@\"\s]+(?=@)")


def masked(text: str, root: Node | None, window: Window | None = None) -> str:
    """Return ``text`` with masked env and header values, URL queries and passwords, and values named like secrets.

    Line numbers stay the same.

    Args:
        root: the parsed text.
        window: part of the text outside of which nothing is masked.
    """
    first, beyond = window or (0, len(text))
    pieces, at = [], 0
    for start, end, cover in sorted(set(_covers(root, secret=False))) if root else []:
        if start < beyond and end > first:
            pieces += [text[at:start], cover]
            at = end
    return "".join([*pieces, text[at:]])


def masked_words(words: list[str]) -> list[str]:
    """Return the words of a command line with secrets masked."""
    shown = []
    before = ""
    for word in words:
        shown.append(_masked_word(word, before))
        before = word
    return shown


def masked_url(url: str) -> str:
    """Return a URL with its query, fragment, user and password masked."""
    return _USER.sub(MASK, _QUERY.sub(MASK, _FRAGMENT.sub(MASK, url)))


def _masked_word(word: str, before: str) -> str:
    part = secret_part(word, before)
    if part:
        space = part[: len(part) - len(part.lstrip())] if part != word else ""
        return f"{word.removesuffix(part)}{space}{MASK}"
    return masked_url(word) if "://" in word else word


def _covers(node: Node, *, secret: bool) -> Iterator[tuple[int, int, str]]:
    if node.members:
        for member in node.members:
            hidden = secret or member.key in _SECRET_MAPS
            hidden = hidden or (isinstance(member.node.value, str) and is_secret_name(member.key))
            yield from _covers(member.node, secret=hidden)
    elif node.items:
        words = [item.value if isinstance(item.value, str) else "" for item in node.items]
        for item, word, shown in zip(node.items, words, masked_words(words), strict=True):
            if secret or not isinstance(item.value, str):
                yield from _covers(item, secret=secret)
            elif shown != word:
                yield item.start, item.end, json.dumps(shown, ensure_ascii=False)
    elif secret and node.value not in (None, "", {}, []):
        yield node.start, node.end, f'"{MASK}"'
    elif isinstance(node.value, str) and "://" in node.value:
        shown = masked_url(node.value)
        if shown != node.value:
            yield node.start, node.end, json.dumps(shown, ensure_ascii=False)
