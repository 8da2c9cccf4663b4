"""Inputs in six languages: clauses, what they forbid, and the English words for them."""

from __future__ import annotations

import pytest

from toolnote_desktop.guidance.languages import _CONCEPTS, LANGUAGES, clauses, detected_language, english_words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Please read the config file for me", "en"),
        ("Lies bitte die Datei für mich", "de"),
        ("Lis le fichier de configuration pour moi", "fr"),
        ("Lee el archivo de configuración para mí", "es"),
        ("設定ファイルを読んで", "ja"),
        ("读取配置文件", "zh"),
        ("", "en"),
        ("Прочитай файл", "en"),
    ],
)
def test_the_language(text: str, language: str) -> None:
    assert detected_language(text) == language


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Don't search the web, read the file", ["Don't search the web"]),
        ("Read the file without searching the web", ["without searching the web"]),
        ("I don't know why it fails", []),
        ("It doesn't work and I can't find the file", []),
        ("Such nicht im Web, sondern lies die Datei", ["Such nicht im Web"]),
        ("Lies die Datei ohne Internet", ["ohne Internet"]),
        ("Der Build geht nicht mehr", []),
        ("Lis le fichier sans chercher sur internet", ["sans chercher sur internet"]),
        ("Ne cherche pas sur internet", ["Ne cherche pas sur internet"]),
        ("No busques en internet, lee el archivo", ["No busques en internet"]),
        ("検索しないで、ファイルを読んで", ["検索しないで"]),
        ("不要上网，读文件", ["不要上网"]),
    ],
)
def test_what_is_forbidden(text: str, refused: list[str]) -> None:
    found = [part.text for part in clauses(text) if part.is_refused]
    assert len(found) == len(refused)
    assert all(part.startswith(piece) for part, piece in zip(found, refused, strict=True))


def test_each_concept_has_words_of_every_language() -> None:
    for line in _CONCEPTS.strip().splitlines():
        columns = line.split("|")
        assert len(columns) == len(LANGUAGES), line
        assert all(column.strip() for column in columns), line


def test_parts_of_a_german_compound_count() -> None:
    assert {"database", "query"} <= set(english_words("Datenbankabfrage", "de"))
    assert english_words("Read the file", "en") == []


def test_a_long_input_is_read_to_its_limit() -> None:
    assert sum(len(part.text) for part in clauses("word " * 100_000)) < 5_000
