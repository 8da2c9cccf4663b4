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
from tests.waiting import wait_until
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.paths import Home

CLAUDE_FILE = b'{\n\t"globalShortcut": "Ctrl+Space",\n\t"mcpServers": {}\n}\n'
FIRST_RUN = "Tell your assistants how to use their tools"
NOTE = "Always say which branch you are on."
NOTE_NAME = "branch"
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
    person.sees(FIRST_RUN)
    person.sees("Has 8 of these tool sources")
    person.takes_a_picture("first-run")
    person.presses("Add tools manually…")
    command = [sys.executable, "-m", "mcp_server_git", "--repository", str(repository)]
    person.writes(
        subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command),
        "Command, address or settings",
    )
    person.sees("My tools", "Add its tools to")
    person.takes_a_picture("add-tools")
    person.presses("Add git")
    person.sees("git added")
    person.sees("12 tools")
    person.takes_a_picture("added")


def import_from_cursor(person: Person) -> None:
    """Take over what Cursor has."""
    person.adds_to("Tool sources")
    person.presses("From another app")
    person.sees("From Cursor")
    person.takes_a_picture("import")
    person.presses(f"Add {len(office.entries())}")
    for server in office.entries():
        count = len(office.tools(server))
        person.sees(f"{server}, {count}, Ready, {count} tools", "Sidebar")
    person.chooses("My tools")
    person.sees(f"{TOOLS} tools, about")


def use_a_toolset(person: Person, home: Home) -> None:
    """Another toolset, which comes from elsewhere, is used, and My tools again."""
    tools = [*(f"git.git_{name}" for name in ("log", "status", "diff")), *(f"GitHub.{name}" for name in RELEASE_TOOLS)]
    content = {"name": "release", "title": "Release day", "tools": [{"namespacedName": name} for name in tools]}
    home.toolset("release").write_text(json.dumps(content), encoding="utf-8")
    person.chooses("Release day")
    person.picks("Give to new assistants by default", "More")
    wait_until(lambda: default_toolset(home) == "release")
    person.takes_a_picture("toolset-in-use")
    person.chooses("My tools")
    person.picks("Give to new assistants by default", "More")
    wait_until(lambda: default_toolset(home) == "my-tools")


def default_toolset(home: Home) -> object:
    """The toolset that new assistants get, as its file says."""
    return json.loads(home.settings.read_bytes()).get("equippedToolset")


def change_settings(home: Home, **values: object) -> None:
    """Preferences changed in their file, which the app notices."""
    before = json.loads(home.settings.read_bytes()) if home.settings.exists() else {}
    home.settings.parent.mkdir(parents=True, exist_ok=True)
    home.settings.write_text(json.dumps({**before, **values}), encoding="utf-8")


def connect_claude(person: Person, claude_file: Path) -> None:
    """Connect, undo to the byte, connect, disconnect to the byte, and connect again."""
    person.chooses("Connect an assistant…")
    person.presses("Connect: Claude Desktop")
    person.presses("Show the change to its settings file")
    person.sees('"bridge",', "Change to its settings file")
    person.takes_a_picture("connect")
    assert claude_file.read_bytes() == CLAUDE_FILE
    connect(person, claude_file)
    person.presses("Undo")
    person.sees("Not connected yet")
    assert claude_file.read_bytes() == CLAUDE_FILE
    connect(person, claude_file)
    person.presses("Disconnect…")
    person.sees("Disconnect Claude Desktop?")
    person.presses("Disconnect")
    person.sees("Claude Desktop disconnected")
    person.sees("Not connected yet")
    assert claude_file.read_bytes() == CLAUDE_FILE
    connect(person, claude_file)
    person.takes_a_picture("connected")
    person.presses("Close this message")


def connect(person: Person, claude_file: Path) -> None:
    """Press Connect on Claude's page, see what is left to do there, and let it read the list of all 300 tools."""
    person.presses("Connect")
    person.sees("Claude Desktop connected")
    person.sees("Quit Claude Desktop completely")
    assert b"toolnote" in claude_file.read_bytes()
    person.picks("Whole list", "Finding tools")
    person.sees("All tools are in its list.")


