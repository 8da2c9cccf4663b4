"""The log: its levels, and that no secret is in it (docs/contract.md 4)."""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolnote_desktop import log
from toolnote_desktop.model.document import parse_entry
from toolnote_desktop.model.servers import Server, secret_values
from toolnote_desktop.proxy.transports.server_log import LogFiles


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Logging as it was, and no secrets known."""
    monkeypatch.setattr(log, "_secrets", None)
    monkeypatch.setattr(log, "_tokens", None)
    root, own = logging.getLogger(), logging.getLogger("toolnote_desktop")
    handlers, level, own_level = list(root.handlers), root.level, own.level
    for handler in handlers:
        root.removeHandler(handler)  # pytest's own are not to be closed
    yield
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    own.setLevel(own_level)


def said(capfd: pytest.CaptureFixture[str]) -> str:
    return capfd.readouterr().err


@pytest.mark.parametrize(
    ("wanted", "quiet", "expected"),
    [
        ("", True, []),
        ("", False, ["warning"]),
        ("debug", True, ["debug", "info", "warning"]),
        ("trace", True, ["trace", "debug", "info", "warning"]),
        ("nonsense", True, []),
    ],
)
def test_levels(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], wanted: str, quiet: bool, expected: list[str]
) -> None:
    monkeypatch.setenv("TOOLNOTE_LOG", wanted)
    log.set_up(quiet=quiet)
    logger = logging.getLogger("toolnote_desktop.some.module")
    for level in ("trace", "debug", "info", "warning"):
        logger.log(log.TRACE if level == "trace" else getattr(logging, level.upper()), "said at %s", level)
    logging.getLogger("uvicorn").debug("headers and bodies of others")
    text = said(capfd)
    assert [line.rpartition(" ")[2] for line in text.splitlines()] == expected


def test_secrets_are_covered_in_messages_arguments_and_tracebacks(capfd: pytest.CaptureFixture[str]) -> None:
    log.hide(["hunter2secret", "hunter2secret-longer", "", "x", "true"])
    log.set_up()
    logger = logging.getLogger("toolnote_desktop.test")
    logger.warning("with hunter2secret and %s; x is true", {"k": "hunter2secret-longer"})
    try:
        raise ValueError("hunter2secret in an error")
    except ValueError:
        logger.exception("failed")
    text = said(capfd)
    assert "hunter2" not in text
    assert "-longer" not in text
    assert "x is true" in text
    assert "ValueError: ••• in an error" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Authorization: Bearer abc.def-1", "Authorization: Bearer •••"),
        ("{'authorization': 'bearer abc'}", "{'authorization': 'bearer •••'}"),
        ("GET https://h:1/mcp?key=v&a=b#x failed", "GET https://h:1/mcp?•••#x failed"),
        ('"http://user:pw@h/mcp"', '"http://•••@h/mcp"'),
        ("is it? yes, a?b", "is it? yes, a?b"),
        ("mail me@h.example", "mail me@h.example"),
    ],
)
def test_unknown_secrets_are_masked_by_their_form(text: str, expected: str) -> None:
    assert log.covered(text) == expected


def test_secrets_of_a_server_are_masked() -> None:
    raw = {
        "url": "https://user:pass-word@h/mcp?key=a%20b-c&other=1234567",
        "headers": {"Authorization": "Bearer the-token", "X-Key": "plain-key"},
        "env": {"TOKEN": "env-token"},
    }
    server = parse_entry(Server, raw, "s", lambda place, reason: pytest.fail(reason))
    assert server is not None
    found = set(secret_values(server))
    assert {"pass-word", "a b-c", "1234567", "the-token", "plain-key", "env-token"} <= found
    odd = parse_entry(Server, {"url": "http://[bad?key=odd-secret"}, "s", lambda place, reason: pytest.fail(reason))
    assert odd is not None
    assert "key=odd-secret" in set(secret_values(odd))


def test_a_file_keeps_the_log_privately(tmp_path: Path) -> None:
    log.hide(["hunter2secret"])
    file = tmp_path / "logs" / log.LOG_FILE
    log.set_up(file=file)
    logging.getLogger("toolnote_desktop.test").info("once with hunter2secret \ud800")
    for handler in logging.getLogger().handlers:
        handler.flush()
    text = file.read_text(encoding="utf-8")
    assert "once with •••" in text
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700


def test_no_caller_waits_for_the_reader_of_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red without the writer's thread: the pipe is full after 64 KB, and the proxy's loop stands."""
    reading, writing = os.pipe()
    with open(writing, "w", encoding="utf-8") as stderr, open(reading, "rb") as reader:
        monkeypatch.setattr(sys, "stderr", stderr)
        log.set_up(file=tmp_path / "logs" / log.LOG_FILE)
        for number in range(log.MAX_RECORDS + 500):
            logging.getLogger("toolnote_desktop.test").warning("%s %s", number, "x" * 1000)
        draining = threading.Thread(target=lambda: [None for _ in iter(lambda: reader.read1(65536), b"")])
        draining.start()
        for handler in list(logging.getLogger().handlers):
            handler.flush()
        logging.getLogger("toolnote_desktop.test").warning("the last one")
        for handler in list(logging.getLogger().handlers):
            logging.getLogger().removeHandler(handler)
            handler.close()
        stderr.close()
        draining.join()
    text = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "logs").iterdir())
    assert " 0 xxx" in text
    assert re.search(r"\[\d+ records were left out here\] the last one", text)


