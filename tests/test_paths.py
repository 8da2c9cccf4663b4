"""The home folder: its choice, and its place in the platform's folder for configuration (docs/contract.md 2)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from toolnote_desktop.paths import Home, home_folder, platform_config_folder


@pytest.mark.parametrize("config", [None, "", " ", "/elsewhere/config"])
def test_platforms_folder_is_what_platformdirs_gives(monkeypatch: pytest.MonkeyPatch, config: str | None) -> None:
    if config is None:
        monkeypatch.delenv("XDG_CONFIG_HOME")
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", config)
    assert platform_config_folder() == platformdirs.user_config_dir("Toolnote", appauthor=False)


def test_flag_comes_before_variable_before_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOOLNOTE_HOME", str(tmp_path / "variable"))
    assert home_folder(tmp_path / "flag") == Home(tmp_path / "flag")
    assert home_folder() == Home(tmp_path / "variable")
    monkeypatch.setenv("TOOLNOTE_HOME", "")
    assert home_folder() == Home(Path(platform_config_folder()))


def test_home_is_absolute_also_where_it_was_written_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert home_folder("here") == Home(tmp_path / "here")
    assert home_folder("~/there") == Home(Path.home() / "there")


def test_bridge_may_import_it_at_once() -> None:
    """Nothing but the standard library comes along, and nothing of it that is slow."""
    question = "import sys; before = set(sys.modules); import toolnote_desktop.paths; print(*set(sys.modules) - before)"
    command = [sys.executable, "-c", question]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], check=True, capture_output=True, text=True)
    new = {name.partition(".")[0] for name in done.stdout.split()}
    assert new - {"toolnote_desktop"} <= sys.stdlib_module_names
    assert not new & {"asyncio", "subprocess", "ssl", "socket"}
