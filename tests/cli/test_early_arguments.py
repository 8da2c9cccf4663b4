"""What may be written on the command line, and what wrong use gives."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from toolnote_desktop import __version__
from toolnote_desktop.cli.early_arguments import bridge_options, split_command
from toolnote_desktop.paths import Home


def test_help_and_version(run: Run) -> None:
    assert run("--version").out == f"toolnote {__version__}\n"
    for before in (("--home", "."), ("--home=.",)):  # seen red: they were words of `gui`, which has no version
        assert run(*before, "--version").out == f"toolnote {__version__}\n"
        assert run(*before, "--help").out == run("--help").out
    told = run("--help").out
    for command in ("gui", "serve", "bridge", "tools", "servers", "toolset", "note", "clients", "doctor"):
        assert command in told
    assert "--repository . --cwd ." in run("servers", "add", "--help").out


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("servers",),
        ("servers", "nonsense"),
        ("servers", "remove"),
        ("servers", "add", "x"),
        ("servers", "add", "x", "--command"),
        ("servers", "add", "x", "--command", ""),
        ("servers", "add", "x", "--command", "--home", "."),
        ("servers", "add", "", "--command", "y"),
        ("servers", "add", "x", "--command", "y", "--url", "http://z"),
        ("servers", "add", "x", "--command", "y", "--header", "A=b"),
        ("servers", "add", "x", "--command", "y", "--env", "no-equals"),
        ("servers", "add", "x", "--url", "ftp://z"),
        ("servers", "add", "x", "--url", "http://z", "--type", "pigeon"),
        ("servers", "add", "x", "--url", "http://z", "--cwd", "/"),
        ("note", "add", "a.b", "c"),
        ("note", "list", "--toolset", "x", "--everywhere"),
        ("note", "move", "a.b", "c", "first"),
        ("note", "move", "a.b", "c", "0"),
        ("note", "move", "a.b", "c", "-1"),
        ("note", "move", "a.b", "c", "1.0"),
        ("toolset", "create"),
        ("toolset", "add-tool", "work"),
        ("toolset", "add-tool", "work", "a.b", ""),
        ("toolset", "create", "work", " "),
        ("note", "add", "", "name", "text"),
        ("note", "list", "\udcff"),
        ("toolset", "import", ""),
        ("servers", "import", ""),
        ("clients", "install", "cursor", "--config", ""),
        ("servers", "add", "x", "--command", "y", "--cwd", ""),
        ("toolset", "create", "work", "a.\udcff"),
        ("toolset", "create", "work", "--title", "\udcff"),
        ("servers", "add", "\udcff", "--command", "x"),
        ("clients", "uninstall"),
        ("clients", "uninstall", "cursor", "--all"),
        ("clients", "uninstall", "--all", "--config", "x"),
        ("serve", "--port", "65536"),
        ("serve", "--port", "-1"),
        ("tools", "--clien", "x"),
        ("toolset", "list", "--home"),
        ("toolset", "list", "--home", ""),
        ("--home=", "toolset", "list"),
    ],
)
def test_wrong_use_is_status_2_with_one_line(run: Run, words: tuple[str, ...]) -> None:
    outcome = run(*words, status=2)
    assert outcome.out == ""
    assert outcome.err.startswith("toolnote")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("position", ["0", "-1", "first", ""])
def test_positions_begin_with_1(run: Run, position: str) -> None:
    assert "use a whole number from 1" in run("note", "move", "a.b", "c", position, status=2).err


@pytest.mark.parametrize("command", ["preferences", "dialect", "tools"])
def test_a_file_in_the_folder_does_not_hide_a_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Seen red for the first two: the words were those of ``gui``."""
    (tmp_path / command).touch()
    monkeypatch.chdir(tmp_path)
    run(command, *(("show",) if command != "tools" else ()))


@pytest.mark.parametrize("command", ["activity", "audit"])
def test_one_format_is_printed(run: Run, command: str) -> None:
    """Seen red: CSV was printed in spite of ``--json``."""
    assert "not allowed with" in run(command, "--json", "--csv", status=2).err


def test_a_secret_in_wrong_use_is_not_repeated(run: Run) -> None:
    assert "hunter2" not in run("servers", "add", "x", "--command", "y", "--env", "=hunter2", status=2).err


@pytest.mark.parametrize("before", [True, False])
def test_home_may_stand_before_or_after(run: Run, home: Home, tmp_path: Path, before: bool) -> None:
    other = ("--home", str(tmp_path / "other"))
    words = ("toolset", "create", "work")
    run(*(*other, *words) if before else (*words, *other))
    assert (tmp_path / "other" / "toolsets" / "work.json").exists()
    assert not home.toolset("work").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="variables are text there")
@pytest.mark.parametrize("token", ["a\x01b", "\udcff"])
def test_a_token_that_no_header_can_contain(run: Run, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    """Seen red: it was served, or ended the program with a traceback."""
    monkeypatch.setenv("TOOLNOTE_TOKEN", token)
    assert "TOOLNOTE_TOKEN" in run("serve", "--port", "0", status=2).err


@pytest.mark.parametrize("spelling", ["--home {}", "--home={}"])
def test_words_with_dashes_after_the_home(run: Run, tmp_path: Path, spelling: str) -> None:
    """Seen red: with ``--home=DIR`` the command ended at its first word, and a note was taken for an option."""
    other = Home(tmp_path / "other")
    home = spelling.format(other.root).split()
    run(*home, "servers", "add", "git", "--command", "uvx", "server", "--repository", ".")
    run(*home, "note", "add", "git.log", "one", "-x", "--everywhere")
    run("note", *home, "add", "git.log", "two", "-y", "--everywhere")
    entry = json.loads(other.servers.read_text("utf-8"))["mcpServers"]["git"]
    assert entry["args"] == ["server", "--repository", "."]
    notes = json.loads(other.notes.read_text("utf-8"))["tools"]["git.log"]
    assert [note["note"] for note in notes] == ["-x", "-y"]


@pytest.mark.parametrize(
    ("words", "command", "rest"),
    [
        ([], None, []),
        (["bridge", "--client", "x"], "bridge", ["--client", "x"]),
        (["--home", "/x", "bridge"], "bridge", ["--home", "/x"]),
        (["--home=/x", "bridge"], "bridge", ["--home=/x"]),
        (["--demo"], None, ["--demo"]),
    ],
)
def test_the_command_is_found_with_no_parser(words: list[str], command: str | None, rest: list[str]) -> None:
    assert split_command(words) == (command, rest)


def test_the_bridges_options() -> None:
    assert bridge_options(["--client", "a b", "--toolset=work", "--home", "/x"]) == {
        "client": "a b",
        "toolset": "work",
        "home": "/x",
    }
    assert bridge_options([]) == {}


@pytest.mark.parametrize("words", [["--client"], ["--client", ""], ["--port", "1"], ["x"], ["--toolset", "../x"]])
def test_wrong_use_of_the_bridge(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        bridge_options(words)
