"""Real clients and real servers: what arrives through Toolnote is what arrives without it, but for the names.

The SDK's client in both eras, over HTTP and through `toolnote bridge`; the Inspector's command line; servers as people
use them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp import types as mcp_types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.product.test_cli_serving import serving
from toolnote_desktop.paths import Home

pytestmark = [pytest.mark.node, pytest.mark.timeout(300)]

MODES = ["legacy", "auto"]
TIME, GIT, EVERYTHING = "time", "git", "everything"
NAMES = {TIME: "time_", GIT: "git_", EVERYTHING: "everything_"}

Session = Client
Calls = list[tuple[str, dict[str, Any]]]


def script(name: str) -> str:
    """A program of this environment."""
    return str(Path(sys.executable).with_name(name + (".exe" if sys.platform == "win32" else "")))


@pytest.fixture
def repository(user_folder: Path) -> Path:
    """A small git repository."""
    folder = user_folder / "repository"
    folder.mkdir()
    (folder / "file.txt").write_text("one\n", encoding="utf-8")
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*identity, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    (folder / "file.txt").write_text("one\ntwo\n", encoding="utf-8")
    return folder


@pytest.fixture
def servers(everything_server: list[str]) -> dict[str, list[str]]:
    """Command lines of the real servers."""
    return {TIME: [script("mcp-server-time")], GIT: [script("mcp-server-git")], EVERYTHING: everything_server}


def calls_of(server: str, repository: Path) -> Calls:
    """Tool calls with every kind of result that a server has, whose outcome is the same each time."""
    repo = {"repo_path": str(repository)}
    noon = {"source_timezone": "Europe/Berlin", "target_timezone": "Asia/Tokyo", "time": "12:00"}
    calls: dict[str, Calls] = {
        TIME: [("convert_time", noon), ("convert_time", {**noon, "time": "noon"}), ("convert_time", {})],
        GIT: [
            ("git_status", repo),
            ("git_diff_unstaged", repo),
            ("git_log", repo),
            ("git_show", {**repo, "revision": "HEAD"}),
            ("git_branch", {**repo, "branch_type": "local"}),
            ("git_show", {**repo, "revision": "nowhere"}),
            ("git_status", {"repo_path": 5}),
        ],
        EVERYTHING: [
            ("echo", {"message": "é \u2028 😀"}),
            ("echo", {"message": 5}),
            ("get-sum", {"a": 0.1, "b": 10**15}),
            ("get-tiny-image", {}),
            ("get-annotated-message", {"messageType": "error", "includeImage": True}),
            ("get-annotated-message", {"messageType": "success"}),
            ("get-resource-links", {"count": 3}),
            ("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
            ("get-structured-content", {"location": "Chicago"}),
            ("trigger-long-running-operation", {"duration": 0.1, "steps": 3}),
            ("trigger-sampling-request", {"prompt": "Hello", "maxTokens": 5}),
            ("trigger-elicitation-request", {}),
            ("get-roots-list", {}),
        ],
    }
    return calls[server]


# -- clients ----------------------------------------------------------------------------------------------------------


async def sample(context: Any, params: Any) -> mcp_types.CreateMessageResult:
    content = mcp_types.TextContent(type="text", text="sampled")
    return mcp_types.CreateMessageResult(role="assistant", content=content, model="m")


async def elicit(context: Any, params: Any) -> mcp_types.ElicitResult:
    return mcp_types.ElicitResult(action="accept", content={"name": "Ada", "check": True})


async def roots(context: Any) -> mcp_types.ListRootsResult:
    return mcp_types.ListRootsResult(roots=[mcp_types.Root.model_validate({"uri": "file:///place", "name": "Place"})])


ABLE: dict[str, Any] = {
    "sampling_callback": sample,
    "elicitation_callback": elicit,
    "list_roots_callback": roots,
}


@asynccontextmanager
async def over_http(url: str, token: str, mode: Any) -> AsyncIterator[Session]:
    """The SDK's client at the endpoint."""
    async with AsyncExitStack() as stack:
        headers = {"Authorization": f"Bearer {token}"}
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
        transport = streamable_http_client(url, http_client=http)
        yield await stack.enter_async_context(Client(transport, mode=mode, **ABLE))


def over_stdio(command: list[str], mode: Any) -> Session:
    """The SDK's client with a program."""
    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    return Client(parameters, mode=mode, **ABLE)


