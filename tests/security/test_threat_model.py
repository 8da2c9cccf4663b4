"""Each defence in the threat model (docs/security.md) names a test that there is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
MODEL = PAGE.partition("\n## Threat model\n")[2].partition("\n## ")[0]
ROWS = [line for line in MODEL.splitlines() if line.startswith("| ") and not line.startswith(("| attacker", "| ---"))]


def test_each_row_names_tests_that_exist() -> None:
    assert len(ROWS) > 20
    for row in ROWS:
        named = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", row.rpartition(" | ")[2])
        assert named, row
        for file, test in named:
            path = ROOT / file
            assert path.is_file(), row
            assert not test or f"def {test}(" in path.read_text(encoding="utf-8"), row


def test_attackers_and_assets_of_the_model_are_all_there() -> None:
    attackers = {row.split(" | ")[0].strip("| ") for row in ROWS}
    wanted = {"server", "server, later", "web page", "local process", "other user of the computer", "assistant"}
    assert wanted <= attackers
    assets = {asset for row in ROWS for asset in row.split(" | ")[1].split(", ")}
    assert {"secrets", "tokens", "documents", "tools", "words", "record"} <= assets
