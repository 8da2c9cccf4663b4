"""Assistants that are extensions of VS Code, in each of its editions: Cline, Roo Code and Zoo Code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known.vscode import extension_files
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    first_is_live,
    url_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code

_CLINE_FILE = "cline_mcp_settings.json"


def _no_more(environment: Environment) -> Iterable[ConfigLocation]:
    del environment
    return ()


def _extension(
    id: str,
    name: str,
    *,
    extension: str,
    file: str,
    url_type: str,
    more_locations: Callable[[Environment], Iterable[ConfigLocation]] = _no_more,
    after_change: Code = Code.CLIENT_SWITCH_OFF_AND_ON,
) -> KnownClient:
    """Build the client for an extension.

    Args:
        extension: its id in the marketplace.
        file: its settings file.
        url_type: ``type`` of an entry with an address.
        more_locations: files outside VS Code that it reads too.
    """

    def locations(environment: Environment) -> Sequence[ConfigLocation]:
        return first_is_live([*extension_files(environment, extension, file), *more_locations(environment)])

    def by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
        return {"type": url_type, **url_entry(url, headers)}

    return KnownClient(
        id=id,
        name=name,
        locations=locations,
        by_url=by_url,
        switch=DisableSwitch(),
        conventions=ClientConventions(
            timeout=Timeout.SECONDS, bookkeeping=frozenset({"autoApprove", "alwaysAllow", "networkTimeout"})
        ),
        after_install=Code.CLIENT_FOLLOWS,
        after_change=after_change,
    )


def _cline_command_line(environment: Environment) -> Iterable[ConfigLocation]:
    data = environment.folder("CLINE_DIR") or environment.home / ".cline" / "data"
    if data.is_dir() or environment.has_program("cline"):
        yield ConfigLocation(data / "settings" / _CLINE_FILE, label="command line")


CLINE = _extension(
    "cline",
    "Cline",
    extension="saoudrizwan.claude-dev",
    file=_CLINE_FILE,
    url_type="streamableHttp",
    more_locations=_cline_command_line,
    after_change=Code.CLIENT_SWITCH_OR_RESTART,
)
ROO = _extension(
    "roo", "Roo Code", extension="rooveterinaryinc.roo-cline", file="mcp_settings.json", url_type="streamable-http"
)
ZOO = _extension(  # Zoo-Code-Org/Zoo-Code src/package.json (publisher and name, lower case)
    "zoo-code",
    "Zoo Code",
    extension="zoocodeorganization.zoo-code",
    file="mcp_settings.json",
    url_type="streamable-http",
)
