"""Headings and bullets like those of the section with the user's notes."""

from __future__ import annotations

import re
from typing import Final

from toolnote_desktop.guidance.scanning.read_text import ReadText

_HEADING: Final = re.compile(
    # "## Notes of the user\n- **send**", "用户备注\n• [a]"
    r"(?:^|\n)[ \t]*(?:#{1,6}|\*\*|<h\d>|={2,}|-{2,})?[ \t]*"
    r"(?=[^\n]{0,80}(?:\bnotes?\b|\bhinweise\b|\bnotizen\b|\bnotas\b|\binstructions\b|笔记|备注|说明|メモ|注記))"
    r"(?=[^\n]{0,80}(?:\btools?\b|\buser\b|\bwerkzeug\w*|\bnutzers?\b|\boutils?\b|\butilisateur\b|"
    r"\bherramientas?\b|\busuario\b|工具|用户|ツール|ユーザー))"
    r"[^\n]{1,80}\n\s*(?:<ul>\s*<li>|[•*-])\s?(?:\*\*|<b>|\[|`)",
    re.IGNORECASE,
)
"""Heading of notes on tools or of the user, with a bullet whose beginning is marked."""

_MARKED_BULLET: Final = re.compile(r"\S[^\S\n]{0,80}\n\s*(?:<ul>\s*<li>|[•*-])\s?(?:\*\*|<b>|\[|`)", re.IGNORECASE)
_BULLETS: Final = re.compile(r"(?:^|\n)[ \t]*(?:•|<li>)[ \t]*(?:\*\*|<b>)?\[[\w.-]{1,64}\]")


def imitates_section(read: ReadText) -> bool:
    """Return True if a text has a heading and bullets like those of the user's notes, in other words or marks."""
    text = read.text
    if "additional tool notes:" in text.lower():
        return True
    if "\n" not in text:
        return False
    if read.may_fit("heading") and _MARKED_BULLET.search(text) is not None and _HEADING.search(text) is not None:
        return True
    return ("•" in text or "<li>" in text) and _BULLETS.search(text) is not None
