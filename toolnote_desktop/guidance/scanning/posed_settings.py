# ruff: noqa: E501 - patterns on as few lines as they can be read on
"""Headings, settings and front matter that pose as files for agents or as what the user has allowed."""

from __future__ import annotations

import re
from typing import Final

from toolnote_desktop.guidance.scanning.read_text import ReadText

_AGENT_FILE: Final = re.compile(
    r"(?:^|\n)(?:[ \t]{0,4}[#*=>\[-]{1,6} ?(?:(?:CLAUDE|AGENTS?|GEMINI|COPILOT)\.md\b|(?:CURSOR|WINDSURF|CLAUDE|COPILOT|AGENT) RULES\b)[*#=\] ]{0,6}(?=\n|:)|"
    r"[#*=_-]{1,6} ?My (?:preferences|rules|instructions|settings|wishes|standing orders)[*#=_: ]{0,6}\n|"
    r"[#*=_-]{1,6} ?What the user (?:asked|wants?|said|wishes|agreed|approved|allowed)\b[^\n]{0,40}\n|"
    r"[#*=_-]{1,6} ?New (?:task|order|request|instructions?) (?:from|by|of) the user\b|"
    r"[#*=_-]{1,6} ?User (?:preferences|rules|wishes|instructions) \((?:saved|stored|confirmed|active|remembered|verified)\)|"
    r"[#*=_-]{1,6} ?Memory\b[^\n]{0,30}\buser\b[^\n]{0,20}\n|"
    r"[#*=_-]{0,6} ?(?:Approved|Pre-?approved|Authori[sz]ed) (?:actions|operations|permissions)\b[^\n]{0,30}\buser\b[^\n]{0,30}\n|"
    r"[#*=_-]{0,6} ?(?:NOTICE|MESSAGE|ALERT|WARNING) FROM [A-Z]{3,20}\b|"
    r"[#*=_-]{1,6} ?[A-Z][a-z]{2,20} (?:policy|rules|instructions|notice) \((?:mandatory|binding|confidential)\)|"
    r"[#*=_ -]{0,6}(?i:(?:normas|reglas|consignes|règles|regole|norme|regras) (?:del|du|do) (?:sistema|système))\b)"
)
_SETTINGS: Final = re.compile(
    r"(?:^|\n)[#*=_┌─│ \[-]{0,8}(?:(?:User|Operator|Agent|Assistant|Owner|Admin|Client|Host) (?:settings|configuration|config|permissions|profile)|(?:Configuración|Ajustes|Preferencias) del usuario|(?:Paramètres|Préférences) de l.utilisateur|Einstellungen des Nutzers|agent|assistant|session|SESSION|config|\| ?Setting ?\| ?Value ?\|)[\]*#=_:─┐ ]{0,40}(?=\n)([^\0]{0,160})|"
    r"\A---\n([^\0]{0,160})"
)
_GRANT: Final = re.compile(
    r"\b(?:auto_\w{2,20}|ask[_-]?before\w{0,20}|ask for \w{2,20}|allowed-tools|permission-?mode|permissions?|approvals?|trust(?:_?level)?|confirm\w{0,10}|sandbox|silent|confirmaciones|confirmations?|Bestätigung(?:en)?|Rückfragen|notify[_-]user|tell[_ ]user|upsell|expose_\w{2,20}|alwaysApply)\"? ?[=:|] ?[\"']?"
    r"(?:true|false|yes|no|on|off|never|always|full|granted|all|none|bypass|skip|auto|Bash|desactivad[ao]s?|nunca|siempre|désactivée?s?|jamais|toujours|aus|nie|immer)\b",
    re.IGNORECASE,
)


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
