"""The story that Toolnote is for, from the first start to an assistant that reads a note, and a second start after it.

The real app, the real bridge, a real server from PyPI and the SDK's own client. What a person does is done to the
window by the words on it; what an assistant does, by the command that was written into its settings.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp import types as mcp_types

from tests.product import office
from tests.product.person import Person, person_at
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.paths import Home

CLAUDE_FILE = b'{\n\t"globalShortcut": "Ctrl+Space",\n\t"mcpServers": {}\n}\n'
NOTE = "Always say which branch you are on."
TOOLS = office.tool_count() + 12
RELEASE_TOOLS = ("create_release", "list_pull_request", "get_review", "list_milestone", "create_pull_request")
ISSUE_NOTES = (
    ("Add a note", "Ask which team first. Ours are Engineering, Design and Product; never guess from the text."),
    (
        "Add a note",
        "Label bugs and wishes: a bug report gets bug, a wish gets enhancement. Nothing else unasked.",
    ),
    ("Add a note that begins with Never…", "set priority 1, unless I say asap or today."),
)
MORE = " Then list what has changed."
PATIENCE = 60

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("git") is None, reason="the server from PyPI needs git"),
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository on a branch with a name of its own."""
    folder = tmp_path / "work"
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.invalid", "-C", str(folder)]
    subprocess.run(["git", "init", "-q", "-b", "harvest", str(folder)], check=True)
    (folder / "plan.txt").write_text("sow, wait, reap\n", encoding="utf-8")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "A plan"], check=True)
    return folder


@pytest.fixture
def claude_file(user_folder: Path) -> Path:
    """Claude Desktop is installed here, with settings of its own."""
    file = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(CLAUDE_FILE)
    return file


@pytest.fixture
def cursor_file() -> None:
    """Cursor has eight servers that Toolnote can take over."""
    file = current_environment().home / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"mcpServers": office.entries()}), encoding="utf-8")


class Assistant:
    """Claude Desktop, as far as a server can tell."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.told = asyncio.Event()

    async def reads(self, tool: str) -> str:
        """The description of a tool."""
        tools = {one.name: one for one in (await self._client.list_tools()).tools}
        return tools[tool].description or ""

    async def calls(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        """Whether it was an error, and the answer."""
        result = await self._client.call_tool(tool, arguments)
        content = result.content[0]
        assert isinstance(content, mcp_types.TextContent)
        return bool(result.is_error), content.text


def written_command(claude_file: Path) -> StdioServerParameters:
    """What Toolnote wrote into Claude's settings."""
    entry = json.loads(claude_file.read_bytes())["mcpServers"]["toolnote"]
    return StdioServerParameters(command=entry["command"], args=entry["args"], env=dict(os.environ))


@asynccontextmanager
async def assistant(claude_file: Path) -> AsyncIterator[Assistant]:
    """Claude Desktop starts the command in its settings."""
    told: asyncio.Event | None = None

    async def hear(message: Any) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification) and told is not None:
            told.set()

    async with Client(written_command(claude_file), mode="legacy", message_handler=hear) as client:
        one = Assistant(client)
        told = one.told
        yield one


def add_git(person: Person, repository: Path) -> None:
    """Add the server from PyPI by its command, and wait for its tools."""
    person.sees("Welcome to Toolnote")
    person.takes_a_picture("first-run")
    person.presses("Add tools by hand…")
    command = [sys.executable, "-m", "mcp_server_git", "--repository", str(repository)]
    person.writes(
        subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command),
        "A command, a web address, or a piece of settings",
    )
    person.sees("Put its tools into “My tools”")
    person.takes_a_picture("add-tools")
    person.presses("Add")
    person.sees("ready, 12 tools")
    person.takes_a_picture("added")
    person.presses("Done")


def import_from_cursor(person: Person) -> None:
    """Take over what Cursor has."""
    person.presses("Add tools")
    person.presses("From other programs…")
    person.sees("From Cursor")
    person.takes_a_picture("import")
    person.presses(f"Add {len(office.entries())}")
    person.chooses("My tools")
    person.sees(f"{TOOLS} tools")
    person.sees_no_more("starting")


def use_a_toolset(person: Person, home: Home) -> None:
    """Another toolset, which comes from elsewhere, is used, and My tools again."""
    tools = [*(f"git.git_{name}" for name in ("log", "status", "diff")), *(f"GitHub.{name}" for name in RELEASE_TOOLS)]
    content = {"name": "release", "title": "Release day", "tools": [{"namespacedName": name} for name in tools]}
    home.toolset("release").write_text(json.dumps(content), encoding="utf-8")
    person.chooses("Release day")
    person.presses("Use this toolset")
    person.sees("default toolset")
    person.takes_a_picture("toolset-in-use")
    person.chooses("My tools")
    person.presses("Use this toolset")
    person.sees("default toolset")


def change_settings(home: Home, **values: object) -> None:
    """Preferences changed in their file, which the app notices."""
    before = json.loads(home.settings.read_bytes()) if home.settings.exists() else {}
    home.settings.parent.mkdir(parents=True, exist_ok=True)
    home.settings.write_text(json.dumps({**before, **values}), encoding="utf-8")


