"""What leaves a command when something goes wrong: a status and one line."""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from toolnote_desktop.commands import toolsets
from toolnote_desktop.paths import Home


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """``toolset list`` has a fault that nobody thought of."""

    def fail(arguments: argparse.Namespace, home: Home) -> int:
        raise ZeroDivisionError(f"about {home.root.name}\nand http://h/?key=s3cret-value")

    monkeypatch.setattr(toolsets, "RUN", {"list": fail})


@pytest.mark.usefixtures("broken")
def test_an_unexpected_error_is_one_line_that_names_the_log(run: Run, home: Home) -> None:
    outcome = run("toolset", "list", status=1)
    log_file = home.logs / "toolnote.log"
    assert outcome.err == (
        f"toolnote: unexpected error: ZeroDivisionError: about toolnote and http://h/?•••; the log is {log_file}\n"
    )
    kept = log_file.read_text(encoding="utf-8")
    assert "Traceback" in kept
    assert "s3cret" not in kept


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_shown_where_it_is_asked_for(
    home: Home, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from toolnote_desktop.cli import parser

    monkeypatch.setenv("TOOLNOTE_LOG", "debug")
    assert parser.run(["toolset", "list"]) == 1
    told = capfd.readouterr().err
    assert "Traceback" in told
    assert "s3cret" not in told
    assert told.splitlines()[-1].startswith("toolnote: unexpected error: ZeroDivisionError")


def test_log_has_what_a_message_says_that_it_describes(run: Run, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: ``servers test`` said "an unexpected error, which the log describes", and there was no log."""

    def failing(arguments: argparse.Namespace, home: Home) -> int:
        error = ZeroDivisionError("http://h/?key=s3cret-value")
        logging.getLogger("toolnote_desktop.proxy").error("a connection failed", exc_info=error)
        return 1

    log_file = home.logs / "toolnote.log"
    run("toolset", "list")
    assert not log_file.exists()
    monkeypatch.setattr(toolsets, "RUN", {"list": failing})
    run("toolset", "list", status=1)
    kept = log_file.read_text(encoding="utf-8")
    assert "ZeroDivisionError" in kept
    assert "s3cret" not in kept


def test_a_broken_document_is_told_and_kept(run: Run, home: Home) -> None:
    run("toolset", "create", "work")
    run("toolset", "create", "play")
    home.toolset("work").write_text('{"name": "work", "tools": [', encoding="utf-8")
    outcome = run("toolset", "list")
    assert "work" in outcome.out
    assert "could not be read" in outcome.err
    assert "work.json.bad-" in outcome.err
    (kept,) = home.toolsets.glob("work.json.bad-*")
    assert kept.read_text(encoding="utf-8").endswith("[")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such mode there")
def test_a_home_that_cannot_be_written(run: Run, home: Home) -> None:
    blocked = home.root / "file"
    blocked.write_text("", encoding="utf-8")
    outcome = run("toolset", "create", "work", "--home", str(blocked / "home"), status=1)
    assert "could not be written" in outcome.err
    assert outcome.err.count("\n") == 1


def test_values_that_do_not_fit_are_reported_in_our_words(run: Run, home: Home) -> None:
    home.servers.write_text(json.dumps({"mcpServers": {"x": {"type": "stdio"}}}), encoding="utf-8")
    (listed,) = run("servers", "list", "--json").json["servers"]
    assert listed["reason"] == "a server of type stdio needs a command"


def in_a_shell(home: Home, line: str, **environment: str) -> tuple[int, str]:
    """A command as a shell starts it, with what the shell does to its streams: its status, and its stderr."""
    toolnote = f'"{sys.executable}" -m toolnote_desktop'
    done = subprocess.run(
        ["bash", "-c", f'{line.replace("toolnote", toolnote)}; exit "${{PIPESTATUS[0]}}"'],
        env={**os.environ, "TOOLNOTE_HOME": str(home.root), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    return done.returncode, done.stderr.decode("utf-8")


in_bash = pytest.mark.skipif(sys.platform != "linux", reason="as bash and /dev/full have it")


@in_bash
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["toolset list", "toolset list --json"])
def test_a_disk_that_is_full_is_told_once(home: Home, command: str, unbuffered: str) -> None:
    status, told = in_a_shell(home, f"toolnote {command} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (status, told) == (1, "toolnote: standard output could not be written: No space left on device\n")


@in_bash
@pytest.mark.parametrize("command", ["clients list", "toolset list --json"])
def test_a_reader_that_has_gone_is_no_news(home: Home, command: str) -> None:
    assert in_a_shell(home, f"toolnote {command} | true", PYTHONUNBUFFERED="1")[1] == ""


@in_bash
@pytest.mark.parametrize("command", ["toolset list", "toolset list --json"])
def test_an_answer_that_nobody_wants(home: Home, command: str) -> None:
    assert in_a_shell(home, f"toolnote {command} >&-") == (0, "")


@in_bash
def test_a_stdin_that_is_closed(home: Home) -> None:
    closed = "toolnote: standard input cannot be read: it is closed\n"
    assert in_a_shell(home, "toolnote toolset import - <&-") == (1, closed)
    nothing = "toolnote: secret set: no value on stdin\n"
    assert in_a_shell(home, "toolnote secret set git KEY <&-") == (2, nothing)


@pytest.mark.parametrize("words", ["servers import", "toolset import", "pack import", "pack check", "scan"])
def test_a_path_that_no_file_has(run: Run, words: str) -> None:
    """Seen red: a name that is too long ended all but the last with an unexpected error."""
    for path in ("x" * 5000, "no-such/file"):
        told = run(*words.split(), path, status=1).err
        assert "cannot be read" in told
        assert "unexpected" not in told


def test_a_report_with_half_of_a_character(home: Home, run: Run, tmp_path: Path) -> None:
    """Seen red: no report was written where a text of a document had one in it."""
    home.servers.write_text(json.dumps({"mcpServers": {"\ud800": 5}}), "utf-8")
    for name in ("report.md", "report.json"):
        run("doctor", "--export", str(tmp_path / name), status=1)
        assert "\\ud800" in (tmp_path / name).read_text("utf-8")
