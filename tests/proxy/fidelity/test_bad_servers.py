"""One bad tool, prompt, resource or template costs no other, for clients that validate a list as a whole."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.model.tools.test_valid_entries import ARGUMENT, COMMON, PLACES, SCHEMAS, VALUES, faults
from tests.node_tools import tools_folder
from tests.proxy.live import ModernClient
from tests.proxy.running import Running, raw_server, running
from toolnote_desktop.cli import parser
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

SCHEMA = {"type": "object", "properties": {}}
TOOLS: list[Any] = [
    {"name": "good", "description": "Good.", "inputSchema": SCHEMA},
    {"name": "input_empty", "inputSchema": {}},
    {"name": "input_no_type", "inputSchema": {"properties": {"a": {"type": "string"}}}},
    {"name": "input_missing"},
    {"name": "input_null", "inputSchema": None},
    {"name": "input_array", "inputSchema": {"type": "array", "items": {"type": "string"}}},
    {"name": "input_flags", "inputSchema": {"type": "object", "properties": {"a": True, "b": False}}},
    {"name": "output_no_type", "inputSchema": SCHEMA, "outputSchema": {"properties": {}}},
    {"name": "output_array", "inputSchema": SCHEMA, "outputSchema": {"type": "array"}},
    {"name": "output_null", "inputSchema": SCHEMA, "outputSchema": None},
    {"name": "description_null", "description": None, "inputSchema": SCHEMA},
    {"name": "description_number", "description": 5, "inputSchema": SCHEMA},
    {"name": "annotations_null", "inputSchema": SCHEMA, "annotations": None},
    {"name": "annotations_text", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": "true"}},
    {"name": "title_null", "title": None, "inputSchema": SCHEMA},
    {"name": "required_null", "inputSchema": {**SCHEMA, "required": None}},
    {"name": "properties_null", "inputSchema": {"type": "object", "properties": None}},
    {"name": "properties_list", "inputSchema": {"type": "object", "properties": []}},
    {"name": "icons_bad", "inputSchema": SCHEMA, "icons": [{"url": "x"}]},
    {"name": "meta_null", "inputSchema": SCHEMA, "_meta": None},
    {"name": "execution_bad", "inputSchema": SCHEMA, "execution": {"taskSupport": "maybe"}},
]
LEFT_OUT = {"input_missing", "input_null", "input_array"}
PROMPTS: list[Any] = [
    {"name": "good", "arguments": [{"name": "a", "required": True}]},
    {"name": "bad", "title": None, "arguments": [{"name": "a", "required": "yes"}, {"description": "no name"}]},
    {"name": 5},
]
RESOURCES: list[Any] = [
    {"uri": "test://good", "name": "good", "size": 3},
    {"uri": "test://bad", "mimeType": None, "size": "3", "annotations": {"priority": 7}},
    {"uri": "not an address", "name": "gone"},
    {"name": "no address"},
    5,
]
TEMPLATES = [{"uriTemplate": "test://{good}", "name": "good"}, {"uriTemplate": "test://{bad}", "description": None}]
EXPECTED = {
    "tools": [f"bad_{one['name']}" for one in TOOLS if one["name"] not in LEFT_OUT],
    "prompts": ["tool-guide", "bad_good", "bad_bad"],
    "resources": ["toolnote://guide", "test://good", "test://bad"],
    "templates": ["test://{good}", "test://{bad}"],
}
KINDS = {
    "tools/list": ("tools", "Tool"),
    "prompts/list": ("prompts", "Prompt"),
    "resources/list": ("resources", "Resource"),
    "resources/templates/list": ("resourceTemplates", "ResourceTemplate"),
}


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    server = raw_server(tools=TOOLS, prompts=PROMPTS, resources=RESOURCES, templates=TEMPLATES)
    with running(home, {"bad": server}) as proxy:
        yield proxy


def names(lists: dict[str, list[str]]) -> dict[str, list[str]]:
    return {**lists, "tools": [name for name in lists["tools"] if name.startswith("bad_")]}


def test_served_lists_are_valid_in_both_eras(proxy: Running) -> None:
    client = proxy.client()
    client.initialize()
    modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
    for method, (key, kind) in KINDS.items():
        for entries, is_modern in (
            (client.request(method).result[key], False),
            (modern.request(method).result[key], True),
        ):
            assert entries
            for entry in entries:
                assert faults(kind, entry, modern=is_modern) == []
    by_name = {one["name"]: one for one in modern.request("tools/list").result["tools"]}
    assert by_name["bad_output_array"]["outputSchema"] == {"type": "array"}, "valid in the modern era"
    assert by_name["bad_input_flags"]["inputSchema"]["properties"] == {"a": True, "b": False}
    assert "outputSchema" not in client.tool("bad_output_array")
    assert client.tool("bad_good") == {**TOOLS[0], "name": "bad_good"}


def test_bad_tools_are_reported(proxy: Running) -> None:
    problems = proxy.library.snapshot.catalogue.servers["bad"].status.problems
    said = [(problem.code, problem.parameters.get("tool")) for problem in problems]
    assert {tool for code, tool in said if code is Code.TOOL_MALFORMED} == LEFT_OUT
    changed = {tool for code, tool in said if code is Code.TOOL_ODD}
    assert changed == {one["name"] for one in TOOLS} - LEFT_OUT - {"good"}
    others = [english(problem) for problem in problems if problem.code in (Code.ENTRY_ODD, Code.ENTRY_MALFORMED)]
    assert 'server "bad": the resource not an address is not served: its uri is not a URI' in others
    assert any("the prompt bad is not as it should be: title is null" in one for one in others)
    assert any("the resource template test://{bad}" in one for one in others)
    for left_out in (
        'server "bad": the prompt ? is not served: its name is missing or not text',
        'server "bad": the resource ? is not served: its uri is missing or not text',
        'server "bad": the resource ? is not served: it is not an object',
    ):
        assert left_out in others


def test_what_is_left_out_is_said_by_commands_and_after_a_restart(
    proxy: Running, home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seen red with faults that only the run knew that read the lists, and with ``tools`` naming tools alone."""
    proxy.library.flush()
    with Library.open(home, watch=False) as library:
        problems = library.snapshot.catalogue.servers["bad"].status.problems
    assert {one.parameters.get("tool") for one in problems if one.code is Code.TOOL_MALFORMED} == LEFT_OUT
    assert parser.run(["tools", "--home", str(home.root)]) == 0
    said = capfd.readouterr().err
    for tool in LEFT_OUT:
        assert f'the tool "{tool}"' in said or tool in said
    assert "the resource not an address is not served" in said
    assert "the prompt bad is not as it should be" in said
    assert "the resource template test://{bad}" in said