def bridge(home: Home) -> list[str]:
    """The command that assistants are given."""
    return [sys.executable, "-m", "toolnote_desktop", "bridge", "--home", str(home.root), "--client", "test"]


# -- what a server offers, and says -----------------------------------------------------------------------------------

ERA_MEMBERS = {"resultType", "ttlMs", "cacheScope"}
CLOCK = re.compile(r"\d{1,2}:\d\d:\d\d(.[AP]M|\\u202f[AP]M)?")
"""server-everything says the time in its dynamic resources."""


def plain(model: Any) -> Any:
    """A model as JSON, without what tells one era from the other."""
    dumped = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    kept = {key: value for key, value in dumped.items() if key not in ERA_MEMBERS}
    meta = {k: v for k, v in kept.pop("_meta", {}).items() if k != "io.modelcontextprotocol/serverInfo"}
    return json.loads(CLOCK.sub("noon", json.dumps({**kept, "_meta": meta} if meta else kept)))


async def outcome(work: Awaitable[Any]) -> Any:
    """A result, or the error with its code, message and data."""
    try:
        return plain(await work)
    except MCPError as error:
        return {"error": error.error.model_dump(mode="json", exclude_none=True)}


async def everything_of(client: Session, server: str, calls: Calls, prefix: str) -> dict[str, Any]:
    """All that a client can see of a server."""
    tools = {tool.name: plain(tool) for tool in (await client.list_tools()).tools}
    found: dict[str, Any] = {
        "tools": {
            name.removeprefix(prefix): {key: value for key, value in tool.items() if key != "name"}
            for name, tool in tools.items()
            if name.startswith(prefix)
        }
    }
    for number, (tool, arguments) in enumerate(calls):
        seen: list[Any] = []

        async def on_progress(
            progress: float, total: float | None, message: str | None, seen: list[Any] = seen
        ) -> None:
            seen.append((progress, total, message))

        # What our names make of other characters is docs/contract.md 1; these have none but hyphens.
        result = await outcome(client.call_tool(prefix + tool, arguments, progress_callback=on_progress))
        found[f"{number} {tool}"] = {"result": result, "progress": seen}
    if server == EVERYTHING:
        found |= await prompts_and_resources(client, prefix)
    return found


async def prompts_and_resources(client: Session, prefix: str) -> dict[str, Any]:
    """The rest of what server-everything has."""
    prompts = [prompt for prompt in (await client.list_prompts()).prompts if prompt.name.startswith(prefix)]
    arguments = {"args-prompt": {"city": "Oslo"}, "completable-prompt": {"department": "Sales", "name": "Ada"}}
    reference = mcp_types.PromptReference(type="ref/prompt", name=f"{prefix}completable-prompt")
    resources = [one for one in (await client.list_resources()).resources if str(one.uri).startswith("demo:")]
    dynamic = "demo://resource/dynamic/text/{resourceId}"
    template = mcp_types.ResourceTemplateReference(type="ref/resource", uri=dynamic)
    return {
        "prompts": [{**plain(prompt), "name": prompt.name.removeprefix(prefix)} for prompt in prompts],
        "prompt results": [
            await outcome(client.get_prompt(prompt.name, arguments.get(prompt.name.removeprefix(prefix), {})))
            for prompt in prompts
            if prompt.name.removeprefix(prefix) != "resource-prompt"  # it says the time
        ],
        "resources": sorted((plain(resource) for resource in resources), key=lambda one: str(one["uri"])),
        "contents": [await outcome(client.read_resource(resource.uri)) for resource in resources],
        "no such resource": "error" in await outcome(client.read_resource("demo://nowhere")),
        "templates": [
            plain(one)
            for one in (await client.list_resource_templates()).resource_templates
            if one.uri_template.startswith("demo:")
        ],
        "completion": await outcome(client.complete(reference, {"name": "department", "value": "S"})),
        "completion of a template": await outcome(client.complete(template, {"name": "resourceId", "value": "1"})),
    }