def connect_claude(person: Person, claude_file: Path) -> None:
    """Connect, undo to the byte, and connect again."""
    person.presses("Connect an assistant")
    person.chooses("Claude Desktop")
    person.sees('"bridge",', "What changes in the file")
    person.takes_a_picture("connect")
    assert claude_file.read_bytes() == CLAUDE_FILE
    person.presses("Connect")
    person.sees("Claude Desktop is connected.")
    assert b"toolnote" in claude_file.read_bytes()
    person.presses("Undo")
    person.sees("This is added to Claude Desktop’s settings.")
    assert claude_file.read_bytes() == CLAUDE_FILE
    person.presses("Connect")
    person.sees("Quit Claude Desktop completely")
    person.takes_a_picture("connected")
    person.presses("Done")


def write_notes(person: Person) -> str:
    """Write notes on two tools of My tools; what the third pane then says of the second."""
    person.chooses("Create issue", below="Linear")
    for starter, text in ISSUE_NOTES:
        person.presses(starter)
        person.writes(text)
        person.sees(text, "What the assistant reads")
    person.chooses("Git status", below="My tools")
    person.presses("Add a note")
    person.writes(NOTE)
    seen = person.sees(f": {NOTE}", "What the assistant reads")
    person.takes_a_picture("note")
    return seen


def look_around(person: Person, home: Home) -> None:
    """The window while an assistant is connected: README's pictures."""
    person.chooses("My tools")
    person.hits("Left")  # its 300 tools are in the way
    person.chooses("Release day")
    person.sees("Click an assistant to always give it this toolset")
    person.presses("Claude Desktop uses Release day")
    person.takes_a_picture("toolset")
    person.presses("Claude Desktop uses Release day")
    person.chooses("Create issue", below="Linear")
    person.sees(ISSUE_NOTES[-1][1], "What the assistant reads")
    person.takes_a_picture("notes")
    person.picks("Claude Code", "As whom to look at it")
    person.presses("Exact data")
    person.takes_a_picture("seen-by")
    person.presses("With your notes")
    person.picks("Any assistant", "As whom to look at it")
    change_settings(home, theme="dark")
    person.has_it_dark()
    person.takes_a_picture("notes-dark")
    change_settings(home, theme="light")
    person.chooses("Git status", below="My tools")


async def until_it_reads(one: Assistant, tool: str, text: str) -> str:
    """Listen for changes until the description has the text."""
    while text not in (description := await one.reads(tool)):
        await one.told.wait()
        one.told.clear()
    return description


async def tell(claude_file: Path, repository: Path, home: Home, person: Person, seen: str) -> None:
    """An assistant reads the note and calls the tool, hears of another text, and goes on when the window is closed."""
    async with assistant(claude_file) as claude:
        read = await until_it_reads(claude, "git_git_status", NOTE)
        assert "### Additional Tool Notes" in read
        assert _plain(read) == _plain(seen)
        is_error, answer = await claude.calls("git_git_status", {"repo_path": str(repository)})
        assert not is_error
        assert "On branch harvest" in answer
        await asyncio.to_thread(person.sees, "Claude Desktop connected")
        await asyncio.to_thread(look_around, person, home)
        await asyncio.to_thread(write_more, person)
        read = await until_it_reads(claude, "git_git_status", MORE)
        assert f": {NOTE}{MORE}" in read
        await asyncio.to_thread(close_and_minimise, person)
        is_error, _ = await claude.calls("git_git_status", {"repo_path": str(repository)})
        assert not is_error


def write_more(person: Person) -> None:
    person.writes("", "Text of the note always-say-which-branch")
    person.hits("End")
    person.writes(MORE)


def close_and_minimise(person: Person) -> None:
    """There is no tray here: closing asks, once."""
    person.closes_the_window()
    person.sees("This desktop has no tray")
    person.takes_a_picture("closing")
    person.presses("Minimise")
    person.has_it_minimised()


async def read_again(claude_file: Path) -> str:
    async with assistant(claude_file) as claude:
        return await until_it_reads(claude, "git_git_status", MORE)


def play(repository: Path, claude_file: Path, home: Home, pictures: str, **variables: str) -> None:
    """The whole story."""
    change_settings(home, port=0)  # a machine may have another Toolnote
    with person_at(pictures=pictures, **variables) as person:
        add_git(person, repository)
        import_from_cursor(person)
        use_a_toolset(person, home)
        connect_claude(person, claude_file)
        seen = write_notes(person)
        asyncio.run(asyncio.wait_for(tell(claude_file, repository, home, person, seen), PATIENCE))
        assert toolnote_quit(variables) == 0
        assert person.waits_for_the_end() == 0
    assert not home.endpoint.exists()
    with person_at(pictures=f"{pictures}-again", **variables) as person:
        person.chooses("Git status", below="My tools")
        person.sees(f": {NOTE}{MORE}", "What the assistant reads")
        person.sees_no_more("Welcome to Toolnote")
        person.sees("Toolnote is on")  # it answers
        person.takes_a_picture("started-again")
        assert NOTE + MORE in asyncio.run(asyncio.wait_for(read_again(claude_file), PATIENCE))
        if sys.platform == "win32":
            assert toolnote_quit(variables) == 0
        else:
            person.process.send_signal(signal.SIGTERM)
        assert person.waits_for_the_end() == 0


def toolnote_quit(variables: dict[str, str]) -> int:
    command = [sys.executable, "-m", "toolnote_desktop", "gui", "--quit"]
    return subprocess.run(command, env={**os.environ, **variables}, timeout=PATIENCE, check=False).returncode


def test_the_story(repository: Path, claude_file: Path, cursor_file: None, home: Home) -> None:
    play(repository, claude_file, home, "offscreen")


def _plain(text: str) -> str:
    """The words alone: the third pane shows bold type for what the text marks with stars."""
    return " ".join(text.replace("*", "").split())
