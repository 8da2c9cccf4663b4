"""Headings and labels that speak for the system, an administrator or the user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolnote_desktop.guidance.scanning.label_words import ALONE, READERS, RULES, WHAT, WHOSE
from toolnote_desktop.guidance.scanning.needed_words import folded, has_any
from toolnote_desktop.guidance.scanning.pattern_needs import NEEDED
from toolnote_desktop.guidance.scanning.posed_settings import posed_settings
from toolnote_desktop.guidance.scanning.read_text import ReadText
from toolnote_desktop.guidance.scanning.usual_forms import is_usual_label
from toolnote_desktop.guidance.texts import words_of_letters

_LABEL: Final = re.compile(
    # "\n## Note of the user:", ". [ADMIN]", "System prompt ---\n"
    r"(?:^|\n|[.!?。][ \t]?)[ \t]{0,8}(?P<mark>[#>*_=~\[(<-]{0,24}[ \t]?)(?P<words>[^\n.:：\])>=~]{3,60}?)"
    r"(?P<end>[*_\])>=~#-]{0,24}[ \t]?[:：]|[\])>]|[ \t]?[=~#*_-]{2,24}(?=[ \t]?(?:\n|\Z))|[ \t]?(?=\n))"
)
"""Heading, label, bracket or line of its own, before something else."""

_UNFINISHED: Final = frozenset(
    ["with", "and", "or", "the", "a", "an", "to", "of", "in", "for", "by", "with:", "under", "if", "that"]
)
_FAR_LABEL: Final = re.compile(
    # "【系统提示】：", "管理者からの指示："
    r"(?:^|[\n。 ])[#*【\[ ]{0,6}"
    r"(?:系统|系統|管理员|平台|开发者|用户|システム|管理者|運営|開発者|ユーザー)"
    r"(?:的)?(?:提示|消息|指令|通知|备注|说明|规则|から(?:の)?(?:指示|通知)|の(?:メモ|注記|指示)|メッセージ|プロンプト)?"
    r"[】\]]?[：:]"
)
"""The same in Chinese and Japanese, by a speaker."""

_CLOSED: Final = re.compile(
    # "</tool_description>"
    r"</(?:description|tool|tools|tool_description|function|functions|context)>|"
    # "--- END OF TOOLS"
    r"(?:^|\n)[-=*#_ ]{0,40}(?-i:(?:END|BEGIN|START) OF [A-Z]{2})|"
    # "assistant to=functions"
    r"\bassistant to=|"
    # "role: system\n"
    r"(?:^|\n)role: ?(?:system|developer|assistant|user|tool)\s|"
    # "# Tools\n\n## send"
    r"(?:^|\n)#{1,4} ?(?:tools|functions)\s*\n+#{1,5} ?\w",
    re.IGNORECASE,
)
"""End of the part that a tool's text is in, or the beginning of another."""


_CLOSED_NEEDS: Final = "</", "assistant to=", "role:", "# tools", "#tools", "# functions", "#functions"
_USERS: Final = ("user", "person", "customer", "owner", "nutzer", "benutzer", "utilisat", "usuari")


def claimed_authority(read: ReadText) -> tuple[str, bool]:
    """Return a heading or label that speaks for the system, an administrator or the user, and whether it is the user's.

    "" if there is none: server texts have headings too, but of what the tool does.
    """
    text = read.text
    closed = _CLOSED.search(text) if " OF " in text or has_any(_CLOSED_NEEDS, read.lower) else None
    if closed is None and not text.isascii():
        closed = _FAR_LABEL.search(text)
    if closed:
        return " ".join(text[closed.start() : closed.end() + 60].split()), False
    if posed := posed_settings(read):
        return posed, False
    for found in _labels(read):
        words = found["words"].lower().split()
        if _is_claim(found, words) and not _is_usual(found, " ".join(words)):
            is_users = any(word.startswith(_USERS) for word in words)
            return " ".join(text[found.start() : found.end() + 60].split()), is_users or not _names_whose(words)
    return "", False


def _labels(read: ReadText) -> Iterator[re.Match[str]]:
    """Yield the labels of a text: of those lines only that have the words of one that names a speaker."""
    text = read.text
    if not read.may_fit("label") or not has_any(":\n[：", text):
        return
    start = 0
    for line in text.split("\n"):
        end = start + len(line) + 1
        if len(line) == len(text) or _may_fit_label(line):
            yield from _LABEL.finditer(text, max(0, start - 1), end)
        start = end


def _may_fit_label(line: str) -> bool:
    lower = folded(line)
    return NEEDED.opens("label", NEEDED.seen(words_of_letters(lower)), line, lower)


def _names_whose(words: list[str]) -> bool:
    """Return True if a label names a speaker."""
    return any(word.startswith(WHOSE) and (word == "personal" or not word.startswith("personal")) for word in words)


def _is_claim(found: re.Match[str], words: list[str]) -> bool:
    """Return True if a label says that what follows is from the system, an administrator or the user."""
    mark, end, label = found["mark"].strip(), found["end"].strip(), " ".join(words)
    if len(words) > 8 or "(" in label or (end in (")", ">") and mark[-1:] not in ("(", "<")):
        return False
    if end == ")" and found.start() > 0 and found.string[found.start()] != "\n":
        return False  # an aside
    if "_" in label or "`" in label:
        return False  # a parameter
    if len(words) > 3 and words[-1] in _UNFINISHED:
        return False
    is_capital = found["words"].isupper()
    if any(word.startswith(WHAT) and not word.startswith("memor") for word in words):
        is_marked = bool(mark or found["end"].strip(" :：")) or is_capital
        if _names_whose(words) or (is_marked and any(word.startswith(READERS) for word in words)):
            return True
    if label in RULES or any(word.startswith(WHOSE) and has_any(WHAT, word[4:]) for word in words):
        return True
    if label not in ALONE or (label == "admin" and found["end"][:1] == "]" and not is_capital):
        return False
    return found["words"][:1].isupper() and end[:1] in ("", ":", "：", "]")


def _is_usual(found: re.Match[str], label: str) -> bool:
    """Return True if a label is an item of a list, or documents something."""
    mark = found["mark"].strip()
    if mark in ("-", "*") and not found["end"].strip():
        return True
    return is_usual_label(label, not mark, found.string[found.end() : found.end() + 200])