@contextmanager
def toolnote(home: Home, servers: dict[str, list[str]], tools: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """`toolnote serve` with these servers and a toolset of these tools: url and token."""
    entries = {name: {"command": command[0], "args": command[1:]} for name, command in servers.items()}
    references = [{"namespacedName": f"{server}.{tool}"} for server, names in tools.items() for tool in names]
    home.toolsets.mkdir(parents=True)
    home.servers.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    home.settings.write_text(json.dumps({"equippedToolset": "all"}), encoding="utf-8")
    (home.toolsets / "all.json").write_text(json.dumps({"name": "all", "tools": references}), encoding="utf-8")
    with serving("--home", str(home.root), "--port", "0") as running:
        yield running.url, running.token


async def until_served(client: Session, tools: dict[str, list[str]]) -> None:
    """Wait until every server has listed its tools: a call waits for a server that is starting, a list does not."""
    wanted = {NAMES[server] + tool for server, names in tools.items() for tool in names}
    while not wanted <= {tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools}:
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("server", [TIME, GIT, EVERYTHING])
def test_a_real_server_is_the_same_through_toolnote(
    home: Home, repository: Path, servers: dict[str, list[str]], server: str
) -> None:
    calls = calls_of(server, repository)

    async def directly(mode: str) -> Any:
        async with over_stdio(servers[server], mode) as client:
            return await everything_of(client, server, calls, "")

    expected = {mode: asyncio.run(directly(mode)) for mode in MODES}
    tools = {server: list(expected["legacy"]["tools"])}

    async def through(url: str, token: str) -> dict[str, Any]:
        found = {}
        for mode in MODES:
            async with over_http(url, token, mode) as client:
                await until_served(client, tools)
                found[f"{mode}, http"] = await everything_of(client, server, calls, NAMES[server])
            async with over_stdio(bridge(home), mode) as client:
                await until_served(client, tools)
                found[f"{mode}, bridge"] = await everything_of(client, server, calls, NAMES[server])
        return found

    with toolnote(home, {server: servers[server]}, tools) as (url, token):
        for way, seen in asyncio.run(asyncio.wait_for(through(url, token), 240)).items():
            # Servers of both eras are spoken to in one of them, so that one is what their clients get.
            candidates = [expected["legacy"], expected["auto"]]
            for part in expected["legacy"]:
                assert seen[part] in [one[part] for one in candidates], f"{way}: {part}"


# -- the Inspector ----------------------------------------------------------------------------------------------------


class Inspector:
    """The Inspector's command line, at one place."""

    def __init__(self, command: list[str], target: list[str], behind: list[str]) -> None:
        self._command = [*command, *target]
        self._behind = behind

    def run(self, method: str, *options: str) -> Any:
        """One method; its result."""
        command = [*self._command, "--method", method, *options, "--format", "json", "--quiet", *self._behind]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
        read = json.loads(done.stdout)
        return read.get("result", read)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("way", ["endpoint", "bridge"])
def test_the_inspector_lists_and_calls(
    home: Home, everything_server: list[str], inspector_cli: list[str], way: str, era: str
) -> None:
    tools = {EVERYTHING: ["echo", "get-structured-content", "trigger-long-running-operation"]}
    with toolnote(home, {EVERYTHING: everything_server}, tools) as (url, token):

        async def wait() -> None:
            async with over_http(url, token, "legacy") as client:
                await until_served(client, tools)

        asyncio.run(asyncio.wait_for(wait(), 60))
        by_era = ["--protocol-era", era]
        at_endpoint = ["--transport", "http", "--server-url", url, "--header", f"Authorization: Bearer {token}"]
        target, behind = (by_era + at_endpoint, []) if way == "endpoint" else (by_era, ["--", *bridge(home)])
        inspector = Inspector(inspector_cli, target, behind)
        names = [tool["name"] for tool in inspector.run("tools/list")["tools"]]
        assert {NAMES[EVERYTHING] + tool for tool in tools[EVERYTHING]} <= set(names)
        called = inspector.run("tools/call", "--tool-name", "everything_echo", "--tool-arg", "message=hello")
        assert called["content"][0]["text"] == "Echo: hello"
        arguments = ["--tool-args-json", '{"location":"Chicago"}']
        structured = inspector.run("tools/call", "--tool-name", "everything_get-structured-content", *arguments)
        assert structured["structuredContent"]["conditions"]
        assert inspector.run("prompts/list")["prompts"]
        assert inspector.run("resources/list")["resources"]
        uri = "demo://resource/static/document/features.md"
        assert inspector.run("resources/read", "--uri", uri)["contents"][0]["uri"] == uri
