"""Autostart, our own program, batch files, the guard of children."""

from __future__ import annotations

import plistlib
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from toolnote_desktop.system import current
from toolnote_desktop.system.guardian import Guardian
from toolnote_desktop.system.linux import DesktopFile, quoted
from toolnote_desktop.system.macos import LaunchAgent
from toolnote_desktop.system.program import is_toolnote_command, toolnote_command, window_command
from toolnote_desktop.system.windows import Windows, batch_line

posix = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")


def test_the_platform_at_hand() -> None:
    assert current() is current()
    expected = {"linux": "linux", "darwin": "macos", "win32": "windows"}
    assert current().name == expected[sys.platform]


@pytest.mark.skipif(sys.platform != "linux", reason="XDG autostart")
def test_autostart_on_linux(user_folder: Path) -> None:
    autostart = current().autostart
    file = user_folder / ".config" / "autostart" / "org.toolnote.ToolNote.desktop"
    assert not autostart.enabled()
    autostart.disable()
    autostart.enable(["/opt/Tool Note/toolnote-desktop"])
    assert autostart.enabled()
    assert 'Exec="/opt/Tool Note/toolnote-desktop" "--background"' in file.read_text().splitlines()
    assert "TryExec=/opt/Tool Note/toolnote-desktop" in file.read_text().splitlines()
    autostart.enable(["/elsewhere"])
    assert 'Exec="/elsewhere" "--background"' in file.read_text().splitlines()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    file.write_text(file.read_text() + "Hidden = true\n")  # what a desktop's own settings write
    assert not autostart.enabled()
    autostart.enable(["/elsewhere"])
    assert autostart.enabled()
    autostart.disable()
    assert not file.exists()


def test_autostart_file_follows_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert DesktopFile().path == tmp_path / "autostart" / "org.toolnote.ToolNote.desktop"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("/usr/bin/x", '"/usr/bin/x"'),
        ("/a b", '"/a b"'),
        ("50%", '"50%%"'),
        ('a"b', '"a\\\\"b"'),
        ("a$b", '"a\\\\$b"'),
        ("a\\b", '"a\\\\\\\\b"'),
    ],
)
def test_words_of_an_exec_line(word: str, expected: str) -> None:
    assert quoted(word) == expected


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (
            ["/Applications/Toolnote.app/Contents/MacOS/toolnote-desktop"],
            ["/usr/bin/open", "-g", "-b", "org.toolnote.ToolNote", "--args", "--background"],
        ),
        (["/venv/bin/python", "-m", "x"], ["/venv/bin/python", "-m", "x", "--background"]),
    ],
)
def test_autostart_on_macos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], arguments: list[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    agent = LaunchAgent()
    assert not agent.enabled()
    agent.enable(command)
    assert agent.enabled()
    record = plistlib.loads((tmp_path / "Library/LaunchAgents/org.toolnote.ToolNote.plist").read_bytes())
    assert record["ProgramArguments"] == arguments
    assert record["RunAtLoad"] is True
    agent.path.write_bytes(b"not a plist")
    assert not agent.enabled()
    agent.disable()
    agent.disable()
    assert not agent.enabled()


@pytest.mark.skipif(sys.platform != "win32", reason="the registry")
def test_autostart_on_windows() -> None:
    autostart = Windows().autostart
    autostart.enable([r"C:\Program Files\Toolnote\toolnote-desktop.exe"])
    assert autostart.enabled()
    autostart.disable()
    assert not autostart.enabled()
    autostart.disable()


def test_our_own_program_answers() -> None:
    command = toolnote_command()
    assert Path(command[0]).is_absolute()
    if len(command) > 1:
        assert command == [sys.executable, "-m", "toolnote_desktop"]


def test_the_script_beside_this_python_is_preferred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert toolnote_command() == [str(tmp_path / "python"), "-m", "toolnote_desktop"]
    suffix = ".exe" if sys.platform == "win32" else ""
    for name in ("toolnote", "toolnote-desktop"):
        (tmp_path / (name + suffix)).touch()
    assert toolnote_command() == [str(tmp_path / ("toolnote" + suffix))]
    assert window_command() == [str(tmp_path / ("toolnote-desktop" + suffix))]


def test_frozen_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suffix = ".exe" if sys.platform == "win32" else ""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "toolnote-desktop"))
    monkeypatch.delenv("APPIMAGE", raising=False)
    assert toolnote_command() == [str(tmp_path / "toolnote-desktop")]
    (tmp_path / ("toolnote" + suffix)).touch()
    assert toolnote_command() == [str(tmp_path / ("toolnote" + suffix))]
    monkeypatch.setenv("APPIMAGE", "/home/u/Toolnote.AppImage")
    assert toolnote_command() == ["/home/u/Toolnote.AppImage"]


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("toolnote bridge", True),
        ("/opt/x/toolnote serve --port 0", True),
        ("toolnote.exe", True),
        ("toolnote-desktop", True),
        ("toolnote demo-server tasks", False),
        ("python3 -m toolnote_desktop bridge --client cursor", True),
        ("python3 -m toolnote_desktop demo-server notes", False),
        ("uvx toolnote bridge", True),
        ("env A=1 toolnote serve", True),
        ("npx -y @modelcontextprotocol/server-filesystem /home/me/toolnote", False),
        ("cat /home/me/toolnote bridge-notes", False),
        ("python3 -m http.server", False),
        ("node toolnote.js", False),
    ],
)
def test_c51_what_is_toolnote_itself(command: str, own: bool) -> None:
    words = shlex.split(command)
    assert is_toolnote_command(words[0], tuple(words[1:])) is own


