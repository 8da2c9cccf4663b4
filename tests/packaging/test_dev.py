"""packaging/dev.py: which Python it takes, what it installs, and that an environment that is ready costs nothing."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import dev
import environments
import psutil
import pytest
import system_packages
from console import SetupError
from environments import LOCKS, NODE, Environment
from packaging.requirements import Requirement

from tests.conftest import SLOWEST
from tests.waiting import is_gone, wait_until

CLONE = Path(__file__).parents[2]
SCRIPTS = ("dev.py", "console.py", "environments.py", "system_packages.py")
LOCK_FILES = sorted(LOCKS.glob("*.txt"))

posix_only = pytest.mark.skipif(os.name == "nt", reason="writes programs as shell scripts")


def program(path: Path, body: str) -> Path:
    """A shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def environment_in(folder: Path, version: str = "3.13") -> Environment:
    """An environment that says it is ready, whose Python writes down that it was started."""
    environment = Environment(folder)
    program(Path(environment.python), f'echo "$@" >> {folder}/started; echo {folder}')
    locks = {"app": environments.digest(LOCKS / "app.txt")}
    state = {"folder": str(folder), "version": version, "locks": locks, "system": ["app"]}
    (folder / "stamp.json").write_text(json.dumps(state))
    return environment


@pytest.mark.parametrize("name", SCRIPTS)
def test_any_python_that_may_start_it_can_read_it(name: str) -> None:
    ast.parse((CLONE / "packaging" / name).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_this_python_would_do() -> None:
    found = environments.probe(sys.executable)
    assert found is not None
    assert found["version"] == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert found["usable"]


@posix_only
@pytest.mark.parametrize("body", ["exit 127", "echo no JSON", "echo '{'"])
def test_name_on_the_path_with_no_python_behind_it_is_passed_over(tmp_path: Path, body: str) -> None:
    assert environments.probe(str(program(tmp_path / "python3.13", body))) is None


def test_python_that_is_not_there_is_passed_over(tmp_path: Path) -> None:
    assert environments.probe(str(tmp_path / "python3.13")) is None


@posix_only
def test_newest_python_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("3.10", "3.11", "3.12", "3.13"):
        answer = json.dumps({"version": version, "path": f"/{version}", "pip": True, "usable": True})
        program(tmp_path / f"versions/{version}.9/bin/python{version}", f"echo '{answer}'")
    program(tmp_path / "shims/python3.14", "exit 127")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    monkeypatch.setattr(sys, "executable", "/no/python")
    assert [base["version"] for base in environments.found_pythons()] == ["3.13", "3.12", "3.11"]


def test_without_a_python_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/no/python")
    with pytest.raises(SetupError, match=r"3\.11 or newer"):
        environments.found_pythons()


@posix_only
class TestEnvironment:
    def test_installed_packages_are_not_installed_again(self, tmp_path: Path) -> None:
        environment_in(tmp_path).install("app")
        assert not (tmp_path / "started").exists()

    def test_changed_lock_file_is_installed_with_hashes(self, tmp_path: Path) -> None:
        environment = environment_in(tmp_path)
        environment.install("test")
        started = (tmp_path / "started").read_text()
        assert "--require-hashes" in started
        assert str(LOCKS / "test.txt") in started
        for name in ("app", "test"):
            assert environment.state["locks"][name] == environments.digest(LOCKS / f"{name}.txt")

    def test_failed_install_is_not_taken_for_done(self, tmp_path: Path) -> None:
        environment = environment_in(tmp_path)
        program(Path(environment.python), "exit 3")
        with pytest.raises(subprocess.CalledProcessError):
            environment.install("test")
        assert "test" not in environment.state["locks"]

    def test_moved_clone_or_lost_python_makes_it_anew(self, tmp_path: Path) -> None:
        environment = environment_in(tmp_path / "old")
        (tmp_path / "old").rename(tmp_path / "new")
        assert Environment(tmp_path / "new").state == {}
        (tmp_path / "new").rename(tmp_path / "old")
        assert environment.version == "3.13"
        Path(environment.python).unlink()
        assert environment.state == {}

    def test_start_when_ready_starts_nothing_but_the_app(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        environment_in(tmp_path / ".venv")
        monkeypatch.setattr(environments, "CLONE", tmp_path)
        begun: list[list[str]] = []

        def become(environment: Environment, arguments: list[str]) -> int:
            begun.append([environment.python, *arguments])
            return 0

        monkeypatch.setattr(dev, "become", become)
        assert dev.main(["run", "--background"]) == 0
        assert begun == [[str(tmp_path / ".venv/bin/python"), "-m", "toolnote_desktop", "gui", "--background"]]
        assert not (tmp_path / ".venv" / "started").exists()


@pytest.mark.parametrize("command", ["setup", "lint", "build", "packages", "lock", "bench", "look"])
def test_help_of_a_command_describes_it_and_runs_nothing(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ready", "ready_to_build", "become"):
        monkeypatch.delattr(dev, name)
    monkeypatch.delattr(environments, "lock")
    assert dev.main([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"{command}: ")


@posix_only
class TestNoDisplay:
    @pytest.fixture
    def clone(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A clone whose app only says how it was started; the question about servers is put to a real Python."""
        environment = environment_in(tmp_path / ".venv")
        body = f'case "$1" in -c) PYTHONPATH={CLONE} exec {sys.executable} "$@";; esac; echo "started: $*"'
        program(Path(environment.python), body)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            monkeypatch.delenv(name, raising=False)
        for name in SCRIPTS:
            (tmp_path / "packaging").mkdir(exist_ok=True)
            (tmp_path / "packaging" / name).write_bytes((CLONE / "packaging" / name).read_bytes())
        (tmp_path / "packaging" / "locks").mkdir()
        (tmp_path / "packaging" / "locks" / "app.txt").write_bytes((LOCKS / "app.txt").read_bytes())
        return tmp_path

    def run(self, clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(clone / "packaging" / "dev.py"), "run", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can be without a display")
    def test_serves_the_demo_and_says_so_in_one_line(self, clone: Path) -> None:
        done = self.run(clone, "--background")
        assert done.stdout == "started: -m toolnote_desktop serve --demo\n"
        assert done.stderr.count("\n") == 1
        assert "no display" in done.stderr

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can be without a display")
    def test_serves_what_is_there(self, clone: Path, tmp_path: Path) -> None:
        (tmp_path / "servers.json").write_text('{"mcpServers": {"time": {"command": "x"}}}')
        done = self.run(clone, "--home", str(tmp_path))
        assert done.stdout == f"started: -m toolnote_desktop serve --home {tmp_path}\n"


class TestLockFiles:
    @pytest.mark.parametrize("path", LOCK_FILES, ids=lambda path: path.stem)
    def test_hold_versions_and_hashes_and_no_address(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"://|^-", text, re.MULTILINE)
        entries = re.split(r"\n(?=\S)", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
        assert entries
        for entry in entries:
            assert re.match(r"[\w.-]+==\S+", entry), entry
            assert "--hash=sha256:" in entry

    @pytest.mark.parametrize("name", ["test", "build"])
    def test_hold_the_app_as_it_is_locked(self, name: str) -> None:
        app, whole = (set((LOCKS / f"{one}.txt").read_text().splitlines()) for one in ("app", name))
        assert {line for line in app if "==" in line and not line.startswith("#")} <= whole

    def test_fit_what_the_project_asks_for(self) -> None:
        locked: dict[str, list[str]] = {}
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", (LOCKS / "app.txt").read_text(), re.MULTILINE):
            locked.setdefault(name.lower(), []).append(version)
        project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for text in project["dependencies"]:
            requirement = Requirement(text)
            versions = locked.get(requirement.name.lower(), [])
            assert any(requirement.specifier.contains(version) for version in versions), text

    def test_node_tools_have_hashes_and_no_address(self) -> None:
        lock = json.loads((NODE / "package-lock.json").read_text(encoding="utf-8"))
        packages = {name: package for name, package in lock["packages"].items() if name}
        assert all("resolved" not in package for package in packages.values())
        assert all("integrity" in package for package in packages.values() if not package.get("inBundle"))
        wanted = json.loads((NODE / "package.json").read_text(encoding="utf-8"))["dependencies"]
        for name, version in wanted.items():
            exact = version.rpartition("@")[2]  # of "npm:PACKAGE@VERSION", where it goes by another name
            assert packages[f"node_modules/{name}"]["version"] == exact


class TestSystemPackages:
    def test_program_that_is_there_needs_no_package(self) -> None:
        assert system_packages.missing_programs(["git"]) == []

    @posix_only
    def test_user_without_root_is_told_the_command(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        program(tmp_path / "apt-get", "exit 9")
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(system_packages, "is_root", lambda: False)
        with pytest.raises(SetupError, match="sudo apt-get install --no-install-recommends xvfb git"):
            system_packages.install(["xvfb", "git"])

    @posix_only
    def test_root_installs_in_one_step(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        program(tmp_path / "apt-get", f'echo "$@" >> {tmp_path}/calls')
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(system_packages, "is_root", lambda: True)
        system_packages.install(["xvfb", "git"])
        assert (tmp_path / "calls").read_text().splitlines() == [
            "-qq update",
            "-qq install -y --no-install-recommends xvfb git",
        ]

    @posix_only
    def test_pythons_own_library_is_fetched_where_the_system_left_it_out(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        python = str(program(tmp_path / "python", f"test -e {tmp_path}/library"))
        program(tmp_path / "apt-get", f'case "$*" in *libpython3.11) : > {tmp_path}/library;; esac')
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(system_packages, "is_root", lambda: True)
        with pytest.raises(SetupError, match="no frozen build"):
            system_packages.make_python_linkable(python, "3.99")
        system_packages.make_python_linkable(python, "3.11")
        assert (tmp_path / "library").exists()

    def test_qt_works_here(self) -> None:
        assert system_packages.qt_problem(sys.executable) == ""


def python_part(name: str, code: str, **variables: str) -> dev.Part:
    return dev.Part(name, [sys.executable, "-c", code], variables)


class TestParts:
    def test_failed_part_fails_the_run_and_the_others_still_run(self, capfd: pytest.CaptureFixture[str]) -> None:
        parts = [
            python_part("first", "raise SystemExit(5)"),
            python_part("second", "import os; print(os.environ['GIVEN'])", GIVEN="it ran"),
        ]
        assert dev.run_parts(parts) == 1
        output = capfd.readouterr().out
        assert "it ran" in output
        assert re.search(r"FAILED \(5\): first, \d+ s\nok: second, \d+ s\n$", output)
        assert dev.run_parts(parts[1:]) == 0

    def test_status_3_of_a_part_is_a_failure(self) -> None:
        assert dev.run_parts([python_part("pytest's internal error", "raise SystemExit(3)")]) == 1

    @posix_only
    def test_part_without_time_is_incomplete_and_stopped(
        self, capfd: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        child_started = tmp_path / "child"
        long = (
            "import pathlib, subprocess, sys\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
            f"pathlib.Path({str(child_started)!r}).write_text(str(child.pid))\n"
            "child.wait()"
        )
        parts = [python_part("long", long), python_part("late", "print('late ran')")]
        assert dev.run_parts(parts, time.monotonic() + 2) == dev.INCOMPLETE == 3
        output = capfd.readouterr().out
        assert "INCOMPLETE, out of time: long" in output
        assert "INCOMPLETE, out of time: late" in output
        assert "late ran" not in output
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(int(child_started.read_text())).wait(timeout=20)

    @posix_only
    @pytest.mark.parametrize("handler", ["SIG_DFL", "SIG_IGN"])  # of SIGINT: a shell's `&` ignores it
    def test_part_ends_with_the_run_that_is_terminated(self, tmp_path: Path, handler: str) -> None:
        child_started = tmp_path / "child"
        part = (
            "import os, pathlib, signal\n"
            f"pathlib.Path({str(child_started)!r}).write_text(str(os.getpid()))\n"
            "signal.pause()"
        )
        code = (
            f"import signal; signal.signal(signal.SIGINT, signal.{handler})\n"
            f"import sys; sys.path.insert(0, {str(CLONE / 'packaging')!r})\n"
            f"import dev; dev.run_parts([dev.Part('long', [sys.executable, '-c', {part!r}], {{}})])"
        )
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL) as process:
            child = int(wait_until(lambda: child_started.exists() and child_started.read_text()))
            process.terminate()
            assert process.wait(30) == 128 + signal.SIGTERM
        assert is_gone(child)

    def test_incomplete_run_with_a_failure_fails(self) -> None:
        parts = [python_part("fails", "raise SystemExit(1)"), python_part("long", "import time; time.sleep(60)")]
        assert dev.run_parts(parts, time.monotonic() + 2) == 1


@pytest.mark.parametrize("part", sorted({*dev.NOT_QUICK, *dev.ON_OLDEST, *SLOWEST}))
def test_parts_of_the_tests_that_are_named_exist(part: str) -> None:
    assert (CLONE / "tests" / part).exists()


class TestQuick:
    def test_says_what_it_leaves_out(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        begun: list[dev.Part] = []

        def run_parts(parts: list[dev.Part]) -> int:
            begun.extend(parts)
            return 0

        monkeypatch.setattr(dev, "run_parts", run_parts)
        assert dev.quick(Environment(Path("here")), {}) == 0
        tests = begun[-1].command
        said = capsys.readouterr().out
        for part in dev.NOT_QUICK:
            assert f"--ignore=tests/{part}" in tests
            assert part in said
        assert all(f"not {marker}" in tests[-1] and marker in said for marker in dev.NOT_QUICK_MARKERS)
