"""Agent Skill of one toolset: a folder with a ``SKILL.md`` (agentskills.io/specification)."""

from __future__ import annotations

import json
import re
from typing import Final

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.publishing.text import CarriedText

SKILL_FILE: Final = "SKILL.md"
TOOLSET_KEY: Final = "toolnote-toolset"
"""Key of the frontmatter's ``metadata`` that names the toolset."""

_HYPHENS: Final = re.compile(r"-{2,}")


def skill_name(toolset: str) -> str:
    """Return a toolset's name as that of a skill and its folder: no hyphen at either end, and none twice."""
    return _HYPHENS.sub("-", toolset).strip("-") or "toolset"


def frontmatter(toolset: str, text: CarriedText) -> JsonObject:
    """Return the frontmatter of a skill."""
    return {"name": skill_name(toolset), "description": text.description, "metadata": {TOOLSET_KEY: toolset}}


def skill_header(toolset: str, text: CarriedText) -> str:
    """Return the frontmatter as YAML, between its lines of hyphens."""
    held = frontmatter(toolset, text)
    # A text in JSON is one in YAML.
    description = json.dumps(held["description"], ensure_ascii=False)
    return (
        f"---\nname: {json.dumps(held['name'])}\ndescription: {description}\n"
        f"metadata:\n  {TOOLSET_KEY}: {json.dumps(toolset)}\n---\n"
    )
