"""Secrets in a real Secret Service: a bus of this test's own, and GNOME's keyring on it."""

from __future__ import annotations

import contextlib
import gc
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore

PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")
PATIENCE = 20.0

# A bus that starts nothing by itself: it would start a second keyring, a locked one, for whoever is too early.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>"""

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or None in map(shutil.which, PROGRAMS),
        reason="needs dbus-daemon and gnome-keyring",
    ),
]


@contextlib.contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def secret_service(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[str]]:
    """A new keyring, unlocked; what a test is given is its daemon."""
    import keyring
    from keyring.backends import SecretService

    before = keyring.get_keyring()
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND")
    monkeypatch.delenv("DISPLAY", raising=False)  # whoever is asked to unlock it cannot be asked
    config = user_folder / "bus.conf"
    config.write_text(BUS, "utf-8")
    bus = ["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", "--print-address"]
    with ended(subprocess.Popen(bus, stdout=-1, stderr=-3, text=True)) as daemon:
        assert daemon.stdout is not None
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
        command = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        with ended(subprocess.Popen(command, stdin=-1, stdout=-3, stderr=-3, text=True)) as service:
            assert service.stdin is not None
            service.stdin.write("the password")
            service.stdin.close()
            service.stdin = None
            _wait_until_there()
            keyring.set_keyring(SecretService.Keyring())  # type: ignore[no-untyped-call]
            yield service
    keyring.set_keyring(before)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # keyring leaves its connection open where unlocking failed
        gc.collect()


def _wait_until_there() -> None:
    """Until the keyring's daemon has its name on the bus, and its collection is open."""
    import secretstorage

    deadline = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(secretstorage.exceptions.SecretStorageException):
            if _is_open():
                return
        assert time.monotonic() < deadline, "there is no keyring"
        time.sleep(0.05)  # nothing tells of it


def _is_open() -> bool:
    import secretstorage

    with closing(secretstorage.dbus_init()) as bus:
        return not secretstorage.get_collection_by_alias(bus, "default").is_locked()


def test_secrets_are_kept_in_it(home: Home, secret_service: object) -> None:
    store = SecretStore(home)
    long = "é𝄞x" * 4_000
    assert store.write("a", "KEY", "short") is SecretLocation.KEYCHAIN
    assert store.write("a", "LONG", long) is SecretLocation.KEYCHAIN
    assert store.write("b", "KEY", "other") is SecretLocation.KEYCHAIN
    again = SecretStore(home)
    assert [again.read("a", "KEY"), again.read("a", "LONG"), again.read("b", "KEY")] == ["short", long, "other"]
    assert again.write("a", "LONG", "not any more") is SecretLocation.KEYCHAIN
    assert store.read("a", "LONG") == "not any more"
    for server, name in (("a", "KEY"), ("a", "LONG"), ("b", "KEY")):
        assert store.remove(server, name)
    assert _entries() == []


def _entries() -> list[str]:
    import secretstorage

    with closing(secretstorage.dbus_init()) as bus:
        return [item.get_label() for item in secretstorage.get_default_collection(bus).get_all_items()]


def test_locked_secret_service_says_so(home: Home, secret_service: object) -> None:
    import secretstorage

    store = SecretStore(home)
    store.write("a", "KEY", "value")
    with closing(secretstorage.dbus_init()) as bus:
        secretstorage.get_default_collection(bus).lock()
    with pytest.raises(ToolnoteError) as error:
        store.read("a", "KEY", seconds=PATIENCE)
    assert error.value.problem.code is Code.KEYCHAIN_LOCKED
    assert store.write("a", "KEY", "elsewhere", place=SecretLocation.RUN) is SecretLocation.RUN
    assert store.read("a", "KEY") == "elsewhere"


def test_dead_secret_service_is_reported_and_not_waited_for(
    home: Home, secret_service: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SecretStore(home)
    store.write("a", "KEY", "value")
    secret_service.kill()
    secret_service.wait()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    with pytest.raises(ToolnoteError) as error:
        store.read("a", "KEY", seconds=PATIENCE)
    assert error.value.problem.code in (Code.KEYCHAIN_ABSENT, Code.KEYCHAIN_FAILED)
