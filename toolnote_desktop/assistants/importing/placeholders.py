"""Placeholders in instructions: texts such as ``<YOUR_TOKEN>`` or ``sk-…`` that the user is to replace by a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.secrets.secret_masks import is_secret_name

_LONGEST: Final = 2_000
"""Characters of a text that are searched."""

_PLACEHOLDER: Final = re.compile(
    r"<[A-Za-z][A-Za-z0-9 _./-]{1,60}>"
    r"|\$\{(?:input|prompt|promptString):[A-Za-z0-9_.-]{1,60}\}"
    r"|\{\{[A-Za-z0-9 _.-]{1,60}\}\}"
    r"|\[[Yy](?:our|OUR)[ _-][A-Za-z0-9 _-]{1,60}\]"
    r"|\b(?:YOUR|MY|REPLACE|INSERT|ENTER|PASTE)[_-][A-Z0-9_-]{2,60}"
    r"|\byour[-_][A-Za-z0-9_-]{2,60}"
    r"|\b(?:sk|pk|rk|ghp|gho|github_pat|glpat|xox[a-z]|lin_api|ntn|key|token|secret)[-_](?:\.{2,8}|…|x{3,60}|X{3,60}|\*{3,60})"
    r"|(?<![^\s=:])(?:x{4,60}|X{4,60}|\*{3,60}|\.{3}|…)(?!\S)"
    r"|\b(?:changeme|CHANGEME|change-me|CHANGE_ME)\b"
    r"|/path/to/[A-Za-z0-9_./-]{0,100}"
)
_WORDS: Final = re.compile(r"[A-Za-z0-9]+")
_FILLERS: Final = {"your", "my", "replace", "insert", "enter", "paste", "with", "here", "the", "me", "input", "prompt"}
_SECRET_SHAPE: Final = re.compile(
    r"^(?:sk|pk|rk|gh|glpat|xox|lin_api|ntn|key|token|secret)[-_a-z]*|(?<![xX*.…])[xX*.…]{3,}$"
)


class Placeholder(Struct, frozen=True):
    """Text in an entry that the user has to replace.

    Attributes:
        key: where it is, and which of the texts there: ``env.TOKEN <YOUR_TOKEN>``.
        text: the placeholder itself.
        label: name for a field.
        is_secret: its value is likely to be one.
        is_path: its value is a file or folder.
    """

    key: str
    text: str
    label: str
    is_secret: bool = False
    is_path: bool = False


def find_placeholders(entry: JsonObject) -> tuple[Placeholder, ...]:
    """Return the placeholders of an entry's arguments, variables, headers and address, in its order."""
    found: dict[str, Placeholder] = {}
    for place, name, text in _texts(entry):
        for match in _PLACEHOLDER.finditer(text[:_LONGEST]):
            one = _described(place, name, match.group())
            found.setdefault(one.key, one)
    return tuple(found.values())


def fill_placeholders(entry: JsonObject, values: Mapping[str, str]) -> JsonObject:
    """Return the entry with the placeholders replaced by ``values``, by key; those without a value stay."""

    def fill(place: str, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        head = _PLACEHOLDER.sub(lambda match: values.get(f"{place} {match.group()}") or match.group(), text[:_LONGEST])
        return head + text[_LONGEST:]

    filled = dict(entry)
    if isinstance(entry.get("args"), list):
        filled["args"] = [fill(f"args[{number}]", word) for number, word in enumerate(entry["args"])]
    for key in ("env", "headers"):
        if isinstance(entry.get(key), dict):
            filled[key] = {name: fill(f"{key}.{name}", value) for name, value in entry[key].items()}
    if "url" in entry:
        filled["url"] = fill("url", entry["url"])
    return filled


def _texts(entry: JsonObject) -> Iterator[tuple[str, str, str]]:
    """Yield place, name and text; an argument is named by the flag before it."""
    before = ""
    arguments = entry.get("args")
    for number, word in enumerate(arguments if isinstance(arguments, list) else ()):
        if isinstance(word, str):
            flag, found, _ = word.partition("=")
            yield f"args[{number}]", (flag if found else before).lstrip("-"), word
            before = word if word.startswith("-") else ""
    for key in ("env", "headers"):
        values = entry.get(key)
        for name, value in values.items() if isinstance(values, dict) else ():
            if isinstance(value, str):
                yield f"{key}.{name}", str(name), value
    if isinstance(entry.get("url"), str):
        yield "url", "", entry["url"]


def _described(place: str, name: str, text: str) -> Placeholder:
    is_path = text.startswith("/path/to/")
    words = [word.lower() for word in _WORDS.findall(text.removeprefix("/path/to/"))]
    said = [word for word in words if word not in _FILLERS and set(word) != {"x"}]
    has_shape = bool(_SECRET_SHAPE.match(text))
    label = name if name and (place.startswith(("env.", "headers.")) or has_shape or not said) else " ".join(said)
    secret = not is_path and (has_shape or is_secret_name(name) or any(is_secret_name(word) for word in words))
    secret = secret or (not is_path and bool({"key", "pat", "password"} & set(words)))
    return Placeholder(f"{place} {text}", text, (label or name or text)[:80], secret, is_path)
