"""What nobody caught is reported once, without secrets."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.async_tasks import spawn
from toolnote_desktop.desktop.shell.crash_reporter import CrashReport, CrashReporter, crash_report, secrets_of
from toolnote_desktop.model.servers import Server
from toolnote_desktop.paths import Home


@pytest.fixture
def reporter(qtbot: QtBot, home: Home) -> Iterator[CrashReporter]:
    reporter = CrashReporter(home)
    reporter.install()
    yield reporter
    reporter.uninstall()


def test_an_error_in_a_slot_is_reported_in_the_windows_thread(qtbot: QtBot, reporter: CrashReporter) -> None:
    class Sender(QObject):
        pressed = Signal()

    sender = Sender()
    sender.pressed.connect(_fail)
    # pytest-qt listens on sys.excepthook too, and would fail the test: ask the hook that the app has
    sys.excepthook = reporter.handle_exception
    with qtbot.waitSignal(reporter.reported, timeout=5000) as reported:
        QTimer.singleShot(0, sender.pressed.emit)
    report = reported.args[0] if reported.args else None
    assert isinstance(report, CrashReport)
    assert report.summary == "ValueError: no such thing"
    assert "in _fail" in report.text
    assert "Python" in report.text


def test_an_error_in_a_thread_is_reported(qtbot: QtBot, reporter: CrashReporter) -> None:
    with qtbot.waitSignal(reporter.reported, timeout=5000) as reported:
        thread = threading.Thread(target=_fail, name="counting")
        thread.start()
        thread.join()
    assert reported.args is not None
    assert "in thread counting" in reported.args[0].text


def test_crash_of_one_place_is_reported_once(qtbot: QtBot, reporter: CrashReporter) -> None:
    reports: list[CrashReport] = []
    reporter.reported.connect(reports.append, Qt.ConnectionType.DirectConnection)
    for _ in range(3):
        _run_and_report(reporter, _fail)
    _run_and_report(reporter, _fail_elsewhere)
    qtbot.waitUntil(lambda: len(reports) >= 2, timeout=5000)
    assert [report.summary for report in reports] == ["ValueError: no such thing", "KeyError: 'elsewhere'"]


def test_no_secret_is_in_a_report() -> None:
    servers = [
        Server(command="x", env={"TOKEN": "s3cret-of-env"}),
        Server(url="https://user:pass-word@host/mcp?key=query-secret&b=2", headers={"Authorization": "Bearer tok-123"}),
    ]
    try:
        try:
            raise OSError("GET https://user:pass-word@host/mcp?key=query-secret&b=2 Bearer tok-123")
        except OSError as error:
            raise ValueError(f"s3cret-of-env and query-secret in {Path.home()}/x") from error
    except ValueError as error:
        report = crash_report(error, "", secrets_of(servers))
    for secret in ("s3cret-of-env", "query-secret", "tok-123", "pass-word", str(Path.home())):
        assert secret not in report.text
        assert secret not in report.summary
    assert "because of\nOSError: GET" in report.text
    assert "tests/desktop" not in report.text  # paths are the program's own or a bare name
    assert "test_crash_reporter.py:" in report.text


def test_faults_of_the_interpreter_have_a_file(reporter: CrashReporter, home: Home) -> None:
    assert home.faults.exists()


def test_crash_reporter_reports_an_error_of_a_coroutine(qtbot: QtBot, reporter: CrashReporter) -> None:
    owner = QObject()
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler() if hasattr(loop, "get_exception_handler") else None

    async def fail() -> None:
        _fail()

    loop.set_exception_handler(reporter.handle_loop_exception)
    try:
        with qtbot.waitSignal(reporter.reported, timeout=5000) as reported:
            spawn(owner, fail())
    finally:
        loop.set_exception_handler(before)
    assert reported.args is not None
    assert "no such thing" in reported.args[0].summary
    assert "fail" in reported.args[0].text


def _fail() -> None:
    raise ValueError("no such thing")


def _fail_elsewhere() -> None:
    raise KeyError("elsewhere")


def _run_and_report(reporter: CrashReporter, function: object) -> None:
    assert callable(function)
    try:
        function()
    except (ValueError, KeyError) as error:
        reporter.handle_exception(type(error), error, error.__traceback__)