def write_notes(person: Person) -> dict[str, str]:
    """Write notes on two tools; return their names and descriptions that the window then says Claude is served."""
    person.finds("Create issue")
    for starter, text in ISSUE_NOTES:
        person.presses(starter)
        person.writes(text)
        person.sees(text, "Text of the note")
        person.sees("Saved")
    issue = reads_exactly(person, *(text for _, text in ISSUE_NOTES))
    person.finds("Git status")
    person.presses("Add a note")
    person.writes(NOTE)
    status = reads_exactly(person, NOTE)
    person.sees(NOTE, f"Text of the note {NOTE_NAME}")
    person.sees("Additional Tool Notes")
    assert person.sees("", "From git, read-only") in status["git_git_status"]
    person.takes_a_picture("note")
    return {**issue, **status}


def reads_exactly(person: Person, *texts: str) -> dict[str, str]:
    """Return name and description that the tool page says Claude is served, once they have these texts."""
    person.presses("Exact data")
    person.sees("Exactly what Claude Desktop receives.")
    for text in texts:
        shown = person.sees(text, "Exact data")
    person.presses("Text")
    tool = json.loads(shown)
    assert all(text in tool["description"] for text in texts)
    return {tool["name"]: tool["description"]}


def look_around(person: Person, home: Home) -> None:
    """The window while an assistant is connected: README's pictures."""
    person.chooses("Release day")
    person.picks("Claude Desktop", "Give to an assistant…")
    person.sees("Claude Desktop, Running · Release day", "Sidebar")
    person.takes_a_picture("toolset")
    person.picks("Claude Desktop", "Give to another assistant…")
    person.sees("Claude Desktop, Running · My tools", "Sidebar")
    person.finds("Create issue")
    person.sees(ISSUE_NOTES[-1][1], "Text of the note")
    person.takes_a_picture("notes")
    person.presses("Exact data")
    person.picks("Any assistant · My tools", "Viewing as")
    person.sees("Exactly what Any assistant receives.")
    person.picks("Claude Desktop · My tools", "Viewing as")
    person.sees("Exactly what Claude Desktop receives.")
    person.sees(ISSUE_NOTES[-1][1], "Exact data")
    person.takes_a_picture("seen-by")
    person.presses("Text")
    change_settings(home, theme="dark")
    person.has_it_dark()
    person.takes_a_picture("notes-dark")
    change_settings(home, theme="light")
    person.finds("Git status")


async def until_it_reads(one: Assistant, tool: str, text: str) -> str:
    """Listen for changes until the description has the text."""
    while text not in (description := await one.reads(tool)):
        await one.told.wait()
        one.told.clear()
    return description


async def tell(claude_file: Path, repository: Path, home: Home, person: Person, seen: dict[str, str]) -> None:
    """An assistant reads the note and calls the tool, hears of another text, and goes on when the window is closed."""
    async with assistant(claude_file) as claude:
        read = await until_it_reads(claude, "git_git_status", NOTE)
        assert "### Additional Tool Notes" in read
        assert {tool: await claude.reads(tool) for tool in seen} == seen
        assert len(seen) == 2
        is_error, answer = await claude.calls("git_git_status", {"repo_path": str(repository)})
        assert not is_error
        assert "On branch harvest" in answer
        await asyncio.to_thread(person.sees, "Claude Desktop, Running", "Sidebar")
        await asyncio.to_thread(look_around, person, home)
        await asyncio.to_thread(write_more, person)
        read = await until_it_reads(claude, "git_git_status", MORE)
        assert f": {NOTE}{MORE}" in read
        await asyncio.to_thread(close_and_minimise, person)
        is_error, _ = await claude.calls("git_git_status", {"repo_path": str(repository)})
        assert not is_error


def write_more(person: Person) -> None:
    person.writes("", f"Text of the note {NOTE_NAME}")
    person.hits("End")
    person.writes(MORE)


def close_and_minimise(person: Person) -> None:
    """There is no tray here: closing asks, once."""
    person.closes_the_window()
    person.sees("Keep Toolnote running?")
    person.takes_a_picture("closing")
    person.presses("Keep running minimized")
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
        person.sees_no_more(FIRST_RUN)
        person.finds("Git status")
        person.sees(f"{NOTE}{MORE}", f"Text of the note {NOTE_NAME}")
        assert f": {NOTE}{MORE}" in reads_exactly(person, NOTE + MORE)["git_git_status"]
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
