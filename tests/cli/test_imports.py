"""What each program imports: nothing that it does not need, so that it starts at once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.proxy.raw_client import RawClient
from toolnote_desktop.paths import Home

# The words given to the program; after its end it says which modules are loaded.
CHILD = """
import atexit, json, os, sys
def tell():
    with open(os.environ["LOADED"], "w") as file:
        json.dump(sorted(sys.modules), file)
atexit.register(tell)
sys.argv = ["toolnote", *sys.argv[1:]]
from toolnote_desktop.__main__ import main
sys.exit(main())
"""


def loaded(home: Home, monkeypatch: pytest.MonkeyPatch, *words: str, status: int = 0) -> set[str]:
    file = home.root / "loaded.json"
    monkeypatch.setenv("LOADED", str(file))
    done = subprocess.run([sys.executable, "-c", CHILD, *words], capture_output=True, timeout=60, check=False)
    assert done.returncode == status, done.stderr
    return set(json.loads(file.read_text(encoding="utf-8")))


HEAVY = ("PySide6", "mcp", "uvicorn", "starlette", "httpx2")


def test_the_bridge_imports_itself_and_paths(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = loaded(home, monkeypatch, "bridge", "--toolset", "../no", status=2)
    assert not {name for name in modules if name.startswith("toolnote_desktop")} - {
        "toolnote_desktop",
        "toolnote_desktop.__main__",
        "toolnote_desktop.cli",
        "toolnote_desktop.cli.early_arguments",
    }
    assert not modules & {*HEAVY, "pydantic", "argparse", "logging", "asyncio"}


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("servers", "add", "--help")])
def test_help_imports_no_models(home: Home, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    assert not loaded(home, monkeypatch, *words) & {*HEAVY, "pydantic", "logging"}


@pytest.mark.parametrize(
    "words",
    [
        ("toolset", "list"),
        ("servers", "list"),
        ("servers", "add", "x", "--command", "y"),
        ("note", "list", "--everywhere"),
        ("tools", "--json"),
        ("clients", "list"),
    ],
)
def test_commands_import_no_qt_and_no_mcp(home: Home, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    assert not loaded(home, monkeypatch, *words) & set(HEAVY)


RARE = (
    "toolnote_desktop.guidance.search",
    "toolnote_desktop.guidance.languages",
    "toolnote_desktop.publishing.publisher",
    "toolnote_desktop.store.activity_queries",
    "pydantic.plugin._loader",
)
"""What only searches, guides to a task, publications and Toolnote's own tools need: 3 MB."""


@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
def test_serving_imports_what_is_rare_when_it_is_needed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red for each: all were imported, or built, with the start."""
    file = home.root / "loaded.json"
    monkeypatch.setenv("LOADED", str(file))

    def loaded_by(*inputs: str) -> set[str]:
        words = ["serve", "--home", str(home.root), "--port", "0", "--demo"]
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        )
        with process:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            client = RawClient(ready["url"], ready["token"])
            client.initialize()
            assert client.tools()
            for one in inputs:
                assert "issue" in str(client.call("get-tool-guide", {"input": one}).result)
            process.terminate()
        return set(json.loads(file.read_text(encoding="utf-8")))

    assert not loaded_by() & set(RARE)
    assert set(RARE[:2]) <= loaded_by("create an issue")
