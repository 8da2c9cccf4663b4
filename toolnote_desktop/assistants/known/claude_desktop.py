"""Claude Desktop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, FileRole, KnownClient

_FILE = "claude_desktop_config.json"


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    if environment.platform == "win32":
        return _windows_locations(environment)
    usual = environment.program_data / "Claude"
    if environment.platform == "darwin":
        return [ConfigLocation(usual / _FILE)] if usual.is_dir() else []
    # Community builds for Linux use the lower-case folder, which may also belong to another program: only a file in it
    # counts.
    lower = environment.program_data / "claude" / _FILE
    found = [ConfigLocation(usual / _FILE)] if usual.is_dir() else []
    if lower.is_file() and not (found and (usual / _FILE).exists() and lower.samefile(usual / _FILE)):
        if found and not (usual / _FILE).exists():
            found = [ConfigLocation(usual / _FILE, FileRole.DEAD)]
        found.append(ConfigLocation(lower, label="lower-case folder"))
    return found


def _windows_locations(environment: Environment) -> Sequence[ConfigLocation]:
    """Return the files on Windows: the packaged build (MSIX, since February 2026) never reads the classic folder.

    Of several package folders the one with a configuration file is in use.
    """
    packages = [ConfigLocation(file, label=package.name) for package, file in _packages(environment)]
    used = [location for location in packages if location.file.exists()]
    if len(packages) > 1 and len(used) == 1:
        dead = FileRole.DEAD
        packages = [
            location if location in used else ConfigLocation(location.file, dead, location.label)
            for location in packages
        ]
    classic = environment.roaming / "Claude"
    if not packages:
        return [ConfigLocation(classic / _FILE)] if classic.is_dir() else []
    if not classic.is_dir():
        return packages
    # With the classic installer's program still there, either may be in use.
    has_classic_program = (environment.local / "AnthropicClaude" / "claude.exe").is_file()
    role = FileRole.LIVE if has_classic_program else FileRole.DEAD
    return [*packages, ConfigLocation(classic / _FILE, role, "classic installer")]


def _packages(environment: Environment) -> Sequence[tuple[Path, Path]]:
    folders = sorted(path for path in (environment.local / "Packages").glob("Claude_*") if path.is_dir())
    return [(folder, folder / "LocalCache" / "Roaming" / "Claude" / _FILE) for folder in folders]


CLIENT = KnownClient(id="claude-desktop", name="Claude Desktop", locations=_locations)
