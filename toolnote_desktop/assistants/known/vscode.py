"""Visual Studio Code, its profiles and its other editions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from toolnote_desktop.assistants.config_file import read_own_settings
from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    FileRole,
    KnownClient,
    http_entry,
    typed_stdio_entry,
)
from toolnote_desktop.model.problem import Code

_FILE = "mcp.json"
_EDITIONS = ("Code", "Code - Insiders", "VSCodium", "Code - OSS")


CONVENTIONS = ClientConventions(bookkeeping=frozenset({"gallery", "version"}))


def extension_files(environment: Environment, extension: str, file: str) -> list[ConfigLocation]:
    """Return an extension's settings file for each edition that has the extension."""
    found = [(edition, folder / "globalStorage" / extension) for edition, folder in user_folders(environment)]
    present = [(edition, folder) for edition, folder in found if folder.is_dir()]
    return [
        ConfigLocation(folder / "settings" / file, label="" if name == "Code" else name) for name, folder in present
    ]


def user_folders(environment: Environment) -> list[tuple[str, Path]]:
    """Return the editions that were started here, each with its user settings folder; the standard one first."""
    portable = environment.folder("VSCODE_PORTABLE")
    folders = [("portable", portable / "user-data" / "User")] if portable else []
    folders += [(edition, environment.program_data / edition / "User") for edition in _EDITIONS]
    return [(edition, folder) for edition, folder in folders if folder.is_dir()]


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    locations: list[ConfigLocation] = []
    for edition, folder in user_folders(environment):
        role = FileRole.ALSO if locations else FileRole.LIVE
        locations.append(ConfigLocation(folder / _FILE, role, "" if edition == "Code" else edition))
        locations += [ConfigLocation(file, FileRole.ALSO, label) for label, file in _profiles(edition, folder)]
    return locations


def _profiles(edition: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield each profile with servers of its own, from the editor's list."""
    # An editor that was never fully started has none.
    profiles = read_own_settings(folder / "globalStorage" / "storage.json").get("userDataProfiles")
    for profile in profiles if isinstance(profiles, list) else ():
        if not isinstance(profile, dict):
            continue
        location, name, shared = profile.get("location"), profile.get("name"), profile.get("useDefaultFlags")
        if not isinstance(location, str) or not isinstance(name, str) or not _is_inside(location):
            continue
        if not (isinstance(shared, dict) and shared.get("mcp")):
            label = f"profile {name}" if edition == "Code" else f"{edition}, profile {name}"
            yield label, folder / "profiles" / location / _FILE


def _is_inside(location: str) -> bool:
    return bool(location) and not Path(location).is_absolute() and ".." not in Path(location).parts


CLIENT = KnownClient(
    id="vscode",
    name="VS Code",
    locations=_locations,
    servers_at=("servers",),
    entry=typed_stdio_entry,
    by_url=http_entry,
    conventions=CONVENTIONS,
    after_install=Code.CLIENT_START_SERVER,
    after_change=Code.CLIENT_FOLLOWS,
)
