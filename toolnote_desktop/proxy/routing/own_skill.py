"""Skill of a client's own toolset (SEP-2640): the user's words on its tools, as published elsewhere as a file."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Final
from weakref import WeakKeyDictionary

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.publishing.skill import SKILL_FILE, frontmatter, skill_header, skill_name
from toolnote_desktop.publishing.text import carried_text

FOLDER: Final = "skill://toolnote/"


class OwnSkill(Struct, frozen=True):
    """Skill of a toolset.

    Attributes:
        entry: its entry in ``skills/list``.
    """

    uri: str
    text: str
    entry: JsonObject

    def read(self) -> Reply:
        """Return the reply to ``resources/read`` of its file."""
        content = {"uri": self.uri, "mimeType": "text/markdown", "text": self.text}
        return Reply(json_text.dumps({"contents": [content]}))


def make_skill(snapshot: Snapshot, toolset: Toolset, dialect: Dialect) -> OwnSkill | None:
    """Return the skill of a toolset; None if the user has written nothing on its tools."""
    text = carried_text(snapshot, toolset, dialect)
    if not text.tools and not toolset.guidelines:
        return None
    uri = f"{FOLDER}{skill_name(toolset.name)}/{SKILL_FILE}"
    content = f"{skill_header(toolset.name, text)}\n{text.body}\n"
    digest = f"sha256:{hashlib.sha256(content.encode('utf-8')).hexdigest()}"
    entry = {
        "uri": uri,
        "frontmatter": frontmatter(toolset.name, text),
        "resources": [{"uri": uri, "digest": digest}],
    }
    return OwnSkill(uri, content, entry)


class OwnSkills:
    """Skills of all views, made in a thread when they are needed and kept until a part of them changes."""

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[ClientView, tuple[object, OwnSkill | None]] = WeakKeyDictionary()

    async def find(self, snapshot: Snapshot, view: ClientView, dialect: Dialect) -> OwnSkill | None:
        """Return the skill of a view's toolset; None without one."""
        toolset = snapshot.toolsets.get(view.toolset or "")
        if toolset is None or not view.tools:
            return None
        made = self._made.get(view)
        if made is None or made[0] is not snapshot.servers:  # whose secrets are never in it
            skill = await asyncio.to_thread(make_skill, snapshot, toolset, dialect)
            made = self._made[view] = (snapshot.servers, skill)
        return made[1]
