#!/usr/bin/env python3
"""One command for everything that is done with a clone. Needs nothing but a Python and, the first time, a network.

    python3 packaging/dev.py run  [ARG …]    open the app; with no display, serve without a window
    python3 packaging/dev.py test [ARG …]    all checks and all tests; with pytest's arguments, those tests only
    python3 packaging/dev.py setup           what run and test need, and no more
    python3 packaging/dev.py cases [ARG …]   the tests of reported faults, and their table: test-artifacts/cases.md
    python3 packaging/dev.py soak [--size N] weeks of use in some minutes, what is left of it: test-artifacts/soak.md
    python3 packaging/dev.py lint            the checks of the code without the tests
    python3 packaging/dev.py toolnote ARG …  the console program, from this clone
    python3 packaging/dev.py build [FOLDER]  the app as a folder of its own that needs no Python (default: dist)
    python3 packaging/dev.py packages [FOLDER]  and of it what people install: on Linux a .deb, an .rpm, a .tar.gz
    python3 packaging/dev.py bench [--record] [--long]  speed, measured; to test-artifacts/benchmarks.md
    python3 packaging/dev.py bench --frozen dist/toolnote  how fast a frozen build starts, beside the app from source
    python3 packaging/dev.py lock            newest versions of all dependencies into packaging/locks and packaging/node

`run`, `test` and `build` set up what they need by the lock files: virtual environments in the clone, Qt's system
libraries with apt-get if this is root on Debian or Ubuntu. Already set up, they start at once.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 8):  # noqa: UP036 - this file may be started by any Python, the app may not
    sys.exit("packaging/dev.py needs Python 3.8 or newer to start, and finds one of 3.11 or newer for the app itself.")

import os
import subprocess
import time
from typing import NamedTuple

import environments
import system_packages
from environments import CLONE, Environment, SetupError

# What the packages for Linux are checked with, and installed into.
PACKAGE_CHECKS = ["appstreamcli", "debootstrap", "desktop-file-validate", "lintian", "openbox", "rpm"]

# After so long no further test is begun; the longest takes two more.
MINUTES = 27


class Part(NamedTuple):
    """One part of a run: what it is called, its command, and variables beside the environment's own."""

    name: str
    command: list[str]
    variables: dict[str, str]


