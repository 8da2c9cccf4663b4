"""Export of a toolset as ``FILE.toolnote`` (docs/contract.md 3), with its servers if wished, without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlunsplit

from toolnote_desktop.assistants.masking import MASK, masked_words
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.model.url_parts import split_url

TOOLSET_SUFFIX: Final = ".toolnote"

_PLACEHOLDER = re.compile(r"\$\{(?:env:|secret:)?[A-Za-z_][A-Za-z0-9_.-]*\}")
_SCHEME = re.compile(r"^(Bearer|Basic|Token|ApiKey) ", re.IGNORECASE)
_TOOLNOTE_KEYS = ("prefix", "perClient", "startTimeout")


def toolset_servers(snapshot: Snapshot, toolset: Toolset) -> tuple[str, ...]:
    """Return the ids of the servers whose tools a toolset has."""
    found: dict[str, None] = {}
    for entry in toolset.tools:
        known = snapshot.catalogue.resolve(entry)
        if known:
            found.update((one.tool.server, None) for one in known)
        else:
            name = entry.namespaced_name or ""
            fitting = [server for server in snapshot.servers if name.startswith(f"{server}.")]
            if fitting:
                found[max(fitting, key=len)] = None
    return tuple(server for server in found if server in snapshot.servers)


def export_toolset(toolset: JsonObject, entries: Mapping[str, Any], servers: Iterable[str]) -> JsonObject:
    """Return the file's content.

    Args:
        toolset: raw document.
        entries: raw ``mcpServers`` of ``servers.json``.
        servers: ids of the servers to include.
    """
    chosen = {server: strip_secrets(entries[server]) for server in servers if isinstance(entries.get(server), dict)}
    return {**toolset, **({"mcpServers": chosen} if chosen else {})}


def strip_secrets(entry: JsonObject) -> JsonObject:
    """Return a server's entry with a placeholder such as ``${API_KEY}`` for each value that may be secret."""
    stripped = {key: value for key, value in entry.items() if key in ("type", "command", "cwd", "timeout")}
    arguments = entry.get("args")
    if isinstance(arguments, list):
        stripped["args"] = _arguments([str(word) for word in arguments])
    if isinstance(entry.get("url"), str):
        stripped["url"] = _address(entry["url"])
    for key in ("env", "headers"):
        values = entry.get(key)
        if isinstance(values, dict):
            stripped[key] = {name: _value(name, str(value)) for name, value in values.items()}
    own = entry.get("toolnote")
    settings = {key: own[key] for key in _TOOLNOTE_KEYS if key in own} if isinstance(own, dict) else {}
    return {**stripped, **({"toolnote": settings} if settings else {})}


def _value(name: str, value: str) -> str:
    if _PLACEHOLDER.fullmatch(value):
        return value
    scheme = _SCHEME.match(value)
    rest = value[scheme.end() :] if scheme else value
    prefix = scheme.group() if scheme else ""
    return value if scheme and _PLACEHOLDER.fullmatch(rest) else f"{prefix}${{{_variable(name)}}}"


def _arguments(words: list[str]) -> list[str]:
    shown = masked_words(words)
    before = ["", *words]
    return [
        word if word == covered else covered.replace(MASK, f"${{{_variable(covered.split(MASK)[0] or flag)}}}")
        for word, covered, flag in zip(words, shown, before, strict=False)
    ]


def _address(url: str) -> str:
    try:
        parts = split_url(url)
    except ValueError:
        return "${URL}"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _variable(name: str) -> str:
    """Return a variable name made of a flag, a header or a variable."""
    made = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").upper()
    return made if made and not made[0].isdigit() else f"VALUE_{made}".rstrip("_")
