"""Fixtures of all tests: no screen, folders of a user of their own, and a check that nothing is left behind."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from hypothesis import settings

from tests.case_table import CaseTable
from tests.fuzz import profiles
from tests.leaks import MARK, Snapshot, marked_processes
from tests.node_tools import everything_server, inspector_cli, node
from toolnote_desktop.paths import Home

if TYPE_CHECKING:
    from tests.file_keyring import TestKeychain

__all__ = ["everything_server", "inspector_cli", "node"]

settings.load_profile(profiles.USUAL)

# Nothing of the desktop that the tests are run on: its screen, its session bus (without an address, libdbus starts one
# with dbus-launch and leaves it behind), its fonts, language and scale; and nothing of the terminal.
ISOLATED = {
    "QT_QPA_PLATFORM": "offscreen",
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    "FONTCONFIG_FILE": str(Path(__file__).with_name("fonts.conf")),
    "LANG": "C.UTF-8",
    "PYTHONUTF8": "1",
}
ABSENT = re.compile(r"(WAYLAND_)?DISPLAY|LANGUAGE|LC_[A-Z]+|QT_\w+|TZ|COLUMNS|LINES|(NO|FORCE)_COLOR")

if MARK not in os.environ:  # else a test runs pytest, on a display and a bus of its own
    for variable in [name for name in os.environ if ABSENT.fullmatch(name)]:
        del os.environ[variable]
    os.environ.update(ISOLATED)

ARTIFACTS = Path(__file__).parent.parent / "test-artifacts"

# Folders of the user on the supported platforms; tests must not reach the real ones.
USER_FOLDERS = {
    "HOME": "",
    "USERPROFILE": "",
    "APPDATA": "AppData/Roaming",
    "LOCALAPPDATA": "AppData/Local",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_RUNTIME_DIR": "run",
    "TOOLNOTE_HOME": "toolnote",
}
PARENT_FOLDERS = ("AppData", ".local")
SETTINGS = ("TOOLNOTE_TOKEN", "TOOLNOTE_LOG", "MCP_TOOL_PREFIX")


def pytest_configure(config: pytest.Config) -> None:
    """Register the table of cases, which a run of all cases writes."""
    config.pluginmanager.register(CaseTable(config))


# Files that take longest (`pytest --durations=0`), longest first; but tests of the frozen build not both at the
# beginning, where one process would wait while the other builds.
SLOWEST = (
    "packaging/test_clean_debian.py",
    "product/test_clients_real.py",
    "packaging/test_linux_packages.py",
    "proxy/fidelity/test_sdk_servers.py",
    "attacks/test_attacks.py",
    "conformance/test_twin.py",
    "conformance/test_conformance.py",
    "desktop/shell/test_app.py",
    "product/test_cli_serving.py",
    "endurance/test_quit.py",
    "desktop/shell/test_start_unfinished.py",
    "bridge/test_serve.py",
    "security/test_linear_time.py",
    "product/test_story.py",
    "product/test_story_xvfb.py",
    "proxy/oauth/test_sign_in.py",
    "product/test_cli.py",
    "endurance/test_disk.py",
    "desktop/tool_page/test_notes_dragged.py",
    "bridge/test_restarts.py",
    "desktop/window/test_never_blocked.py",
    "endurance/test_liveness.py",
    "product/test_turned_bad.py",
    "product/test_pack_story.py",
    "proxy/transports/test_escaped_processes.py",
    "proxy/upstream/test_healing.py",
    "proxy/transports/test_process_cleanup.py",
    "proxy/transports/test_stdio.py",
    "fuzz/test_imports.py",
    "security/test_sign_in_secrets.py",
    "desktop/window/test_pictures.py",
    "bridge/test_sdk.py",
    "benchmarks/test_speed.py",
    "desktop/shell/test_safe_mode.py",
    "endurance/test_soak.py",
    "endurance/test_floods.py",
    "store/test_two_processes.py",
    "packaging/test_frozen.py",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest files first, then those with many tests: processes take whole files in this order."""
    if hasattr(config, "workerinput"):
        ranks = {Path(__file__).parent / file: rank for rank, file in enumerate(SLOWEST)}
        tests = Counter(item.path for item in items)
        items.sort(key=lambda item: (ranks.get(item.path, len(ranks)), -tests[item.path]))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep the collected tests out of garbage collections and of the search for timers, which they make slow."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item) -> Generator[None, Any, Any]:
    """End a test's processes before its timeout fails it: on its way out, `with Popen(…)` waits for them forever."""
    result = yield
    fail = signal.getsignal(signal.SIGALRM) if hasattr(signal, "SIGALRM") else None
    if callable(fail):

        def end(number: int, frame: FrameType | None) -> None:
            for process in marked_processes(os.environ.get(MARK, "")):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            fail(number, frame)

        signal.signal(signal.SIGALRM, end)
    return result


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[str]:
    """Fail a test that leaves a thread, a process, a window or a running timer; return the test's ``MARK``."""
    mark = uuid.uuid4().hex
    before = Snapshot(mark, timers="qapp" in request.fixturenames)
    yield mark
    left = before.left()
    if left:
        pytest.fail("left behind by this test:\n" + "\n".join(left), pytrace=False)