def main(arguments: list[str]) -> int:
    """Runs one command; its exit status."""
    commands = {
        "run": run,
        "test": test,
        "setup": setup,
        "cases": cases,
        "soak": soak,
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
    try:
        return commands[name](arguments[1:])
    except SetupError as problem:
        print(f"dev.py: {problem}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(f"dev.py: this failed with status {failed.returncode}: {' '.join(failed.cmd)}", file=sys.stderr)
        return 1


def run(arguments: list[str]) -> int:
    """Opens the app, or serves where there is no display to open it on."""
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
    """The console program."""
    return become(ready("app"), ["-m", "toolnote_desktop", *arguments])


def setup(arguments: list[str]) -> int:
    """Both environments, the Node tools and the system's packages."""
    environment = ready("test")
    environments.node_tools(environment)
    for other in environments.others(environment):
        other.install("test")
    return 0


def soak(arguments: list[str]) -> int:
    """The soak test; its status is 1 if memory or anything else has not come back."""
    return become(ready("test"), ["tests/endurance/soak.py", *arguments])


def lint(arguments: list[str]) -> int:
    """The checks that look at the code without running it."""
    return in_turn(checks(ready("test")))


def test(arguments: list[str]) -> int:
    """All checks, then all tests on the newest Python that is here and on the oldest that is supported.

    All of it ends within half an hour: what there was no time for on a slow machine is skipped, and named as that.
    """
    until = time.time() + MINUTES * 60
    environment = ready("test")
    variables = {"TOOLNOTE_NODE_TOOLS": str(environments.node_tools(environment)), "PYTHONUTF8": "1"}
    if not arguments or any("frozen" in argument for argument in arguments):
        variables["TOOLNOTE_BUILD_PYTHON"] = ready_to_build().python
        system_packages.install(system_packages.missing_programs(PACKAGE_CHECKS))
    if arguments:
        command = [environment.python, "-m", "pytest", *arguments]
        return subprocess.call(command, cwd=CLONE, env={**os.environ, **variables})
    variables["TOOLNOTE_TEST_UNTIL"] = str(until)
    parts = [*checks(environment), pytest(environment, variables, [])]
    for other in environments.others(environment):
        other.install("test")
        parts.append(pytest(other, variables, ["-m", "not frozen and not once"]))
    return in_turn(parts)


def cases(arguments: list[str]) -> int:
    """The tests of faults that were reported of other programs; fails while one of these is not shown to be absent."""
    return test(["-m", "case", *(arguments or ["-n", "2", "--dist", "loadfile"])])


def bench(arguments: list[str]) -> int:
    """How fast it is beside what Python allows: docs/speed.md says what the figures mean."""
    return become(ready("test"), ["-m", "tests.benchmarks", *arguments])


def build(arguments: list[str]) -> int:
    """A frozen build, in an environment where nothing is that should not be in it."""
    environment = ready_to_build()
    freeze = str(CLONE / "packaging" / "freeze.py")
    return subprocess.call([environment.python, freeze, *(arguments or ["dist"])], cwd=CLONE)


def packages(arguments: list[str]) -> int:
    """What people install on this system, of a new build."""
    environment = ready_to_build()
    folder = arguments[0] if arguments else "dist"
    for script in ("freeze.py", "packages.py"):
        status = subprocess.call([environment.python, str(CLONE / "packaging" / script), folder], cwd=CLONE)
        if status:
            return status
    return 0


def lock(arguments: list[str]) -> int:
    """Newest versions into the lock files: they alone decide what is installed."""
    environments.lock()
    return 0


def ready(lock_name: str) -> Environment:
    """The clone's main environment with what ``lock_name`` lists, on a system that Qt works on."""
    environment = environments.main()
    environment.install(lock_name)
    if not environment.noted("system", lock_name):
        programs = list(system_packages.FOR_TESTS) if lock_name == "test" else []
        system_packages.install(system_packages.missing_programs(programs))
        system_packages.make_qt_work(environment.python)
        environment.note("system", lock_name)
    return environment


def ready_to_build() -> Environment:
    """The environment that frozen builds are made in, on a system that PyInstaller works on."""
    environment = environments.for_builds()
    environment.install("build")
    if not environment.noted("system", "build"):
        system_packages.install(system_packages.missing_programs(["objdump", "strip", "patchelf"]))
        system_packages.make_python_linkable(environment.python, environment.version)
        environment.note("system", "build")
    return environment


def checks(environment: Environment) -> list[Part]:
    """What looks at the code without running it."""
    commands = {
        "ruff": ["-m", "ruff", "check"],
        "mypy": ["-m", "mypy"],
        "import walls": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        "vulture": ["-m", "vulture"],
        "deptry": ["-m", "deptry", "."],
    }
    return [Part(name, [environment.python, *command], {}) for name, command in commands.items()]


def pytest(environment: Environment, variables: dict[str, str], more: list[str]) -> Part:
    """All tests on one Python, on two processes: what a module shares (a server, a window) stays in one of them.

    Their order is that of tests/packaging/conftest.py.
    """
    command = [environment.python, "-m", "pytest", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", *more]
    return Part(f"tests on Python {environment.version}", command, dict(variables))


def in_turn(parts: list[Part]) -> int:
    """Runs all parts, also after one that failed, and sums up; 0 if all passed."""
    lines, failed = [], 0
    for part in parts:
        print(f"\n=== {part.name}", flush=True)
        began = time.monotonic()
        status = subprocess.call(part.command, cwd=CLONE, env={**os.environ, **part.variables})
        failed += status != 0
        lines.append(f"{f'FAILED ({status})' if status else 'ok'}: {part.name}, {time.monotonic() - began:.0f} s")
    print("\n=== summary", *lines, sep="\n", flush=True)
    return 1 if failed else 0


def has_display() -> bool:
    """Whether a window can be opened, or a platform was asked for by name."""
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(variable) for variable in variables)


def has_servers(environment: Environment, arguments: list[str]) -> bool:
    """Whether the home folder that these arguments name has a server configured."""
    flag = arguments[arguments.index("--home") + 1 :][:1] if "--home" in arguments else []
    question = (
        "import json, sys; from toolnote_desktop.paths import home_folder\n"
        "path = home_folder(*sys.argv[1:]).servers\n"
        "sys.exit(not (path.exists() and json.loads(path.read_text('utf-8')).get('mcpServers')))"
    )
    return subprocess.call([environment.python, "-c", question, *flag], stderr=subprocess.DEVNULL) == 0


def become(environment: Environment, arguments: list[str]) -> int:
    """Ends as the environment's Python with these arguments, so that signals and the status are its own."""
    command = [environment.python, *arguments]
    if os.name != "nt":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)
    return subprocess.call(command)  # Windows has no exec that keeps the console's process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
