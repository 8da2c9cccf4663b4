"""Clients with one JSON file of servers, one row each, with its source: docs/assistants.md says what kind it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from toolnote_desktop.assistants.config_file import read_own_settings
from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    first_is_live,
    folder_locations,
    http_entry,
    stdio_entry,
    typed_stdio_entry,
    url_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _server_url_entry(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"serverUrl": url, "headers": dict(headers)}


def _antigravity(environment: Environment) -> Sequence[ConfigLocation]:
    """Return the file that app, editor and command line share since version 2, and the editor's former one."""
    gemini = environment.home / ".gemini"
    current, former = gemini / "config", gemini / "antigravity"
    found = folder_locations(current, "mcp_config.json", installed=environment.has_program("agy"))
    former_file = former / "mcp_config.json"
    if former_file.is_file() or (not found and former.is_dir()):
        found = [*found, ConfigLocation(former_file, label="former editor" if found else "")]
    return first_is_live(found)


ANTIGRAVITY = KnownClient(  # antigravity.google/docs/mcp; the command line's own mcp_servers.md (docs/assistants.md)
    id="antigravity",
    name="Antigravity",
    locations=_antigravity,
    by_url=_server_url_entry,
)


def _warp(environment: Environment) -> Sequence[ConfigLocation]:
    return folder_locations(environment.home / ".warp", ".mcp.json", installed=environment.has_program("warp-terminal"))


WARP = KnownClient(  # docs.warp.dev/agents/capabilities/mcp; warpdotdev/warp app/src/ai/mcp
    id="warp",
    name="Warp",
    locations=_warp,
    by_url=url_entry,
    after_install=Code.CLIENT_FOLLOWS,
)


def _amp(environment: Environment) -> Sequence[ConfigLocation]:
    folders = [environment.home / ".config" / "amp"]
    if environment.platform == "linux":
        folders = [environment.xdg_config / "amp"]
    elif environment.platform == "win32":
        folders.append(environment.roaming / "amp")
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if folder is None:
        return []
    files = [folder / "settings.json", folder / "settings.jsonc"]
    return first_is_live(ConfigLocation(file) for file in [file for file in files if file.is_file()] or files[:1])


AMP = KnownClient(  # sourcegraph/amp-examples-and-guides guides/mcp/amp-mcp-setup-guide.md
    id="amp",
    name="Amp",
    locations=_amp,
    servers_at=("amp.mcpServers",),
    by_url=url_entry,
    switch=DisableSwitch(),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)


def _crush(environment: Environment) -> Sequence[ConfigLocation]:
    """Return the JSON file where it is in use: Crush's newer ``crushrc`` is a script, which is not edited."""
    windows = environment.platform == "win32"
    folder = environment.local / "crush" if windows else environment.xdg_config / "crush"
    file = folder / "crush.json"
    return [ConfigLocation(file)] if file.is_file() and not (folder / "crushrc").exists() else []


CRUSH = KnownClient(  # charmbracelet/crush docs/config/README.md
    id="crush",
    name="Crush",
    locations=_crush,
    servers_at=("mcp",),
    entry=typed_stdio_entry,
    by_url=http_entry,
    switch=DisableSwitch(),
    conventions=ClientConventions(timeout=Timeout.SECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)


def _droid(environment: Environment) -> Sequence[ConfigLocation]:
    return folder_locations(environment.home / ".factory", "mcp.json", installed=environment.has_program("droid"))


DROID = KnownClient(  # docs.factory.ai/cli/configuration/mcp
    id="droid",
    name="Droid",
    locations=_droid,
    entry=typed_stdio_entry,
    by_url=http_entry,
    switch=DisableSwitch(),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)


def _kimi(environment: Environment) -> Sequence[ConfigLocation]:
    """Return the file of Kimi Code CLI, and that of its predecessor kimi-cli."""
    given = environment.folder("KIMI_CODE_HOME")
    current = given or environment.home / ".kimi-code"
    former = folder_locations(environment.home / ".kimi", "mcp.json")
    installed = environment.has_program("kimi") and not former
    found = folder_locations(current, "mcp.json", installed=installed)
    more = [ConfigLocation(one.file, label="kimi-cli") for one in former if not found or one.file.is_file()]
    return first_is_live([*found, *more])


KIMI = KnownClient(  # moonshotai.github.io/kimi-code/zh/customization/mcp and kimi-cli/en/reference/kimi-mcp
    id="kimi-cli",
    name="Kimi CLI",
    locations=_kimi,
    by_url=url_entry,
    switch=DisableSwitch("enabled", off=False),
    conventions=ClientConventions(timeout=Timeout.MILLISECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)


def _jan(environment: Environment) -> Sequence[ConfigLocation]:
    root = environment.xdg_data if environment.platform == "linux" else environment.program_data
    root = (environment.folder("JAN_DATA_ROOT") or root) / "Jan"
    folder = environment.folder("JAN_DATA_FOLDER") or _jan_folder(root / "settings.json") or root / "data"
    return folder_locations(folder, "mcp_config.json")


def _jan_folder(settings: Path) -> Path | None:
    """Return the data folder that the user moved Jan's data to, if any."""
    folder = read_own_settings(settings).get("data_folder")
    return Path(folder) if isinstance(folder, str) and Path(folder).is_absolute() else None


def _jan_entry(command: Sequence[str]) -> JsonObject:
    return {"active": True, **stdio_entry(command), "env": {}}


def _jan_by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"active": True, **http_entry(url, headers)}


JAN = KnownClient(  # janhq/jan src-tauri/src/core/app/paths.rs, constants.rs
    id="jan",
    name="Jan",
    locations=_jan,
    entry=_jan_entry,
    by_url=_jan_by_url,
    switch=DisableSwitch("active", off=False),
    conventions=ClientConventions(bookkeeping=frozenset({"official"})),
)


def _anythingllm(environment: Environment) -> Sequence[ConfigLocation]:
    storage = environment.program_data / "anythingllm-desktop" / "storage"
    return folder_locations(storage / "plugins", "anythingllm_mcp_servers.json", installed=storage.is_dir())


def _anythingllm_by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"type": "streamable", **url_entry(url, headers)}


ANYTHINGLLM = KnownClient(  # docs.anythingllm.com/mcp-compatibility/overview, /installation-desktop/debug
    id="anythingllm",
    name="AnythingLLM",
    locations=_anythingllm,
    by_url=_anythingllm_by_url,
    conventions=ClientConventions(bookkeeping=frozenset({"anythingllm"})),
)


def _witsy(environment: Environment) -> Sequence[ConfigLocation]:
    file = environment.program_data / "Witsy" / "settings.json"
    return [ConfigLocation(file)] if file.is_file() else []


WITSY = KnownClient(  # nbonamy/witsy src/main/config.ts, src/main/mcp.ts: servers of ``mcpServers`` are started only
    id="witsy",
    name="Witsy",
    locations=_witsy,
    after_install=Code.CLIENT_FOLLOWS,
)
