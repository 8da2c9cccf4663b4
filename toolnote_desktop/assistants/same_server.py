"""Comparison of entries: one server found in several files, or already in the library."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolnote_desktop.assistants.toolset_file import strip_secrets
from toolnote_desktop.model.json_text import JsonObject

SECRET_PREFIX: Final = "${secret:"

_IDENTITY = ("type", "command", "args", "cwd", "url")
_SETTINGS = ("env", "headers")
_OPEN = re.compile(r"\$\{(?:[^}$]|\$(?!\{))*\}|<[^<>]+>|\byour[-_][\w-]+", re.IGNORECASE)
_MOVED = re.compile(r"\$\{secret:(?:[^}$]|\$(?!\{))*\}")


def _identity(entry: Mapping[str, Any]) -> str:
    parts = {key: entry.get(key) for key in _IDENTITY}
    parts["type"] = parts["type"] or ("stdio" if parts["command"] else "http")
    return json.dumps({**parts, "args": parts["args"] or []}, sort_keys=True)


def identity_of(entry: Any) -> str:
    """Return a text that is equal for entries of the same server, whatever their settings; "" for no entry."""
    return _identity(entry) if isinstance(entry, dict) else ""


def is_covered(entry: JsonObject, *, by: Any, secrets_moved: bool = False) -> bool:
    """Return True if ``by`` is the same server (command, arguments, URL) with all settings of ``entry``.

    Args:
        secrets_moved: True to accept any setting of ``by`` that is in the keychain.
    """
    if not isinstance(by, dict) or not all(isinstance(by.get(key) or {}, dict) for key in _SETTINGS):
        return False
    if _identity(entry) != _identity(by) and not (secrets_moved and _has_secrets_moved(by, entry)):
        return False
    for key in _SETTINGS:
        here = by.get(key) or {}
        for name, value in (entry.get(key) or {}).items():
            in_keychain = secrets_moved and SECRET_PREFIX in str(here.get(name))
            if name not in here or (here[name] != value and not in_keychain):
                return False
    return True


def is_filled_in(entry: JsonObject, *, by: Any) -> bool:
    """Return True if ``by`` is the server of ``entry`` with values in its placeholders.

    Exported servers have no secrets (``toolset_file.strip_secrets``): a value is a placeholder such as ``${TOKEN}``,
    and an address has no query. Instructions have ``<your token>`` in the same places.
    """
    if not isinstance(by, dict) or not all(isinstance(by.get(key) or {}, dict) for key in _SETTINGS):
        return False
    words, here = entry.get("args") or [], by.get("args") or []
    if not isinstance(here, list) or len(words) != len(here):
        return False
    if _identity({**entry, "args": [], "url": None}) != _identity({**by, "args": [], "url": None}):
        return False
    if entry.get("url") != strip_secrets(by).get("url") and not _is_open_for(
        entry.get("url") or "", by.get("url") or ""
    ):
        return False
    settings = [(name, value, by.get(key) or {}) for key in _SETTINGS for name, value in (entry.get(key) or {}).items()]
    return all(_is_open_for(word, one) for word, one in zip(words, here, strict=True)) and all(
        name in values and _is_open_for(value, values[name]) for name, value, values in settings
    )


def _matches_placeholders(placeholder: str, value: str) -> bool:
    """Return True if a text with ``${secret:…}`` is ``value`` with its secrets moved to the keychain."""
    if SECRET_PREFIX not in placeholder:
        return placeholder == value
    return _has_parts(value, _MOVED.split(placeholder), gap=1)


def _has_parts(text: str, parts: Sequence[str], gap: int) -> bool:
    """Return True if ``text`` consists of these parts with at least ``gap`` characters between each two.

    Linear, unlike a regular expression with as many wildcards as a foreign text has placeholders.
    """
    first, *middle = parts
    if not middle:
        return text == first
    last = middle.pop()
    if not text.startswith(first):
        return False
    at = len(first)
    for part in middle:
        found = text.find(part, at + gap)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - len(last) >= at + gap and text.endswith(last)


def _is_open_for(text: object, value: object) -> bool:
    """Return True if ``text`` is ``value`` apart from placeholders; an empty text is one."""
    if text in (value, ""):
        return True
    return _has_parts(str(value), _OPEN.split(str(text)), gap=0)


def _has_secrets_moved(by: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Return True if ``by`` is ``entry`` with the secrets of its command line and address moved away."""
    words, before = by.get("args") or [], entry.get("args") or []
    if not isinstance(words, list) or len(words) != len(before):
        return False
    pairs = [*zip(words, before, strict=True), (by.get("url") or "", entry.get("url") or "")]
    if not all(_matches_placeholders(str(placeholder), str(word)) for placeholder, word in pairs):
        return False
    return _identity({**by, "args": before, "url": entry.get("url")}) == _identity(entry)
