"""The page of limits says what the code has (docs/security.md)."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| ([\d.]+)[^|]* \| [^|]*\| `([\w.]+)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("limit", "value", "place"), ROWS, ids=[limit for limit, _, _ in ROWS])
def test_a_limit_is_the_one_of_the_page(limit: str, value: str, place: str) -> None:
    module, _, name = place.rpartition(".")
    assert getattr(importlib.import_module(f"toolnote_desktop.{module}"), name) == float(value), limit


def test_the_page_has_a_row_for_each_limit_of_the_endpoint() -> None:
    """A limit that is added to ``limits.py`` or ``waiting_calls.py`` is on the page."""
    assert len(ROWS) == len([line for line in PAGE.splitlines() if line.startswith("| ")]) - 2
    places = {place for _, _, place in ROWS}
    for module in ("proxy.endpoint.limits", "proxy.waiting_calls"):
        names = [name for name in vars(importlib.import_module(f"toolnote_desktop.{module}")) if name.isupper()]
        wanted = {f"{module}.{name}" for name in names if not name.startswith("_")}
        own = wanted - {f"{module}.CHUNK_OVERHEAD", f"{module}.BODY_LIMIT", f"{module}.TYPE_CHECKING"}
        assert own <= places, own - places


def test_security_md_links_to_the_page() -> None:
    assert "(docs/security.md)" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
