"""Places where assistants read skills, rules and plugins, for one user.

Sources: code.claude.com/docs/en/skills and /memory; developers.openai.com/codex/skills and /guides/agents-md;
geminicli.com/docs/cli/using-agent-skills and /gemini-md; cursor.com/docs/skills, /context/rules, /reference/plugins;
docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot (add-skills, add-custom-instructions and
plugins-creating); code.visualstudio.com/docs/copilot/customization/agent-plugins; kiro.dev/docs/skills, /steering and
/powers; opencode.ai/docs/skills and /rules.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.paths import Home
from toolnote_desktop.publishing.plugin import plugin_name
from toolnote_desktop.publishing.records import Carrier, Publication


class Places(Struct, frozen=True):
    """Places of one assistant within the user's home folder; "" where it reads none there.

    Attributes:
        skills: folder of skills.
        rules: file of rules.
        plugins: folder of plugins that it loads, or "." where it installs a plugin from any folder.
    """

    skills: str = ""
    rules: str = ""
    plugins: str = ""


PLACES: Final[Mapping[str, Places]] = {
    "claude-code": Places(".claude/skills", ".claude/CLAUDE.md"),
    "codex": Places(".codex/skills", ".codex/AGENTS.md", "."),
    "gemini-cli": Places(".gemini/skills", ".gemini/GEMINI.md"),
    "cursor": Places(".cursor/skills", "", ".cursor/plugins/local"),
    "copilot-cli": Places(".copilot/skills", ".copilot/copilot-instructions.md", "."),
    "vscode": Places("", "", "."),
    "kiro": Places(".kiro/skills", ".kiro/steering/toolnote.md", "."),
    "opencode": Places(".config/opencode/skills", ".config/opencode/AGENTS.md"),
}

_VARIABLES: Final = {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}
"""Variables that move a folder of an assistant."""

_FILES: Final = {"CLAUDE.md": "claude-code", "CLAUDE.local.md": "claude-code", "GEMINI.md": "gemini-cli"}
_FOLDERS: Final = {
    ".claude": "claude-code",
    ".codex": "codex",
    ".gemini": "gemini-cli",
    ".cursor": "cursor",
    ".copilot": "copilot-cli",
    ".kiro": "kiro",
    ".opencode": "opencode",
    "opencode": "opencode",
}


def reader_of(path: PurePath) -> str | None:
    """Return the id of the only assistant that reads a place; None where several may, as of ``AGENTS.md``."""
    if path.name in _FILES:
        return _FILES[path.name]
    return next((_FOLDERS[part] for part in reversed(path.parts[:-1]) if part in _FOLDERS), None) or _FOLDERS.get(
        path.name
    )


def usual_place(environment: Environment, client: str, carrier: Carrier, toolset: str, home: Home) -> Path | None:
    """Return where an assistant reads a carrier for all projects; None if it reads none there.

    A plugin that an assistant installs from any folder is made in Toolnote's.
    """
    places = PLACES.get(client, Places())
    if carrier is Carrier.PLUGIN:
        own = home.plugins / client / toolset
        folder = own if places.plugins == "." else _moved(environment, places.plugins)
        return folder / plugin_name(toolset) if places.plugins else None
    held = places.skills if carrier is Carrier.SKILL else places.rules
    return _moved(environment, held) if held else None


def _moved(environment: Environment, place: str) -> Path:
    """Return a place within the home folder, or where a variable of the environment moves its first folder."""
    first, _, rest = place.partition("/")
    folder = environment.xdg_config if first == ".config" else environment.folder(_VARIABLES.get(first, ""))
    return (folder or environment.home / first) / rest


def install_command(publication: Publication) -> str:
    """Return the command lines or the setting by which an assistant installs a plugin; "" where it loads it itself."""
    path = Path(publication.path)
    words = [str(path.parent)]
    folder = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    both = f"{path.name}@{path.name}"
    match publication.client:
        case "codex":
            return f"codex plugin marketplace add {folder} && codex plugin add {both}"
        case "copilot-cli":
            return f"copilot plugin marketplace add {folder} && copilot plugin install {both}"
        case "vscode":
            return f'"chat.pluginLocations": {{{json.dumps(str(path))}: true}}'
        case _:
            return ""
