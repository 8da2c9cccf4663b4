"""Words of the window (issue 17, item 8): the glossary's words that never appear, in English and German."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DESKTOP = ROOT / "toolnote_desktop" / "desktop"
TRANSLATED = {"tr", "translate", "QT_TRANSLATE_NOOP"}

NEVER = re.compile(
    r"\b(?:client|config\w*|equip(?!ment\b)\w*|annotation\w*|hydrat\w*|exposed|upstream\w*|stale|invalid|abort\w*"
    r"|execut\w*|simply|please|oops|successfully|some(?:body|one)|anybody|everybody|nobody|hand(?:s|ed)? on|have a look"
    r"|do again|switch(?:ed|es)? (?:on|off)|take[sn]? out|take[sn]? away|left to the assistant|permit\w*|decline[sd]?"
    r"|credential\w*|invocation|nobody says|nothing said|good for nothing)\b",
    re.IGNORECASE,
)
NEVER_IN_GERMAN = re.compile(
    r"\b(?:Client|konfigur\w*|Annotation\w*|hydrat\w*|veraltet\w*|ungültig\w*|ausgeführt|erfolgreich|bitte|einfach"
    r"|irgendwer)\b"
)


def texts() -> Iterator[tuple[str, str]]:
    """Yield place and text of each text of the window, without what is filled in."""
    for path in sorted(DESKTOP.rglob("*.py")):
        name = path.relative_to(DESKTOP).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if function in TRANSLATED:
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield f"{name}:{node.lineno}", re.sub(r"\{[^}]*\}", "", argument.value)


def test_words_that_never_appear_do_not_appear() -> None:
    found = [(place, text, match.group()) for place, text in texts() if (match := NEVER.search(text))]
    assert found == []


@pytest.mark.parametrize("text", ["Switched off", "Hand on a toolset", "Invalid config", "Please try again"])
def test_the_list_finds_what_it_names(text: str) -> None:
    assert NEVER.search(text)


def test_no_full_stop_ends_a_button_or_label_of_few_words() -> None:
    """A sentence has a verb and a full stop; *Connect.* would be neither."""
    short = [(place, text) for place, text in texts() if re.fullmatch(r"[A-Z][a-z]+\.", text)]
    allowed = {"Off.", "Required."}
    assert [one for one in short if one[1] not in allowed] == []


def test_german_has_no_words_that_never_appear() -> None:
    tree = ET.parse(ROOT / "resources" / "translations" / "toolnote_de.ts")
    found = []
    for message in tree.iter("message"):
        for part in message.iter():
            if part.tag in ("translation", "numerusform") and part.text:
                text = re.sub(r"\{[^}]*\}", "", part.text)
                if match := NEVER_IN_GERMAN.search(text):
                    found.append((text, match.group()))
    assert found == []
