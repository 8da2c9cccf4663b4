"""The page of limits says what the code has (docs/security.md)."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
LIMITS = PAGE.partition("\n## ")[0]
ROWS = re.findall(r"^\| ([^|]+) \| ([\d.]+)[^|]* \| [^|]*\| `([\w.]+)` \|$", LIMITS, re.MULTILINE)


@pytest.mark.parametrize(("limit", "value", "place"), ROWS, ids=[limit for limit, _, _ in ROWS])
def test_a_limit_is_the_one_of_the_page(limit: str, value: str, place: str) -> None:
    module, _, name = place.rpartition(".")
    assert getattr(importlib.import_module(f"toolnote_desktop.{module}"), name) == float(value), limit


ROOMS = ("proxy", "public_registry", "packs", "publishing", "bench", "guidance/languages.py", "log.py", "http_body.py")
NO_LIMIT_OF_OTHERS = {
    "proxy.endpoint.fast_path.protocol.MAX_BODY": "a choice between two ways to the same answer",
    "publishing.text.DESCRIPTION_LIMIT": "of our own text",
    "proxy.endpoint.list_changed.MAX_DELAY_SECONDS": "a delay of our own",
}


def test_the_page_has_a_row_for_each_limit() -> None:
    """Each public constant ``MAX_…`` and ``…_LIMIT`` of the rooms that read other programs' bytes is on the page."""
    assert len(ROWS) == len([line for line in LIMITS.splitlines() if line.startswith("| ")]) - 2
    found = set()
    for room in ROOMS:
        path = ROOT / "toolnote_desktop" / room
        for module in [path] if path.is_file() else path.rglob("*.py"):
            names = re.findall(
                r"^(MAX_\w+|[A-Z]\w*_LIMIT)\b(?:: \S+)? = ", module.read_text(encoding="utf-8"), re.MULTILINE
            )
            dotted = ".".join(module.relative_to(ROOT / "toolnote_desktop").with_suffix("").parts)
            found |= {f"{dotted}.{name}" for name in names}
    places = {place for _, _, place in ROWS}
    missing = found - places - NO_LIMIT_OF_OTHERS.keys()
    assert not missing, missing


def test_security_md_links_to_the_page() -> None:
    assert "(docs/security.md)" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
