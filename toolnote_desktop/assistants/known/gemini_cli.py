"""Gemini CLI and Qwen Code, which came from it: ``httpUrl`` means streamable HTTP, ``url`` SSE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, KnownClient, folder_locations
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code

_FILE = "settings.json"


def _gemini_locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".gemini"
    if folder.is_dir() and not (folder / _FILE).is_file() and _has_antigravity_only(folder):
        return [ConfigLocation(folder / _FILE)] if environment.has_program("gemini") else []
    return folder_locations(folder, _FILE, installed=environment.has_program("gemini"))


def _has_antigravity_only(folder: Path) -> bool:
    """Return True if nothing but Antigravity, which uses the same folder, has left something there."""
    names = {path.name for path in folder.iterdir()}
    return bool(names) and all(name == "config" or name.startswith("antigravity") for name in names)


def _qwen_locations(environment: Environment) -> Sequence[ConfigLocation]:
    return folder_locations(environment.home / ".qwen", _FILE, installed=environment.has_program("qwen"))


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"httpUrl": url, "headers": dict(headers)}


def _client(
    id: str,
    name: str,
    locations: Callable[[Environment], Sequence[ConfigLocation]],
    *,
    after_install: Code,
    after_change: Code,
) -> KnownClient:
    return KnownClient(
        id=id,
        name=name,
        locations=locations,
        by_url=_by_url,
        conventions=ClientConventions(
            plain_url_type="sse", timeout=Timeout.MILLISECONDS, bookkeeping=frozenset({"trust", "description"})
        ),
        after_install=after_install,
        after_change=after_change,
    )


GEMINI = _client(
    "gemini-cli",
    "Gemini CLI",
    _gemini_locations,
    after_install=Code.CLIENT_TRUST_FOLDER,
    after_change=Code.CLIENT_FOLLOWS,
)
# qwenlm.github.io/qwen-code-docs: en/users/features/mcp
QWEN = _client(
    "qwen-code",
    "Qwen Code",
    _qwen_locations,
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
