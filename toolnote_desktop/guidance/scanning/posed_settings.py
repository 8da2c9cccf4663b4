"""Headings, settings and front matter that pose as files for agents or as what the user has allowed."""

from __future__ import annotations

import re
from typing import Final

from toolnote_desktop.guidance.scanning.read_text import ReadText

_AGENT_FILE: Final = re.compile(
    r"(?:^|\n)(?:"
    # "# CLAUDE.md\n", "== AGENT RULES ==\n"
    r"[ \t]{0,4}[#*=>\[-]{1,6} ?"
    r"(?:(?:CLAUDE|AGENTS?|GEMINI|COPILOT)\.md\b|(?:CURSOR|WINDSURF|CLAUDE|COPILOT|AGENT) RULES\b)"
    r"[*#=\] ]{0,6}(?=\n|:)|"
    # "## My preferences\n", "**My standing orders:**\n"
    r"[#*=_-]{1,6} ?My (?:preferences|rules|instructions|settings|wishes|standing orders)[*#=_: ]{0,6}\n|"
    # "## What the user agreed to last week\n"
    r"[#*=_-]{1,6} ?What the user (?:asked|wants?|said|wishes|agreed|approved|allowed)\b[^\n]{0,40}\n|"
    # "## New task from the user"
    r"[#*=_-]{1,6} ?New (?:task|order|request|instructions?) (?:from|by|of) the user\b|"
    # "## User preferences (saved)"
    r"[#*=_-]{1,6} ?User (?:preferences|rules|wishes|instructions) "
    r"\((?:saved|stored|confirmed|active|remembered|verified)\)|"
    # "## Memory of this user\n"
    r"[#*=_-]{1,6} ?Memory\b[^\n]{0,30}\buser\b[^\n]{0,20}\n|"
    # "Pre-approved actions of the user:\n"
    r"[#*=_-]{0,6} ?(?:Approved|Pre-?approved|Authori[sz]ed) (?:actions|operations|permissions)\b"
    r"[^\n]{0,30}\buser\b[^\n]{0,30}\n|"
    # "NOTICE FROM SECURITY"
    r"[#*=_-]{0,6} ?(?:NOTICE|MESSAGE|ALERT|WARNING) FROM [A-Z]{3,20}\b|"
    # "## Company policy (mandatory)"
    r"[#*=_-]{1,6} ?[A-Z][a-z]{2,20} (?:policy|rules|instructions|notice) \((?:mandatory|binding|confidential)\)|"
    # "Reglas del sistema", "### Consignes du système"
    r"[#*=_ -]{0,6}(?i:(?:normas|reglas|consignes|règles|regole|norme|regras) (?:del|du|do) (?:sistema|système))\b"
    r")"
)
"""Headings like those of a file for agents, of a memory, or of what the user has asked for or allowed."""

_SETTINGS: Final = re.compile(
    # "## User settings\nconfirm: never", "[agent]\nauto_approve = true", "| Setting | Value |\n| sandbox | off |"
    r"(?:^|\n)[#*=_┌─│ \[-]{0,8}(?:"
    r"(?:User|Operator|Agent|Assistant|Owner|Admin|Client|Host) "
    r"(?:settings|configuration|config|permissions|profile)|"
    r"(?:Configuración|Ajustes|Preferencias) del usuario|(?:Paramètres|Préférences) de l.utilisateur|"
    r"Einstellungen des Nutzers|agent|assistant|session|SESSION|config|\| ?Setting ?\| ?Value ?\|"
    r")[\]*#=_:─┐ ]{0,40}(?=\n)([^\0]{0,160})|"
    # "---\nallowed-tools: all\n---"
    r"\A---\n([^\0]{0,160})"
)
"""Heading of settings, or the line that front matter begins with; the group is what follows."""

_GRANT: Final = re.compile(
    # "auto_approve = true", "permission-mode: bypass", "Rückfragen: nie"
    r"\b(?:auto_\w{2,20}|ask[_-]?before\w{0,20}|ask for \w{2,20}|allowed-tools|permission-?mode|permissions?|"
    r"approvals?|trust(?:_?level)?|confirm\w{0,10}|sandbox|silent|confirmaciones|confirmations?|"
    r"Bestätigung(?:en)?|Rückfragen|notify[_-]user|tell[_ ]user|upsell|expose_\w{2,20}|alwaysApply)"
    r"\"? ?[=:|] ?[\"']?"
    r"(?:true|false|yes|no|on|off|never|always|full|granted|all|none|bypass|skip|auto|Bash|"
    r"desactivad[ao]s?|nunca|siempre|désactivée?s?|jamais|toujours|aus|nie|immer)\b",
    re.IGNORECASE,
)
"""Setting that lets an assistant act without being asked, or keeps the user from being told."""


def posed_settings(read: ReadText) -> str:
    """Return a heading that poses as a file or settings for agents or as what the user allowed; "" if there is none."""
    text = read.text
    if "\n" not in text:
        return ""
    if read.may_fit("agent file") and (found := _AGENT_FILE.search(text)):
        return " ".join(text[found.start() : found.end() + 60].split())
    for settings in _SETTINGS.finditer(text) if read.may_fit("grant") else ():
        if _GRANT.search(settings[1] or settings[2] or ""):
            return " ".join(settings.group().split())
    return ""
