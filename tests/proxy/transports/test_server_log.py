"""Server log: bounded, without secrets, in memory and on disk."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import permissions
from tests.proxy.upstream.harness import entry, run, running
from tests.servers.launch import raw_server_entry
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.secrets.secret_masks import MASK, SecretCover
from toolnote_desktop.model.servers import ServerState, secret_values
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.server_log import (
    BYTES,
    FILE_BYTES,
    LINES,
    LONGEST_LINE,
    LogFiles,
    ServerLog,
    log_name,
)


def test_the_newest_lines_are_kept() -> None:
    log = ServerLog("a")
    log.feed("".join(f"line {number}\n" for number in range(2000)).encode())
    assert len(log.tail()) == LINES
    assert log.tail()[-1] == log.last_line == "line 1999"


def test_lines_are_whole_however_they_come() -> None:
    log = ServerLog("a")
    for byte in "ä ✓ \r\nzwei\n\xff".encode():
        log.feed(bytes([byte]))
    log.feed(b"\xff rest")
    assert log.tail() == ("ä ✓ ", "zwei")
    assert log.last_line == "ÿ\\xff rest"
    log.flush()
    assert log.tail()[-1] == "ÿ\\xff rest"


def test_a_flood_without_a_line_end_is_bounded() -> None:
    log = ServerLog("a")
    for _ in range(100):
        log.feed(b"x" * 65536)
    assert sum(len(line) for line in log.tail()) <= BYTES
    assert max(map(len, log.tail())) <= LONGEST_LINE
    assert len(log._pending) <= LONGEST_LINE


def test_earlier_process_output_is_not_this_ones_last_line() -> None:
    log = ServerLog("a")
    log.feed(b"the old one\n")
    log.start_process()
    log.note("started")
    assert log.last_line == ""
    assert log.tail() == ("the old one", "[started]")


def test_the_secrets_of_an_entry() -> None:
    server = entry(
        {
            "url": "https://user:pa%20ss@host/mcp?key=query%2Fsecret&flag#part",
            "headers": {"Authorization": "Bearer bearer-secret", "X-Key": "plain-secret"},
            "env": {"TOKEN": "env-secret", "EMPTY": "", "SHORT": "no"},
        }
    )
    mask = SecretCover(secret_values(server))
    for secret in ("env-secret", "bearer-secret", "plain-secret", "query%2Fsecret", "query/secret", "pa ss"):
        assert mask(f"before {secret} after") == f"before {MASK} after"
    assert mask("no secret here") == "no secret here"


def test_secrets_in_other_forms() -> None:
    mask = SecretCover(['quo"ted\nkey line'])
    for text in ('quo"ted', "key line", json.dumps('quo"ted\nkey line')[1:-1]):
        assert MASK in mask(text)
    assert SecretCover([])("x") == "x"
    assert SecretCover(["abcdef", "abcdefgh"])("abcdefgh") == MASK


@given(st.lists(st.integers(1, 7000), min_size=1, max_size=12), st.integers(0, 9000), st.booleans())
def test_a_secret_across_any_cut_is_masked(sizes: list[int], before: int, newline: bool) -> None:
    secret = "s3cret-" * 5
    text = ("x" * before + secret + "y" * 5000 + ("\n" if newline else "")).encode()
    log = ServerLog("a")
    log.redact_with(SecretCover([secret]))
    at = 0
    for size in sizes:
        log.feed(text[at : at + size])
        at += size
    log.feed(text[at:])
    log.flush()
    assert "s3cret" not in "".join(log.tail())
    assert MASK in "".join(log.tail())


def test_quoted_text_is_masked_before_it_is_cut() -> None:
    log = ServerLog("a")
    log.redact_with(SecretCover(["the-secret"]))
    for most in range(1, 30):
        log.quote("said", b"x" * 10 + b"the-secret and more", most)
    assert all("the" not in line for line in log.tail())
    log.quote("said", "é".encode() * 5 + b"\xff", 5)
    assert log.tail()[-1] == f"[said: {'é' * 5}]"


def test_file_names() -> None:
    names = [log_name(server) for server in ("github", "a b", "a_b", "我的", "../../x", "con", "CON", "x" * 200, "")]
    assert len({name.lower() for name in names}) == len(names)
    assert names[0] == "github.log"
    assert all(name.isascii() and "/" not in name and len(name) < 80 for name in names)
    assert names[5] != "con.log"


def test_files_are_private_and_rotate(home: Home) -> None:
    files = LogFiles(home.logs)
    log = ServerLog("github", files)
    line = b"z" * 1000 + b"\n"
    for _ in range(50):
        for _ in range(60):
            log.feed(line)
        settle(files)
    files.close()
    assert sorted(path.name for path in home.logs.iterdir()) == ["github.log", "github.log.1"]
    for path in home.logs.iterdir():
        assert path.stat().st_size <= FILE_BYTES
        if os.name == "posix":
            assert path.stat().st_mode & 0o777 == 0o600
    last = (home.logs / "github.log").read_text().splitlines()[-1]
    assert last.endswith("z" * 1000)
    assert last[:4].isdigit()


def settle(files: LogFiles) -> None:
    """Wait until the writer has caught up."""
    files._writer.submit(int).result()


def test_a_disk_that_is_slow_holds_nobody_up_and_takes_no_memory(home: Home) -> None:
    files = LogFiles(home.logs)
    gate = threading.Event()
    files._writer.submit(gate.wait)
    log = ServerLog("a", files)
    for _ in range(5000):
        log.feed(b"y" * 500 + b"\n")
    assert files._size < 400_000
    gate.set()
    files.close()
    assert "left out" in (home.logs / "a.log").read_text()


@pytest.mark.skipif(not permissions.BINDING, reason="permissions")
def test_folder_that_cannot_be_written_is_no_trouble(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.logs.mkdir(parents=True)
    home.logs.chmod(0o500)
    with permissions.binding():
        files = LogFiles(home.logs)
        ServerLog("a", files).feed(b"x\n")
        files.close()
    home.logs.chmod(0o700)
    assert "a.log could not be written" in caplog.text
    assert list(home.logs.iterdir()) == []


def test_file_in_the_folders_place_is_no_trouble(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.root.mkdir(exist_ok=True)
    home.logs.write_text("in the way")
    files = LogFiles(home.logs)
    ServerLog("a", files).feed(b"x\n")
    files.close()
    assert "a.log could not be written" in caplog.text


def test_no_secret_of_the_entry_gets_out(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    """A server that repeats its secrets on stderr, on stdout, in its last words and in its errors."""
    secret = "sentinel-7c1f"
    said = f"my token is {secret}"
    on = {"tools/list": [{"error": {"code": 1, "message": said}}]}
    servers = {
        "talks": {
            **raw_server_entry(on=on, stderr={"start": said + "\n"}, noise={"start": [said]}),
            "env": {"TOKEN": secret},
        },
        "dies": {**raw_server_entry(on={"initialize": {"exit": 1}}, stderr={"start": said}), "env": {"TOKEN": secret}},
        "refuses": {
            **raw_server_entry(
                on={
                    "initialize": {"error": {"code": 1, "message": said}},
                    "server/discover": {"error": {"code": 1, "message": said}},
                }
            ),
            "env": {"TOKEN": secret},
        },
    }

    async def work() -> str:
        async with running(home, servers) as all_of_them:
            await all_of_them.ready("talks")
            assert all_of_them["talks"].status.problems[0].code is Code.SERVER_PAGES
            await all_of_them.until_state("dies", ServerState.FAILED)
            await all_of_them.until_state("refuses", ServerState.FAILED)
            tails = [all_of_them[server].log.tail() for server in servers]
            assert any(MASK in line for line in tails[0])
            return str((tails, all_of_them.events.statuses, all_of_them.events.lists))

    with caplog.at_level("DEBUG"):
        told = run(work())
    files = "".join(path.read_text() for path in home.logs.iterdir())
    assert "my token is" in told
    assert "my token is" in files
    assert secret not in told
    assert secret not in files
    assert secret not in caplog.text


def test_the_log_of_a_server_is_a_file_in_the_home(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"my server": raw_server_entry(stderr={"start": "hello from stderr\n"})}) as servers:
            await servers.ready("my server")

    run(work())
    (path,) = Path(home.logs).iterdir()
    text = path.read_text()
    assert "hello from stderr" in text
    assert "started as process" in text
