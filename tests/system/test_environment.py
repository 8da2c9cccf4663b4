"""The environment: the user's, and what of it other programs get."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from tests.waiting import is_gone
from toolnote_desktop.system.environment import (
    append_folders,
    own_environment,
    prepend_folder,
    started_from_desktop,
    withheld_names,
)
from toolnote_desktop.system.login_shell import login_environment, parse_environment
from toolnote_desktop.system.posix import Posix
from toolnote_desktop.system.windows import Windows

posix = pytest.mark.skipif(sys.platform == "win32", reason="login shells")


def shell(folder: Path, body: str) -> str:
    """A program that is asked as a login shell is."""
    path = folder / "shell"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@posix
def test_c42_the_login_shells_path_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Started from a desktop with a poor PATH; the tool is where a start-up file of the shell puts it."""
    tools = tmp_path / "nvm" / "bin"
    tools.mkdir(parents=True)
    tool = tools / "some-npx"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".profile").write_text(f'echo welcome; PATH="{tools}:$PATH"; export PATH GREETING="two\nlines"\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SHELL", "/bin/sh")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.delenv("ENV", raising=False)
    platform = Posix()
    environment = platform.environment()
    assert environment["PATH"].split(":")[0] == str(tools)
    assert environment["GREETING"] == "two\nlines"
    child = platform.child_environment(environment, {"MINE": "1"})
    assert child["MINE"] == "1"
    assert "GREETING" not in child
    assert platform.find_program("some-npx", child, str(tmp_path)) == str(tool)
    assert platform.find_program("no-such-npx", child, str(tmp_path)) is None


@posix
def test_in_a_terminal_the_shell_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("SHELL", shell(tmp_path, f"touch {tmp_path}/asked"))
    environment = Posix().environment()
    assert environment["PATH"] == os.environ["PATH"]
    assert not (tmp_path / "asked").exists()


@posix
def test_the_shell_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.setenv("SHELL", shell(tmp_path, f'echo asked >> {tmp_path}/asked\nX=1 exec /bin/sh -c "$4"'))
    platform = Posix()
    assert platform.environment()["X"] == "1"
    monkeypatch.setenv("LATER", "yes")
    assert platform.environment()["LATER"] == "yes"
    assert (tmp_path / "asked").read_text() == "asked\n"


@posix
@pytest.mark.parametrize("body", ["exit 3", "echo nothing of use", "exec sleep 600"])
def test_a_shell_that_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("SHELL", shell(tmp_path, body))
    path = Posix().environment(timeout=0.3)["PATH"].split(":")
    assert path[:2] == ["/usr/bin", "/bin"]
    assert os.path.expanduser("~/.local/bin") in path  # where programs often are, as the shell says nothing


@posix
def test_shell_children_are_ended(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    slow = shell(tmp_path, f"sleep 600 &\necho $! > {pid_file}\nwait")
    assert login_environment({"SHELL": slow, "PATH": "/usr/bin:/bin"}, 0.5) is None
    assert is_gone(int(pid_file.read_text()))


@posix
def test_no_shell_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert login_environment({"SHELL": "/no/such/shell"}, 1) is None


@posix
def test_the_shell_of_record_is_used_where_the_variable_is_missing() -> None:
    found = login_environment({"PATH": "/usr/bin:/bin", "HOME": "/"}, 10)
    assert found is not None
    assert "PATH" in found
    assert "TOOLNOTE_READING_ENVIRONMENT" not in found


def test_environment_between_the_marks_is_read() -> None:
    output = b"hello\nM" + b"A=1\0B=two\nlines\0=odd\0SHLVL=3\0BASH_FUNC_x%%=() { :; }\0" + b"Mbye"
    assert parse_environment(output, "M") == {"A": "1", "B": "two\nlines"}
    assert parse_environment(b"MA=1\nB=2\nM", "M") == {"A": "1", "B": "2"}
    assert parse_environment(b"M_=M\0A=1\0M", "M") == {"A": "1"}
    assert parse_environment(b"A=1", "M") is None
    assert parse_environment(b"MA=1", "M") is None
    assert parse_environment(b"MM", "M") is None


def test_variables_of_our_own_start_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", "/bundle", raising=False)
    environment = {
        "LD_LIBRARY_PATH": "/bundle/lib",
        "LD_LIBRARY_PATH_ORIG": "/users/lib",
        "DYLD_LIBRARY_PATH": "/bundle/lib",
        "_PYI_APPLICATION_HOME_DIR": "/bundle",
        "QT_PLUGIN_PATH": "/bundle/plugins",
        "QML2_IMPORT_PATH": "/bundle/qml",
        "SSL_CERT_FILE": "/bundle/cert.pem",
        "PATH": "/bundle/bin:/usr/bin",
        "HOME": "/home/u",
    }
    assert own_environment(environment) == {
        "LD_LIBRARY_PATH": "/users/lib",
        "PATH": "/bundle/bin:/usr/bin",
        "HOME": "/home/u",
    }


def test_children_get_a_choice_and_all_of_their_entry() -> None:
    environment = {
        "HOME": "/h",
        "PATH": "/bin",
        "LANG": "C.UTF-8",
        "LC_TIME": "de_DE",
        "HTTPS_PROXY": "http://proxy",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "OPENAI_API_KEY": "secret",
        "PYTHONIOENCODING": "latin-1",
        "VIRTUAL_ENV": "/ours",
    }
    child = Posix().child_environment(environment, {"OPENAI_API_KEY": "given", "LANG": "C"})
    assert child == {
        "HOME": "/h",
        "PATH": "/bin",
        "LANG": "C",
        "LC_TIME": "de_DE",
        "HTTPS_PROXY": "http://proxy",
        "OPENAI_API_KEY": "given",
        "PYTHONUTF8": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    assert Posix().child_environment({}, {"PYTHONUTF8": "0"})["PYTHONUTF8"] == "0"


def test_windows_names_are_one_whatever_their_case() -> None:
    child = Windows().child_environment({"Path": r"C:\bin", "SystemRoot": r"C:\Windows", "SECRET": "x"}, {"path": "D:"})
    assert child == {"SYSTEMROOT": r"C:\Windows", "path": "D:", "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}


@pytest.mark.parametrize(
    ("environment", "desktop"), [({}, True), ({"TERM": "dumb"}, True), ({"TERM": "xterm"}, False), ({"TERM": ""}, True)]
)
def test_parent_process_is_found(environment: dict[str, str], desktop: bool) -> None:
    assert started_from_desktop(environment) is desktop


def test_path_arithmetic() -> None:
    assert prepend_folder("/a:/b", "/c", ":") == "/c:/a:/b"
    assert prepend_folder("/a:/b", "/b", ":") == "/a:/b"
    assert prepend_folder(None, "/c", ":") == "/c"
    assert append_folders("/a", ["/b", "/a"], ":") == "/a:/b"


def test_new_entry_gets_session_bus_agent_and_proxy_passwords_only_by_name() -> None:
    """Issue 15 item 6, red team L10. Seen red without ``withhold``: all entries got all of them."""
    user = {
        "HOME": "/home/u",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1/bus",
        "SSH_AUTH_SOCK": "/run/user/1/agent",
        "https_proxy": "http://me:s3cret@proxy.example:8080/",
        "no_proxy": "localhost",
        "PRIVATE_TOKEN": "t",
    }
    platform = Posix()
    new = platform.child_environment(user, {"A": "b"}, ())
    assert new["https_proxy"] == "http://proxy.example:8080/"
    assert new["no_proxy"] == "localhost"
    assert not {"DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "PRIVATE_TOKEN"} & set(new)
    assert withheld_names(user, ()) == ("DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "https_proxy")
    named = platform.child_environment(user, {}, ("SSH_AUTH_SOCK", "https_proxy", "PRIVATE_TOKEN", "MISSING"))
    assert {name: named[name] for name in ("SSH_AUTH_SOCK", "https_proxy", "PRIVATE_TOKEN")} == {
        name: user[name] for name in ("SSH_AUTH_SOCK", "https_proxy", "PRIVATE_TOKEN")
    }
    assert "DBUS_SESSION_BUS_ADDRESS" not in named
    before = platform.child_environment(user, {}, None)
    assert {name: before.get(name) for name in user} == {**user, "PRIVATE_TOKEN": None}
    assert withheld_names(user, None) == ()
