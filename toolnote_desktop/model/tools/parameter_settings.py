"""Parameter settings: the user's note on a parameter and its value (``parameters`` of docs/contract.md 2 and 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final
from urllib.parse import unquote

from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.document import Document, is_empty
from toolnote_desktop.model.hidden_characters import normalized
from toolnote_desktop.model.json_text import JsonObject

Resolve = Callable[[str], str]

_VALUES: Final = ("default", "fixed")
"""Keys whose empty values but ``null`` are values to send."""


class ParameterSetting(Document, frozen=True):
    """Settings of one parameter, which is named as in ``argument_overrides``.

    Attributes:
        note: the user's words, served behind the parameter's own description.
        default: value where the assistant omits it.
        fixed: value that is always sent; the parameter is not shown to the assistant.
        hidden: the parameter is not shown to the assistant; with a default that is sent.
        allowed: ``{"values": […]}``, ``{"under": FOLDER}`` or ``{"like": GLOB}``.
        imported: its value and rule came with a file: they set aside nothing that the user limits.
    """

    note: str = ""
    default: Any | UnsetType = UNSET
    fixed: Any | UnsetType = UNSET
    hidden: bool | None = None
    allowed: dict[str, Any] = field(default_factory=dict)
    imported: bool | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        if isinstance(raw, dict):
            raw = {key: one for key, one in raw.items() if not is_empty(one) or (one is not None and key in _VALUES)}
        return super().normalize(raw)

    def allows(self, value: Any, resolve: Resolve = lambda path: path) -> bool:
        """Return True if the user allows this value, or each one of a list. An unknown kind of rule allows none.

        Args:
            resolve: returns a path without ``..`` and links, as the file system has it now. A folder allows absolute
                paths that are in it then.
        """
        if not self.allowed:
            return True
        waiting = [value]
        while waiting:  # not one call in another: an assistant may send lists of any depth
            one = waiting.pop()
            if self._is_allowed(one, resolve):
                continue
            if not isinstance(one, list) or not one:
                return False
            waiting += one
        return True

    def _is_allowed(self, value: Any, resolve: Resolve) -> bool:
        match self.allowed:
            case {"values": list() as values}:
                return any(is_equal_json(value, one) for one in values)
            case {"under": str() as folder}:
                return isinstance(value, str) and _is_under(value, folder, resolve)
            case {"like": str() as glob}:
                return isinstance(value, str) and _is_like(value, glob)
        return False

    @property
    def allowed_text(self) -> str:
        """Rule for allowed values in words, for the assistant."""
        match self.allowed:
            case {"values": list() as values}:
                return f"one of {json_text.dumps(values).decode('utf-8')}"
            case {"under": str() as folder}:
                return f"absolute paths in {folder}"
            case {"like": str() as glob}:
                return f"texts like {glob}"
        return "no value"

    @property
    def is_limit(self) -> bool:
        """True if assistants may not send every value."""
        return bool(self.allowed or self.hidden) or self.fixed is not UNSET

    @property
    def value(self) -> Any:
        """Value to send, fixed or default; ``UNSET`` for none."""
        return self.fixed if self.fixed is not UNSET else self.default


Parameters = Mapping[str, ParameterSetting]


def normalize_parameters(raw: Any) -> Any:
    """Return ``parameters`` as :class:`ParameterSetting` expects them, without those that set nothing."""
    if not isinstance(raw, dict):
        return raw
    return {name: ParameterSetting.normalize(value) for name, value in raw.items() if not is_empty(value)}


def with_arguments(parameters: Parameters, defaults: JsonObject, hidden: Iterable[str]) -> dict[str, ParameterSetting]:
    """Return settings with a toolset's ``argumentDefaults`` and ``hiddenArguments`` read as ``default`` and ``hidden``;
    a setting of ``parameters`` has priority.
    """
    found = dict(parameters)
    for name, value in defaults.items():
        own = found.get(name, ParameterSetting())
        if own.value is UNSET:
            found[name] = replace(own, default=value)
    for name in hidden:
        own = found.get(name, ParameterSetting())
        if own.hidden is None:
            found[name] = replace(own, hidden=True)
    return found


def merged_parameters(tool: Parameters, toolset: Parameters) -> dict[str, ParameterSetting]:
    """Return the settings of a tool with those of a toolset over them, name by name and key by key.

    A toolset's default replaces a value that the tool fixes.
    """
    merged = dict(tool)
    for name, own in toolset.items():
        below = merged.get(name)
        merged[name] = own if below is None else _merged(below, own)
    return merged


def _merged(below: ParameterSetting, own: ParameterSetting) -> ParameterSetting:
    has_value = own.value is not UNSET
    return ParameterSetting(
        note=own.note.strip() or below.note,
        default=own.default if has_value else below.default,
        fixed=own.fixed if has_value else below.fixed,
        hidden=below.hidden if own.hidden is None else own.hidden,
        allowed=own.allowed or below.allowed,
        extra={**below.extra, **own.extra},
    )


def sent_values(parameters: Parameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the defaults and the hidden names of settings, as ``argumentDefaults`` and ``hiddenArguments`` have
    them.
    """
    defaults = {name: one.value for name, one in parameters.items() if one.value is not UNSET}
    hidden = tuple(name for name, one in parameters.items() if one.hidden or one.fixed is not UNSET)
    return defaults, hidden


