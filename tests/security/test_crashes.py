"""What a crash of the window leaves behind has no secret in it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from toolnote_desktop.paths import Home

SECRET = "Zq-secret-of-a-crash-Xv9"

# A secret in arguments, in variables, in errors and their causes; then the interpreter itself fails.
CRASHING = """
import faulthandler, os, sys, threading
from pathlib import Path
from PySide6.QtWidgets import QApplication
from toolnote_desktop import log
from toolnote_desktop.desktop.shell.crash_reporter import CrashReporter, secrets_of
from toolnote_desktop.model.servers import Server
from toolnote_desktop.paths import Home

home = Home(Path(sys.argv[1]))
log.set_up(file=home.logs / "toolnote.log")
application = QApplication([])
secret = os.environ["SENTINEL"]
reporter = CrashReporter(home)
reporter.set_secrets(lambda: secrets_of([Server(url="http://h/mcp", headers={"X-Key": secret})]))
reporter.reported.connect(lambda report: (print(report.summary), print(report.text), application.quit()))
reporter.install()

def fail(given):
    try:
        raise OSError(f"connecting with {given}")
    except OSError as error:
        raise ValueError(given) from error

thread = threading.Thread(target=fail, args=(secret,), name="failing")
thread.start()
application.exec()
thread.join()
print("reported", flush=True)

def end(given):
    local = given * 2
    faulthandler._sigsegv()

end(secret)
"""


@pytest.mark.once
@pytest.mark.skipif(sys.platform != "linux", reason="a fault of the interpreter, on purpose")
def test_no_secret_is_in_a_crash_report_or_the_faults(home: Home) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CRASHING, str(home.root)],
        env={**os.environ, "SENTINEL": SECRET, "TOOLNOTE_LOG": "trace"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"reported" in ran.stdout, ran.stderr.decode()
    assert b"ValueError" in ran.stdout
    assert SECRET.encode() not in ran.stdout + ran.stderr
    faults = (home.logs / "faults.log").read_bytes()
    assert b"Segmentation fault" in faults
    assert b"in end" in faults
    for file in home.root.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file
