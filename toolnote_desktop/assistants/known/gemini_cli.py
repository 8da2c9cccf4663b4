"""Gemini CLI: ``httpUrl`` means streamable HTTP, ``url`` SSE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, KnownClient, folder_locations
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    return folder_locations(environment.home / ".gemini", "settings.json")


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"httpUrl": url, "headers": dict(headers)}


CLIENT = KnownClient(
    id="gemini-cli",
    name="Gemini CLI",
    locations=_locations,
    by_url=_by_url,
    conventions=ClientConventions(
        plain_url_type="sse", timeout=Timeout.MILLISECONDS, bookkeeping=frozenset({"trust", "description"})
    ),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