_IGNORED: Final = str.maketrans("", "", "\t\n\r")
_ENDS: Final = str.maketrans(dict.fromkeys("\\?#;", "/"))


def _is_like(value: str, glob: str) -> bool:
    """Return True if a whole text matches a glob. In an address the host is compared by itself, so that no wildcard for
    a part of it reaches another host by a ``/`` (``https://*.example.org/*`` and ``https://example.com/.example.org/``).
    """
    if not fnmatchcase(value, glob) or _leads_up(value, glob):
        return False
    if "://" not in glob:
        return True
    scheme, _, rest = value.translate(_IGNORED).partition("://")
    host = normalized("NFKC", rest).translate(_ENDS).partition("/")[0]
    is_plain = host.isprintable() and " " not in host and scheme.replace("+", "").replace("-", "").isalnum()
    return is_plain and fnmatchcase(host, glob.partition("://")[2].partition("/")[0])


def _leads_up(value: str, glob: str) -> bool:
    """Return True if a text leads out of the folders of a glob for paths (``..``), unless the glob has that itself.

    In an address ``%2e`` is a dot, and tabs and line ends count for nothing (URL Standard, 4.4).
    """
    sent = unquote(value, errors="replace").translate(_IGNORED).translate(_ENDS).split("/")
    allowed = glob.replace("\\", "/").split("/")
    return len(allowed) > 1 and ".." in sent and ".." not in allowed


def is_absolute(path: str) -> bool:
    """Return True for an absolute path of any system."""
    return path.startswith("/") or (path[1:2] == ":" and path[2:3] in ("\\", "/"))


def _is_under(path: str, folder: str, resolve: Resolve) -> bool:
    windows = "\\" in folder or folder[1:2] == ":"
    if windows:
        path, folder = (text.replace("\\", "/").casefold() for text in (path, folder))
    for text in (path, folder):  # a relative folder would be one beside wherever Toolnote was started
        if "\0" in text or not (text.startswith("/") or (windows and text[1:3] == ":/")):
            return False
    if not windows:
        try:
            path, folder = resolve(path), resolve(folder)
        except (OSError, ValueError):  # no path that a file system has
            return False
    steps, above = (_steps(text) for text in (path, folder))
    return steps[: len(above)] == above


def _steps(path: str) -> list[str]:
    """Return the steps of an absolute path, with ``..`` resolved as texts."""
    steps: list[str] = []
    for step in path.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in ("", "."):
            steps.append(step)
    return steps


def is_equal_json(one: Any, other: Any) -> bool:
    """Return True if two values are equal JSON: ``true`` is not 1, 1.0 is, and the order of keys is ignored."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_equal_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_equal_json, one, other))
    return bool(one == other)
