"""What people install on Linux: checked by each system's own checkers, installed, used, upgraded and removed."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.packaging.conftest import BUILD_PYTHON, PACKAGING, run_script
from toolnote_desktop.cli.parser import COMMANDS
from toolnote_desktop.system import current

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux packages"),
    pytest.mark.skipif(BUILD_PYTHON not in os.environ, reason=f"`python3 packaging/dev.py test` sets {BUILD_PYTHON}"),
]

LIMIT = 90_000_000
"""Bytes of the .deb at most."""


def the_only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def printed(*command: str | Path) -> str:
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


class TestFiles:
    def test_menu_entry(self) -> None:
        assert printed("desktop-file-validate", PACKAGING / "linux/org.toolnote.ToolNote.desktop") == ""

    def test_store_page(self) -> None:
        printed("appstreamcli", "validate", "--no-net", PACKAGING / "linux/org.toolnote.ToolNote.metainfo.xml")

    @pytest.mark.parametrize("script", ["install.sh", "prerm", "postrm", "AppRun"])
    def test_scripts_are_sound(self, script: str) -> None:
        printed("sh", "-n", PACKAGING / "linux" / script)

    def test_manual_page_names_every_command(self) -> None:
        page = (PACKAGING / "linux/toolnote.1").read_text("utf-8")
        assert {command for command in COMMANDS if command not in page.partition(".SH COMMANDS")[2]} == set()

    def test_deb(self, built: Path) -> None:
        package = the_only(built, "*.deb")
        assert package.stat().st_size < LIMIT
        said = subprocess.run(["lintian", str(package)], capture_output=True, text=True, check=False).stdout
        assert [line for line in said.splitlines() if line.startswith("E:")] == []

    def test_rpm(self, built: Path, tmp_path: Path) -> None:
        package = the_only(built, "*.rpm")
        assert "Apache-2.0" in printed("rpm", "--query", "--package", "--info", package)
        # Not into this machine: its dependencies go by other names here.
        printed("rpm", "--root", tmp_path, "--dbpath", "/rpm", "--nodeps", "--install", package)
        assert "works" in printed(sys.executable, PACKAGING / "smoke.py", tmp_path / "usr/lib/toolnote/toolnote")
        assert "clients uninstall --all" in printed("rpm", "--query", "--package", "--scripts", package)
        assert (tmp_path / "usr/bin/toolnote-desktop").resolve() == tmp_path / "usr/lib/toolnote/toolnote"


def test_two_builds_of_one_commit_are_the_same(built: Path, tmp_path: Path) -> None:
    run_script("freeze.py", str(tmp_path))
    assert {
        str(path.relative_to(built / "toolnote")): path.read_bytes() if path.is_file() else b""
        for path in (built / "toolnote").rglob("*")
    } == {
        str(path.relative_to(tmp_path / "toolnote")): path.read_bytes() if path.is_file() else b""
        for path in (tmp_path / "toolnote").rglob("*")
    }


def test_user_install_and_removal(built: Path, tmp_path: Path, user_folder: Path) -> None:
    """The .tar.gz: no root, no trace left but the notes; an assistant gets back the file that it had."""
    with tarfile.open(the_only(built, "*.tar.gz")) as archive:
        archive.extractall(tmp_path, filter="data")
    script = the_only(tmp_path, "toolnote-*") / "install.sh"
    before = sorted(path for path in user_folder.rglob("*") if path.is_file())
    for _ in range(2):  # an upgrade is the same again
        assert "is installed" in printed(script)
    toolnote = user_folder / ".local/bin/toolnote"
    entry = (user_folder / ".local/share/applications/org.toolnote.ToolNote.desktop").read_text("utf-8")
    assert f'Exec="{user_folder}/.local/bin/toolnote-desktop" %u' in entry
    assert Path(os.environ["XDG_DATA_HOME"], "icons/hicolor/256x256/apps/org.toolnote.ToolNote.png").is_file()
    for kind in ("x-scheme-handler/toolnote", "application/vnd.toolnote.toolset+json"):
        opened_by = f"{kind}=org.toolnote.ToolNote.desktop;"
        assert opened_by in (user_folder / ".local/share/applications/mimeinfo.cache").read_text("utf-8")
    current().autostart.enable([str(user_folder / ".local/bin/toolnote-desktop")])
    config = user_folder / ".cursor/mcp.json"
    config.parent.mkdir()
    config.write_text('{"mcpServers": {}}\n', encoding="utf-8")
    printed(toolnote, "clients", "install", "cursor")
    assert "bridge" in config.read_text("utf-8")
    printed(script, "--remove", "--restore-assistants")
    assert config.read_text("utf-8") == '{"mcpServers": {}}\n'
    assert not current().autostart.enabled()
    left = {path for path in user_folder.rglob("*") if path.is_file()} - set(before) - {config}
    notes = (user_folder / "toolnote", user_folder / ".config")
    # The desktop's own caches of menus and file types stay, and know us no more.
    others = [path for path in left if not any(path.is_relative_to(folder) for folder in notes)]
    assert [
        path for path in others if "toolnote" in path.name.lower() or b"toolnote" in path.read_bytes().lower()
    ] == []
