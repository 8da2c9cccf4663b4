"""Published files follow the notes while ``toolnote serve`` runs, from outside."""

from __future__ import annotations

from pathlib import Path

from tests.cases.test_sessions import serving
from tests.cli.conftest import Run, catalogued, run
from tests.publishing.test_publish import work
from tests.waiting import wait_until
from toolnote_desktop.paths import Home

__all__ = ["catalogued", "run", "work"]


def test_files_follow_the_notes_and_what_the_user_changed_stays(work: Home, run: Run, tmp_path: Path) -> None:
    """Seen red without the keeper; and with a block that comes back after the user took it out."""
    kept, edited, gone, skills = tmp_path / "AGENTS.md", tmp_path / "b.md", tmp_path / "c.md", tmp_path / "skills"
    kept.write_bytes(b"# Mine\n")
    gone.write_bytes(b"# Mine\n")
    for file in (kept, edited, gone):
        run("publish", "work", "--rules", str(file))
    run("publish", "work", "--skill", str(skills))
    edited.write_bytes(edited.read_bytes().replace(b"which branch", b"by hand"))
    gone.write_bytes(b"# Mine\n")
    with serving("--port", "0"):
        kept.write_bytes(kept.read_bytes() + b"After\n")
        run("note", "edit", "git.log", "ask", "Never mind.", "--toolset", "work")
        wait_until(lambda: b"Never mind." in kept.read_bytes())
        wait_until(lambda: b"Never mind." in (skills / "work" / "SKILL.md").read_bytes())
        assert kept.read_bytes().endswith(b"-->\nAfter\n")
        run("tool", "set", "git.diff", "--when", "For changes.")
        wait_until(lambda: b"For changes." in kept.read_bytes())
        assert b"by hand" in edited.read_bytes()
        assert gone.read_bytes() == b"# Mine\n"
    run("publish", "work", "--rules", str(kept), "--remove")
    assert kept.read_bytes() == b"# Mine\nAfter\n"