def test_record_keeps_nothing_alive(tmp_path: Path) -> None:
    """What a record refers to is written as it was, with its traceback, and redacted."""
    file = tmp_path / "logs" / log.LOG_FILE
    log.hide(["hunter2secret"])
    log.set_up(file=file)
    values = ["before"]
    try:
        raise RuntimeError("about hunter2secret")
    except RuntimeError:
        logging.getLogger("toolnote_desktop.test").exception("%s", values)
    values[0] = "after"
    for handler in logging.getLogger().handlers:
        handler.flush()
    text = file.read_text(encoding="utf-8")
    assert "['before']" in text
    assert "RuntimeError: about •••" in text


def test_an_unexpected_error_is_kept_with_its_traceback(tmp_path: Path) -> None:
    log.hide(["hunter2secret"])
    try:
        raise RuntimeError("about hunter2secret")
    except RuntimeError as error:
        kept = log.keep_traceback(error, tmp_path / "logs" / "x.log")
    assert kept is not None
    text = kept.read_text(encoding="utf-8")
    assert "test_an_unexpected_error" in text
    assert "RuntimeError: about •••" in text
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    assert log.keep_traceback(RuntimeError("x"), blocked / "x.log") is None


def test_records_are_safe_to_read_in_a_terminal(tmp_path: Path) -> None:
    """Red team L1: what another program wrote is not acted upon. Seen red without ``escape_controls``."""
    odd = "\x1b]0;title\x07 \x9b31m \u202e \u200b"
    record = logging.LogRecord("x", logging.WARNING, "x", 1, "said %s\nand more", (odd,), None)
    written = log.CoveringFormatter("%(message)s").format(record)
    assert written == "said \\x1b]0;title\\x07 \\x9b31m \\u202e \\u200b\nand more"
    files = LogFiles(tmp_path)
    files.append("server.log", [f"{odd} again"])
    files.close()
    assert r"\x1b]0;title\x07 \x9b31m \u202e \u200b again" in (tmp_path / "server.log").read_text("utf-8")


def test_long_text_keeps_its_start_however_long_a_secret_is() -> None:
    """Seen red: with a secret of 5,000 characters nothing was left of a text that is little longer than the limit."""
    log.hide(["long-secret-" * 500])
    text = "failed: " + "x" * 3000
    assert log.covered(text, 2000) == f"{text[:2000]}… [3008 characters]"
    secret = "another-secret-value"
    log.hide([secret])
    for place in range(1980, 2010):
        assert secret[:6] not in log.covered("y" * place + secret + "z" * 9000, 2000)