@posix
def test_c51_a_renamed_link_is_toolnote_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "toolnote").touch()
    link = tmp_path / "my-tools"
    link.symlink_to(tmp_path / "toolnote")
    assert is_toolnote_command(str(link), ("bridge",))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["plain"], r"C:\n\npx.cmd ^^^" + '"plain^^^"'),
        (["a b"], r"C:\n\npx.cmd ^^^" + '"a^^^ b^^^"'),
        (["a&b%PATH%"], r"C:\n\npx.cmd ^^^" + '"a^^^&b^^^%PATH^^^%^^^"'),
        (['say "hi"'], r"C:\n\npx.cmd ^^^" + '"say^^^ \\^^^"hi\\^^^"^^^"'),
        (["ends\\"], r"C:\n\npx.cmd ^^^" + '"ends\\\\^^^"'),
    ],
)
def test_c44_batch_files_get_their_arguments_literally(arguments: list[str], line: str) -> None:
    assert batch_line(r"C:\n\npx.cmd", arguments) == line


def test_c44_only_batch_files_go_through_cmd() -> None:
    assert Windows().launch(r"C:\n\npx.CMD", ["x"]).shell_line is not None
    launch = Windows().launch(r"C:\n\node.exe", ["a b"])
    assert launch.shell_line is None
    assert launch.command == (r"C:\n\node.exe", "a b")


@pytest.mark.skipif(sys.platform != "win32", reason="cmd.exe")
def test_c44_cmd_itself_agrees(tmp_path: Path) -> None:
    script = tmp_path / "show args.cmd"
    script.write_text(f'@"{sys.executable}" -c "import sys; print(sys.argv[1:])" %*\n')
    arguments = ["a b", "a&b", "%PATH%", 'say "hi"', "ends\\", "^", "!x!"]
    line = batch_line(str(script), arguments)
    output = subprocess.run(line, shell=True, capture_output=True, text=True, check=True).stdout
    assert output.strip() == repr(arguments)


@posix
def test_the_guard_ends_what_is_left_and_nothing_else() -> None:
    guard = Guardian()
    deaf = subprocess.Popen(["/bin/sh", "-c", "trap '' TERM; sleep 600 & wait"], start_new_session=True)
    removed = subprocess.Popen(["sleep", "600"], start_new_session=True)
    try:
        guard.add(deaf.pid)
        guard.add(removed.pid)
        guard.remove(removed.pid)
        guard.close()
        assert deaf.wait(10) != 0
        assert removed.poll() is None
    finally:
        for process in (deaf, removed):
            process.kill()
            process.wait()


@posix
def test_a_guard_that_was_killed_is_no_trouble() -> None:
    guard = Guardian()
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as child:
        guard.add(child.pid)
        assert guard._shell is not None
        shell = guard._shell
        shell.kill()
        shell.wait()
        guard.remove(child.pid)
        guard.add(child.pid)
        guard.close()
        child.kill()


@posix
def test_the_guard_sleeps_and_is_quick_to_go() -> None:
    guard = Guardian()
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as child:
        guard.add(child.pid)
        child.kill()
        child.wait()
    guard.remove(child.pid)
    guard.close()
    assert guard.pid is None
