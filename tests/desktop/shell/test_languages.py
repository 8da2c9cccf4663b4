"""The window in other languages: complete, with every placeholder, and as the user or the system has it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication

from toolnote_desktop import assets
from toolnote_desktop.desktop.shell.languages import Languages

CLONE = Path(__file__).parents[3]
TRANSLATIONS = sorted((CLONE / "resources" / "translations").glob("*.ts"))
PLACEHOLDER = re.compile(r"\{\w*\}|%n|%\d")


@pytest.fixture
def languages(qapp: QApplication) -> Iterator[Languages]:
    before = QLocale()
    languages = Languages(qapp)
    yield languages
    languages.use("en")
    QLocale.setDefault(before)


@pytest.mark.once
def test_translation_is_complete() -> None:
    """Also: nothing in the files that the window says no more, and the files that the app reads are made of them."""
    command = [sys.executable, str(CLONE / "packaging" / "translations.py"), "--check"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout


def said_in_code() -> Iterator[tuple[str, str | None, str]]:
    """Where a text is said, its context (None: its class's own), and the text, as far as they stand there."""
    for path in sorted((CLONE / "toolnote_desktop").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            place = f"{path.relative_to(CLONE)}:{call.lineno}"
            texts = [one.value if isinstance(one, ast.Constant) else None for one in call.args[:2]]
            if name == "tr" and texts and isinstance(texts[0], str):
                yield place, None, texts[0]
            elif name in ("translate", "QT_TRANSLATE_NOOP") and isinstance(texts[-1], str):
                yield place, str(texts[0]), texts[-1]


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_source_texts_are_known_to_the_translation(path: Path) -> None:
    """``lupdate`` passes over, without a word, a context that is a variable and a file that it is not given."""
    contexts = {
        context.findtext("name", ""): {message.findtext("source", "") for message in context.iter("message")}
        for context in ET.parse(path).iter("context")
    }
    everywhere = set().union(*contexts.values())
    unknown = [
        (place, context, text)
        for place, context, text in said_in_code()
        if text not in (everywhere if context is None else contexts.get(context, ()))
    ]
    assert unknown == []


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_placeholders_are_kept_in_translations(path: Path) -> None:
    wrong = []
    for message in ET.parse(path).iter("message"):
        source, translation = message.findtext("source", ""), message.find("translation")
        assert translation is not None
        forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
        wanted = sorted(PLACEHOLDER.findall(source))
        wrong += [(source, form) for form in forms if sorted(PLACEHOLDER.findall(form)) != wanted]
    assert wrong == []


def test_german_in_singular_and_plural(languages: Languages) -> None:
    languages.use("de")
    translate = QCoreApplication.translate
    assert translate("WindowMenu", "Quit Toolnote") == "Toolnote beenden"
    assert translate("actions", "%n tools removed from {name}", None, 1) == "1 Werkzeug aus {name} entfernt"
    assert translate("actions", "%n tools removed from {name}", None, 3) == "3 Werkzeuge aus {name} entfernt"
    assert QLocale().decimalPoint() == ","
    assert translate("QPlatformTheme", "Cancel") == "Abbrechen"  # Qt's own


def test_english_is_what_is_in_the_source(languages: Languages) -> None:
    languages.use("de")
    languages.use("en")
    assert QCoreApplication.translate("WindowMenu", "Quit Toolnote") == "Quit Toolnote"


@pytest.mark.parametrize("language", ["ja", "fr"])
def test_language_without_translation_is_english(languages: Languages, language: str) -> None:
    """Also the texts of Qt, which has been translated."""
    languages.use(language)
    assert QCoreApplication.translate("WindowMenu", "Quit Toolnote") == "Quit Toolnote"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_selectable_languages_are_installed() -> None:
    from toolnote_desktop.desktop.dialogs.setting_registry import SETTINGS

    (setting,) = [one for one in SETTINGS if one.key == "language"]
    codes = {code for code, _ in setting.choices} - {"system", "en"}
    assert codes == {path.stem.removeprefix("toolnote_") for path in TRANSLATIONS}
    assert all(assets.path(f"translations/toolnote_{code}.qm").is_file() for code in codes)


def test_words_of_the_trade_stand_under_advanced_alone() -> None:
    """No MCP, no JSON but where a person asked for it, or where another program calls its own page so."""
    found = set()
    for message in ET.parse(TRANSLATIONS[0]).iter("message"):
        source = message.findtext("source", "")
        if re.search(r"\b(MCP|JSON|hydrated|unresolved|equip)", source):
            found.add(source)
    of_others = {source for source in found if "{client}" in source}
    assert found - of_others == {
        "Advanced: any other assistant that can use MCP servers",
        "Copy this into its settings where it lists MCP servers. The name tells you here who it is.",
        "JSON: it starts Toolnote’s own program",
        "JSON: an address, and a token of its own",
        "Export as JSON…",
        "JSON file (*.json)",
    }