def test_doctor_names_each_prompt_and_resource_that_is_left_out_or_changed(
    proxy: Running, home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    proxy.library.flush()
    assert parser.run(["doctor", "--json", "--home", str(home.root)]) == 1
    found = json.loads(capfd.readouterr().out)
    said = json.dumps(found, ensure_ascii=False)
    for text in (
        "the resource not an address is not served: its uri is not a URI",
        "the prompt ? is not served: its name is missing or not text",
        "the prompt bad is not as it should be: title is null",
        "the resource template test://{bad} is not as it should be",
    ):
        assert text in said, text


def typescript_lists(node: str, package: str, proxy: Running) -> dict[str, list[str]]:
    script = Path(__file__).parents[2] / "servers" / "list_everything.mjs"
    modules = tools_folder() / "node_modules"
    command = [node, str(script), str(modules), package, proxy.endpoint.url, proxy.endpoint.token]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def python_lists(proxy: Running, mode: Any) -> dict[str, list[str]]:
    async def lists() -> dict[str, list[str]]:
        headers = {"Authorization": f"Bearer {proxy.endpoint.token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(proxy.endpoint.url, http_client=http), mode=mode) as client,
        ):
            return {
                "tools": [one.name for one in (await client.list_tools()).tools],
                "prompts": [one.name for one in (await client.list_prompts()).prompts],
                "resources": [str(one.uri) for one in (await client.list_resources()).resources],
                "templates": [one.uri_template for one in (await client.list_resource_templates()).resource_templates],
            }

    return asyncio.run(lists())


@pytest.mark.parametrize("package", ["sdk", "client"])
def test_the_typescript_sdks_list_all(proxy: Running, node: str, package: str) -> None:
    """Red without ``valid_entries``: SDK 1.32.2 then refuses the list for each of the tools but the first."""
    assert names(typescript_lists(node, package, proxy)) == EXPECTED


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_python_sdk_lists_all(proxy: Running, mode: Any) -> None:
    assert names(python_lists(proxy, mode)) == EXPECTED


FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "tools": {**COMMON, "outputSchema": SCHEMAS | VALUES},
    "prompts": {**COMMON, "arguments": st.lists(ARGUMENT, max_size=2) | VALUES},
    "resources": PLACES,
    "templates": PLACES,
}
KEYS = {"tools": "name", "prompts": "name", "resources": "uri", "templates": "uriTemplate"}


@st.composite
def bad_lists(draw: st.DrawFn) -> dict[str, list[dict[str, Any]]]:
    made: dict[str, list[dict[str, Any]]] = {}
    for kind, key in KEYS.items():
        made[kind] = []
        for at in range(30 if kind == "tools" else 10):
            required = {"inputSchema": SCHEMAS} if kind == "tools" else {}
            entry = draw(st.fixed_dictionaries(required, optional=FIELDS[kind]))
            made[kind].append({**entry, key: f"t://{kind}-{at}" if "uri" in key else f"t{at}"})
    return made


@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(scenario=bad_lists())
def test_any_server(
    tmp_path_factory: pytest.TempPathFactory, node: str, scenario: dict[str, list[dict[str, Any]]]
) -> None:
    """Lists made at random: valid by the schemas of all revisions, and read whole by the real SDKs' clients.

    Seen red with ``valid_entries`` returning what it got: each client refuses each list.
    """
    with running(Home(tmp_path_factory.mktemp("home")), {"bad": raw_server(**scenario)}) as proxy:
        client = proxy.client()
        client.initialize()
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
        served = {}
        for method, (key, kind) in KINDS.items():
            for one, is_modern in ((client, False), (modern, True)):
                entries = one.request(method).result[key]
                assert not [fault for entry in entries for fault in faults(kind, entry, modern=is_modern)]
                named = "templates" if key == "resourceTemplates" else key
                served[named] = [entry[KEYS[named]] for entry in entries]
        problems = proxy.library.snapshot.catalogue.servers["bad"].status.problems
        gone = [one for one in problems if one.code in (Code.TOOL_MALFORMED, Code.ENTRY_MALFORMED)]
        own = sum(len(entries) for entries in served.values()) - sum(map(len, scenario.values()))
        assert own + len(gone) == len([name for name in served["tools"] if not name.startswith("bad_")]) + 2
        for package in ("sdk", "client"):
            assert typescript_lists(node, package, proxy) == served
        for mode in ("auto", "legacy"):
            assert python_lists(proxy, mode) == served