class UserFolders:
    """Empty users' folders; one that a test has left as it was is the next one's: making and removing takes 5 ms."""

    def __init__(self) -> None:
        self._untouched: list[Path] = []
        self._states: dict[Path, list[tuple[int, list[str]]]] = {}

    def take(self) -> Path:
        """Return a folder with those below it."""
        if self._untouched:
            return self._untouched.pop()
        folder = Path(tempfile.mkdtemp(prefix="toolnote-"))
        for below in USER_FOLDERS.values():
            (folder / below).mkdir(mode=0o700, parents=True, exist_ok=True)
        self._states[folder] = self._state(folder)
        return folder

    def give_back(self, folder: Path) -> None:
        """Keep an untouched folder for the next test, and remove another one."""
        if self._state(folder) == self._states[folder]:
            self._untouched.append(folder)
        else:
            self._remove(folder)

    def close(self) -> None:
        """Remove what is left."""
        for folder in self._untouched:
            self._remove(folder)

    @staticmethod
    def _state(folder: Path) -> list[tuple[int, list[str]]]:
        paths = [folder / below for below in sorted({*USER_FOLDERS.values(), *PARENT_FOLDERS})]
        try:
            return [(os.lstat(path).st_mode, sorted(os.listdir(path))) for path in paths]
        except OSError:
            return []

    def _remove(self, folder: Path) -> None:
        del self._states[folder]
        shutil.rmtree(folder, ignore_errors=sys.platform == "win32")  # there, a file just closed may still be locked


@pytest.fixture(scope="session")
def user_folders() -> Iterator[UserFolders]:
    """Return what makes users' folders."""
    folders = UserFolders()
    yield folders
    folders.close()


@pytest.fixture(autouse=True)
def user_folder(nothing_left: str, user_folders: UserFolders) -> Iterator[Path]:
    """Return an empty user's folder with a path short enough for sockets; the user's variables point there."""
    folder = user_folders.take()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, nothing_left)
        patch.setenv("TERM", "xterm")  # as from a terminal: else servers get the environment of a login shell
        for variable, below in USER_FOLDERS.items():
            patch.setenv(variable, str(folder / below))
        for variable in SETTINGS:
            patch.delenv(variable, raising=False)
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")  # never the real user's keychain
        yield folder
    user_folders.give_back(folder)


@pytest.fixture
def keychain(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestKeychain]:
    """Return a keychain in a file, for this process and those that it starts."""
    import keyring

    from tests.file_keyring import BACKEND, VARIABLE, FileKeyring, TestKeychain

    made = TestKeychain(user_folder / "keychain.json")
    before = keyring.get_keyring()
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", BACKEND)
    monkeypatch.setenv(VARIABLE, str(made.path))
    keyring.set_keyring(FileKeyring())  # type: ignore[no-untyped-call]
    yield made
    made.mood = ""  # ends waits that are still going on
    keyring.set_keyring(before)


@pytest.fixture(autouse=True)
def restored_log() -> Iterator[None]:
    """Restore the process-wide logging setup, which a command run in this process changes."""
    root, own = logging.getLogger(), logging.getLogger("toolnote_desktop")
    handlers, levels = list(root.handlers), (root.level, own.level)
    yield
    for handler in [one for one in root.handlers if one not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(levels[0])
    own.setLevel(levels[1])


@pytest.fixture
def home(user_folder: Path) -> Home:
    """Return the empty home folder that ``TOOLNOTE_HOME`` names during this test."""
    return Home(user_folder / "toolnote")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Save a screenshot of each visible window of a failed test in ``test-artifacts``."""
    report = yield
    widgets = sys.modules.get("PySide6.QtWidgets")
    if report.when == "call" and report.failed and widgets and widgets.QApplication.instance():
        ARTIFACTS.mkdir(exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", item.nodeid).strip("_")[-120:]
        visible = [widget for widget in widgets.QApplication.topLevelWidgets() if widget.isVisible()]
        for number, widget in enumerate(visible):
            widget.grab().save(str(ARTIFACTS / f"{name}-{number}.png"))
    return report
