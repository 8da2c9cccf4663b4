"""Persons' folders on three systems, with real-looking configuration files in them (``samples``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolnote_desktop.assistants.clients import CLIENTS
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.own_entry import Ourselves

SAMPLES = Path(__file__).parent / "samples"
PLATFORMS = ("linux", "darwin", "win32")
OURSELVES = Ourselves(ports=frozenset({8377, 9001}), command=("/opt/toolnote/bin/toolnote",))


@dataclass(frozen=True)
class Where:
    """Where a client's usual file lies below a person's folder, and a file of one sample that goes there."""

    linux: str
    darwin: str
    win32: str

    def on(self, platform: str) -> str:
        return {"linux": self.linux, "darwin": self.darwin, "win32": self.win32}[platform]


def same(path: str) -> Where:
    return Where(path, path, path)


_SUPPORT = "Library/Application Support"
_ROAMING = "AppData/Roaming"

USUAL: Mapping[str, Where] = {
    "claude-desktop": Where(
        ".config/Claude/claude_desktop_config.json",
        f"{_SUPPORT}/Claude/claude_desktop_config.json",
        "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
    ),
    "cursor": same(".cursor/mcp.json"),
    "vscode": Where(".config/Code/User/mcp.json", f"{_SUPPORT}/Code/User/mcp.json", f"{_ROAMING}/Code/User/mcp.json"),
}

CASES = [(client, platform) for client in USUAL for platform in PLATFORMS]

Machine = Callable[[str], Environment]


def machine(folder: Path, platform: str) -> Environment:
    """An empty person's folder on a system."""
    home = folder / "ada"
    home.mkdir(exist_ok=True)
    variables = {}
    if platform == "win32":
        variables = {"APPDATA": str(home / "AppData" / "Roaming"), "LOCALAPPDATA": str(home / "AppData" / "Local")}
    return Environment(home=home, platform=platform, variables=variables)


def usual_file(environment: Environment, client: str) -> Path:
    """Where the client keeps its servers on this system."""
    return environment.home / USUAL[client].on(environment.platform)


def sample(client: str, platform: str) -> bytes:
    return next(SAMPLES.joinpath(client).glob(f"{platform}.*")).read_bytes()


def put(file: Path, data: bytes | str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return file


def put_sample(environment: Environment, client: str) -> Path:
    """The client's sample for this system, in its place."""
    return put(usual_file(environment, client), sample(client, environment.platform))


assert set(USUAL) == set(CLIENTS), "each known client needs a sample for three systems"
