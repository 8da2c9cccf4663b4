#!/usr/bin/env python3
"""Run, test and build this clone. Needs only a Python and, the first time, a network.

    python3 packaging/dev.py run  [ARG …]    open the app; without a display, serve without a window
    python3 packaging/dev.py test            all checks and all tests; status 3: incomplete, time ran out
    python3 packaging/dev.py test --quick    the checks and the tests to run between edits, on one Python
    python3 packaging/dev.py test ARG …      the tests that pytest selects by these arguments
    python3 packaging/dev.py lint            the checks of the code without the tests
    python3 packaging/dev.py cases [ARG …]   the tests of reported faults; writes test-artifacts/cases.md
    python3 packaging/dev.py conformance     servers directly and through Toolnote; writes test-artifacts/conformance.md
    python3 packaging/dev.py twin [--sessions N] [--seed N]  random sessions directly and through Toolnote, compared
    python3 packaging/dev.py soak [--size N] weeks of use in some minutes; writes test-artifacts/soak.md
    python3 packaging/dev.py attack [--quick] what attacks cost others; writes test-artifacts/attacks.md
    python3 packaging/dev.py measure [NAME …] figures of search, guide, scanner; writes test-artifacts/measurements.md
    python3 packaging/dev.py assistants [NAME …]  real assistants, scripted model; writes test-artifacts/assistants.md
    python3 packaging/dev.py look [PAGE …]   each page of the window beside its drawing; writes test-artifacts/look
    python3 packaging/dev.py bench [--record] [--long]     measure speed; writes test-artifacts/benchmarks.md
    python3 packaging/dev.py bench --frozen dist/toolnote  measure how fast a frozen build starts
    python3 packaging/dev.py toolnote ARG …  the console program, from this clone
    python3 packaging/dev.py build [FOLDER]  the app as a folder that needs no Python (default: dist)
    python3 packaging/dev.py packages [FOLDER]  a build and the installable packages of it: .deb, .rpm, .tar.gz
    python3 packaging/dev.py setup           install what run and test need
    python3 packaging/dev.py lock            newest versions of all dependencies into packaging/locks and packaging/node

`run`, `test` and `build` set up what they need from the lock files: virtual environments in the clone, Qt's system
libraries with apt-get for root on Debian or Ubuntu. Once set up, they start at once.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 8):  # noqa: UP036 - this file may be started by any Python, the app may not
    sys.exit("packaging/dev.py needs Python 3.8 or newer to start, and finds one of 3.11 or newer for the app itself.")

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import NamedTuple

import environments
import system_packages
from console import SetupError
from environments import CLONE, Environment

# Programs that check the Linux packages, or that the clean Debian is made with.
PACKAGE_CHECKS = ["appstreamcli", "debootstrap", "desktop-file-validate", "lintian", "openbox", "rpm"]

# Minutes for all of `test`, setup included; CI ends a run after 90. A part that has no time left is incomplete.
MINUTES = 80

# Parts of tests/ that `test --quick` leaves out: those that start whole programs, or take minutes.
NOT_QUICK = (
    "attacks",
    "benchmarks",
    "bridge/test_messages.py",
    "bridge/test_restarts.py",
    "bridge/test_sdk.py",
    "bridge/test_serve.py",
    "bridge/test_start.py",
    "cases",
    "conformance",
    "desktop/shell",
    "desktop/window/test_pictures.py",
    "endurance",
    "fuzz",
    "packaging",
    "product",
    "proxy/fidelity/test_sdk_servers.py",
    "security",
    "store/test_two_processes.py",
)
NOT_QUICK_MARKERS = ("frozen", "node", "once", "xvfb")

# Parts of tests/ that the oldest Python runs as well: those that meet another standard library or another package
# there. The rest is code of ours on top of these, starts programs that the same tests start, or looks at packages and
# speed: it says the same on each Python. An import of each module shows that its syntax and types are the oldest's too.
ON_OLDEST = (
    # asyncio, ssl, sockets, subprocess, threads
    "bridge/test_messages.py",
    "bridge/test_restarts.py",
    "proxy/aio",
    "proxy/endpoint",
    "proxy/fidelity/test_pass_through.py",
    "proxy/oauth",
    "proxy/transports",
    "proxy/upstream",
    "public_registry",
    "store",
    "system",
    "updates",
    # argparse, json, tomllib, re, unicodedata; classes of pydantic and msgspec, made of annotations
    "assistants/formats",
    "cli",
    "model",
    "proxy/tools",
    # PySide6 (pyproject.toml)
    "desktop/editing",
    "desktop/models",
    "desktop/shell/test_app.py",
    "desktop/sidebar",
    "desktop/theme",
    "desktop/tool_page/test_notes.py",
    "desktop/window/test_window.py",
    "test_imports.py",
    "test_paths.py",
)

# Commands whose programs explain their own arguments. Of the others `--help` shows the docstring, and runs nothing.
WITH_OWN_HELP = ("run", "test", "cases", "conformance", "twin", "soak", "attack", "measure", "assistants", "toolnote")

INCOMPLETE = 3
"""Exit status of a run that did not fail but had no time for all its parts."""


class Part(NamedTuple):
    """Part of a run: its name, its command, and variables in addition to the environment's own."""

    name: str
    command: list[str]
    variables: dict[str, str]


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    commands = {
        "run": run,
        "test": test,
        "setup": setup,
        "cases": cases,
        "conformance": conformance,
        "twin": twin,
        "soak": soak,
        "attack": attack,
        "measure": measure,
        "look": look,
        "assistants": assistants,
        "lint": lint,
        "toolnote": toolnote,
        "build": build,
        "packages": packages,
        "lock": lock,
        "bench": bench,
    }
    name = arguments[0] if arguments else "help"
    if name not in commands:
        print(__doc__, file=sys.stdout if name in {"help", "-h", "--help"} else sys.stderr)
        return 0 if name in {"help", "-h", "--help"} else 2
    if name not in WITH_OWN_HELP and not {"-h", "--help"}.isdisjoint(arguments):
        print(f"{name}: {commands[name].__doc__}")
        return 0
    try:
        return commands[name](arguments[1:])
    except SetupError as problem:
        print(f"dev.py: {problem}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(f"dev.py: this failed with status {failed.returncode}: {' '.join(failed.cmd)}", file=sys.stderr)
        return 1


def run(arguments: list[str]) -> int:
    """Open the app, or serve where there is no display to open it on."""
    environment = ready("app")
    if has_display():
        return become(environment, ["-m", "toolnote_desktop", "gui", *arguments])
    arguments = [argument for argument in arguments if argument != "--background"]
    if "--demo" not in arguments and not has_servers(environment, arguments):
        arguments.append("--demo")
    shown = " ".join(["serve", *arguments])
    print(f"dev.py: no display here (DISPLAY, WAYLAND_DISPLAY): no window, `toolnote {shown}` instead", file=sys.stderr)
    return become(environment, ["-m", "toolnote_desktop", "serve", *arguments])


def toolnote(arguments: list[str]) -> int:
    """Run the console program."""
    return become(ready("app"), ["-m", "toolnote_desktop", *arguments])


def setup(arguments: list[str]) -> int:
    """Set up both environments, the Node tools and the system's packages."""
    environment = ready("test")
    environments.node_tools(environment)
    for other in environments.others(environment):
        other.install("test")
    return 0


def conformance(arguments: list[str]) -> int:
    """Run the conformance suites and our own checks; fail where something is worse through Toolnote."""
    return test(["tests/conformance", *arguments])


def twin(arguments: list[str]) -> int:
    """Run 200 random sessions of 30 messages directly and through Toolnote; return 1 if something differs."""
    return become(ready("test"), ["-m", "tests.conformance.twin", *arguments])


def soak(arguments: list[str]) -> int:
    """Run the soak test; return 1 if memory or another resource was not given back."""
    return become(ready("test"), ["tests/endurance/soak.py", *arguments])


def look(arguments: list[str]) -> int:
    """Draw the window's pages, or those named, in all variants; return 1 if one cannot be drawn."""
    return become(ready("test"), ["-m", "tests.desktop.look", *arguments])


def attack(arguments: list[str]) -> int:
    """Measure attacks; return 1 if another client waited, memory was kept or the window stood still too long."""
    return become(ready("test"), ["-m", "tests.attacks", *arguments])


def measure(arguments: list[str]) -> int:
    """Measure search and its speed, guide and scanner; figures below their goals are printed."""
    return become(ready("test"), ["-m", "tests.measurements", *arguments])


def assistants(arguments: list[str]) -> int:
    """Run real assistants against Toolnote with a scripted model behind them; return 1 if one did not get its tools."""
    environment = ready("test")
    environments.assistants(environment)
    return become(environment, ["-m", "tests.assistants_lab", *arguments])


def lint(arguments: list[str]) -> int:
    """Run the checks that read the code without running it."""
    return run_parts([checks(ready("test"))])


def test(arguments: list[str]) -> int:
    """Run all checks and all tests; with ``--quick`` those for between edits, with other arguments pytest alone.

    A part that had no time left within ``MINUTES`` makes the run incomplete (status 3): nothing is skipped for time.
    """
    deadline = time.monotonic() + MINUTES * 60
    environment = ready("test")
    variables = {"TOOLNOTE_NODE_TOOLS": str(environments.node_tools(environment)), "PYTHONUTF8": "1"}
    if arguments == ["--quick"]:
        return quick(environment, variables)
    if not arguments or any("frozen" in argument for argument in arguments):
        variables["TOOLNOTE_BUILD_PYTHON"] = ready_to_build().python
        system_packages.install(system_packages.missing_programs(PACKAGE_CHECKS))
    if arguments:
        command = [environment.python, "-m", "pytest", *arguments]
        return subprocess.call(command, cwd=CLONE, env={**os.environ, **variables})
    parts = [checks(environment), pytest(environment, variables, [])]
    for other in environments.others(environment):
        other.install("test")
        chosen = ["-m", "not frozen and not once", *(f"tests/{part}" for part in ON_OLDEST)]
        parts.append(pytest(other, variables, chosen))
    return run_parts(parts, deadline)


def quick(environment: Environment, variables: dict[str, str]) -> int:
    """Run the checks and the tests that a developer runs between edits, and print what that leaves out."""
    without = [f"--ignore=tests/{part}" for part in NOT_QUICK]
    markers = ["-m", " and ".join(f"not {marker}" for marker in NOT_QUICK_MARKERS)]
    status = run_parts([checks(environment), pytest(environment, variables, [*without, *markers])])
    left_out, marked = ", ".join(NOT_QUICK), ", ".join(NOT_QUICK_MARKERS)
    print(f"Left out of tests/: {left_out}; tests marked {marked}; other Pythons. `dev.py test` runs all.", flush=True)
    return status


def cases(arguments: list[str]) -> int:
    """Run the tests of faults that were reported of other programs; fail while one is not shown to be absent."""
    return test(["-m", "case", *(arguments or ["-n", "2", "--dist", "loadfile"])])


def bench(arguments: list[str]) -> int:
    """Measure speed beside what Python allows (docs/speed.md): [--record] [--long], or --frozen FOLDER of a build."""
    return become(ready("test"), ["-m", "tests.benchmarks", *arguments])


def build(arguments: list[str]) -> int:
    """Make a frozen build in [FOLDER] (default: dist), in an environment that holds only what belongs in it."""
    environment = ready_to_build()
    freeze = str(CLONE / "packaging" / "freeze.py")
    return subprocess.call([environment.python, freeze, *(arguments or ["dist"])], cwd=CLONE)


def packages(arguments: list[str]) -> int:
    """Make a frozen build and this system's packages of it in [FOLDER] (default: dist)."""
    environment = ready_to_build()
    folder = arguments[0] if arguments else "dist"
    for script in ("freeze.py", "packages.py"):
        status = subprocess.call([environment.python, str(CLONE / "packaging" / script), folder], cwd=CLONE)
        if status:
            return status
    return 0


def lock(arguments: list[str]) -> int:
    """Write the newest versions into the lock files, which alone decide what is installed."""
    environments.lock()
    return 0


def ready(lock_name: str) -> Environment:
    """Return the clone's main environment with what ``lock_name`` lists, on a system that Qt works on."""
    environment = environments.main()
    environment.install(lock_name)
    if not environment.noted("system", lock_name):
        programs = list(system_packages.FOR_TESTS) if lock_name == "test" else []
        system_packages.install(system_packages.missing_programs(programs))
        fonts = str(CLONE / "tests" / "fonts.conf") if lock_name == "test" else ""
        system_packages.make_qt_work(environment.python, fonts)
        environment.note("system", lock_name)
    return environment


def ready_to_build() -> Environment:
    """Return the environment that frozen builds are made in, on a system that PyInstaller works on."""
    environment = environments.for_builds()
    environment.install("build")
    if not environment.noted("system", "build"):
        system_packages.install(system_packages.missing_programs(["objdump", "strip", "patchelf"]))
        system_packages.make_python_linkable(environment.python, environment.version)
        environment.note("system", "build")
    return environment


def checks(environment: Environment) -> Part:
    """Return the part that reads the code without running it."""
    return Part("checks of the code", [environment.python, "packaging/checks.py"], {})


def pytest(environment: Environment, variables: dict[str, str], more: list[str]) -> Part:
    """Return the tests on one Python, in processes that take whole files in the order of ``tests/conftest.py``.

    Three processes on two cores: tests wait for processes and sockets nearly half of the time.
    """
    spread = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
    command = [environment.python, "-m", "pytest", *spread, "--durations=25", "--durations-min=5", *more]
    return Part(f"tests on Python {environment.version}", command, dict(variables))


def run_parts(parts: list[Part], deadline: float = float("inf")) -> int:
    """Run all parts, also after one that failed, and print a summary; a part is stopped at ``deadline``.

    Return 0 if all passed, 1 if one failed, else 3 if one was stopped or not begun.
    """
    # SIGINT: ignored in what a shell starts in the background, and then by the part that ``stop`` interrupts
    handlers = {signal.SIGTERM: lambda *_: sys.exit(128 + signal.SIGTERM), signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    lines, statuses = [], []
    for part in parts:
        print(f"\n=== {part.name}", flush=True)
        began = time.monotonic()
        status = run_part(part, deadline - began)
        statuses.append(status)
        outcome = {0: "ok", None: "INCOMPLETE, out of time"}.get(status, f"FAILED ({status})")
        lines.append(f"{outcome}: {part.name}, {time.monotonic() - began:.0f} s")
    for number, handler in before.items():
        signal.signal(number, handler)
    print("\n=== summary", *lines, sep="\n", flush=True)
    if any(statuses):
        return 1
    return INCOMPLETE if None in statuses else 0


def run_part(part: Part, seconds: float) -> int | None:
    """Run one part and return its status; None if it needed more than ``seconds``."""
    if seconds <= 0:
        return None
    own_group = os.name != "nt"  # so that servers of an interrupted test end with it
    environment = {**os.environ, **part.variables}
    process = None
    try:
        with signals_held_back():
            process = subprocess.Popen(part.command, cwd=CLONE, env=environment, start_new_session=own_group)
        return process.wait(None if seconds == float("inf") else seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process is not None and process.poll() is None:  # out of time, or interrupted at the keyboard
            stop(process)


@contextlib.contextmanager
def signals_held_back() -> Iterator[None]:
    """Deliver SIGINT and SIGTERM after the block: inside of ``Popen`` they would leave its process behind."""
    received: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, _frame: received.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for one in received:
        signal.raise_signal(one)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a part, so that pytest prints its report, then kill it with all it started."""
    if sys.platform == "win32":
        process.kill()
        return
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(60)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def has_display() -> bool:
    """Return True if a window can be opened, or a Qt platform is named in the environment."""
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(variable) for variable in variables)


def has_servers(environment: Environment, arguments: list[str]) -> bool:
    """Return True if the home folder that these arguments name has a server configured."""
    flag = arguments[arguments.index("--home") + 1 :][:1] if "--home" in arguments else []
    question = (
        "import json, sys; from toolnote_desktop.paths import home_folder\n"
        "path = home_folder(*sys.argv[1:]).servers\n"
        "sys.exit(not (path.exists() and json.loads(path.read_text('utf-8')).get('mcpServers')))"
    )
    return subprocess.call([environment.python, "-c", question, *flag], stderr=subprocess.DEVNULL) == 0


def become(environment: Environment, arguments: list[str]) -> int:
    """Replace this process with the environment's Python, so that signals and the status are its own."""
    command = [environment.python, *arguments]
    if os.name != "nt":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)
    return subprocess.call(command)  # Windows has no exec that keeps the console's process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
