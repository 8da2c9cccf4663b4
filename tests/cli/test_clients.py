"""``toolnote clients``, and folders of hypertool-mcp as commands take them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from toolnote_desktop.paths import Home

PERSONA = "name: web-dev\ntoolsets:\n- name: review\n  toolIds: [git.diff, shop.find]\n"


def test_a_persona_is_imported_whole_and_its_servers_are_off(run: Run, catalogued: Home, tmp_path: Path) -> None:
    folder = tmp_path / "persona"
    folder.mkdir()
    (folder / "persona.yaml").write_text(PERSONA)
    servers = {"git": {"command": "other-git"}, "shop": {"command": "shop-mcp"}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    assert "would be imported" in run("servers", "import", str(folder), "--dry-run").out
    outcome = run("toolset", "import", str(folder))
    assert "Imported web-dev-review with 2 tools." in outcome.out
    assert "Imported the server git-2, switched off" in outcome.out
    shown = json.loads(catalogued.servers.read_text())["mcpServers"]
    assert shown["shop"] == {"command": "shop-mcp", "disabled": True}
    assert shown["git"]["command"] == "never-started"
    review = json.loads((catalogued.root / "toolsets" / "web-dev-review.json").read_text())
    assert review["tools"] == [{"namespacedName": "git-2.diff"}, {"namespacedName": "shop.find"}]
    (folder / "persona.yaml").write_text("name: [\n")
    assert "no toolset was found" in run("toolset", "import", str(folder), status=1).err
