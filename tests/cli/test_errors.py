"""What leaves a command when something goes wrong: a status and one line."""

from __future__ import annotations

import argparse
import json
import sys

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
        f"toolnote: an unexpected error, ZeroDivisionError: about toolnote and http://h/?•••; the log is {log_file}\n"
    )
    kept = log_file.read_text(encoding="utf-8")
    assert "Traceback" in kept
    assert "s3cret" not in kept


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_shown_where_it_is_asked_for(
    home: Home, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from toolnote_desktop import cli

    monkeypatch.setenv("TOOLNOTE_LOG", "debug")
    assert cli.run(["toolset", "list"]) == 1
    told = capfd.readouterr().err
    assert "Traceback" in told
    assert "s3cret" not in told
    assert told.splitlines()[-1].startswith("toolnote: an unexpected error, ZeroDivisionError")


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


def test_what_does_not_fit_is_said_in_our_words(run: Run, home: Home) -> None:
    home.servers.write_text(json.dumps({"mcpServers": {"x": {"type": "stdio"}}}), encoding="utf-8")
    (listed,) = run("servers", "list", "--json").json["servers"]
    assert listed["reason"] == "a server of type stdio needs a command"
