"""Persons' folders on three systems, with real-looking configuration files in them (``samples``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity

SAMPLES = Path(__file__).parent / "samples"
PLATFORMS = ("linux", "darwin", "win32")
OURSELVES = ToolnoteIdentity(ports=frozenset({8377, 9001}), command=("/opt/toolnote/bin/toolnote",))


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


def in_code(path: str) -> Where:
    return Where(f".config/Code/User/{path}", f"{_SUPPORT}/Code/User/{path}", f"{_ROAMING}/Code/User/{path}")


USUAL: Mapping[str, Where] = {
    "claude-desktop": Where(
        ".config/Claude/claude_desktop_config.json",
        f"{_SUPPORT}/Claude/claude_desktop_config.json",
        "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
    ),
    "cursor": same(".cursor/mcp.json"),
    "vscode": in_code("mcp.json"),
    "claude-code": same(".claude.json"),
    "windsurf": same(".codeium/windsurf/mcp_config.json"),
    "cline": in_code("globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
    "roo": in_code("globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
    "zed": Where(".config/zed/settings.json", ".config/zed/settings.json", f"{_ROAMING}/Zed/settings.json"),
    "gemini-cli": same(".gemini/settings.json"),
    "codex": same(".codex/config.toml"),
    "goose": Where(
        ".config/goose/config.yaml", ".config/goose/config.yaml", f"{_ROAMING}/Block/goose/config/config.yaml"
    ),
    "continue": same(".continue/config.yaml"),
    "lm-studio": same(".lmstudio/mcp.json"),
    "amazon-q": same(".aws/amazonq/mcp.json"),
    "kiro": same(".kiro/settings/mcp.json"),
    "junie": same(".junie/mcp/mcp.json"),
    "copilot-cli": same(".copilot/mcp-config.json"),
    "opencode": same(".config/opencode/opencode.json"),
    "antigravity": same(".gemini/config/mcp_config.json"),
    "qwen-code": same(".qwen/settings.json"),
    "zoo-code": in_code("globalStorage/zoocodeorganization.zoo-code/settings/mcp_settings.json"),
    "warp": same(".warp/.mcp.json"),
    "kilo-code": same(".config/kilo/kilo.json"),
    "amp": same(".config/amp/settings.json"),
    "crush": Where(".config/crush/crush.json", ".config/crush/crush.json", "AppData/Local/crush/crush.json"),
    "droid": same(".factory/mcp.json"),
    "kimi-cli": same(".kimi-code/mcp.json"),
    "jan": Where(
        ".local/share/Jan/data/mcp_config.json",
        f"{_SUPPORT}/Jan/data/mcp_config.json",
        f"{_ROAMING}/Jan/data/mcp_config.json",
    ),
    "anythingllm": Where(
        ".config/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json",
        f"{_SUPPORT}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json",
        f"{_ROAMING}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json",
    ),
    "witsy": Where(".config/Witsy/settings.json", f"{_SUPPORT}/Witsy/settings.json", f"{_ROAMING}/Witsy/settings.json"),
    "grok-build": same(".grok/config.toml"),
    "hermes": Where(".hermes/config.yaml", ".hermes/config.yaml", "AppData/Local/hermes/config.yaml"),
}

# Clients that live in another one's folder, which is then there too.
HOSTS = {"cline": {"vscode"}, "roo": {"vscode"}, "zoo-code": {"vscode"}}

# Clients whose file holds more than servers, or belongs to a former version: without it they are not found.
FILE_IS_EVIDENCE = {"crush", "witsy"}

# What shows that a client is installed, where it is not the folder of its file.
EVIDENCE = {"claude-code": ".claude"}


def machines(folder: Path) -> Iterator[Environment]:
    """An empty person's folder on each system."""
    for platform in PLATFORMS:
        (folder / platform).mkdir()
        yield machine(folder / platform, platform)


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
    """A file as the client has it on this system; ``any`` where systems make no difference."""
    folder = SAMPLES / client
    return [*folder.glob(f"{platform}.*"), *folder.glob("any.*")][0].read_bytes()


def put(file: Path, data: bytes | str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return file


def put_sample(environment: Environment, client: str) -> Path:
    """The client's sample for this system, in its place."""
    return put(usual_file(environment, client), sample(client, environment.platform))


assert set(USUAL) == set(CLIENTS), "each known client needs a sample for three systems"
