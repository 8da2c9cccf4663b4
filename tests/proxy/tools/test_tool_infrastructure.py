"""Seed 004, tool-infrastructure: each scenario is a test named after it (``Result`` is tested in tests/model)."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import subprocess
import sys
import threading
import time
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.result import Result
from toolnote_desktop.proxy.tools import BuiltInTool, built_in_tools
from toolnote_desktop.proxy.tools.arguments import ToolArguments, arguments_of, tool_name
from toolnote_desktop.proxy.tools.context import in_guidance_thread
from toolnote_desktop.proxy.tools.decorator import TRACE, ToolDecorator


class Sample(ToolArguments):
    """Arguments for these tests."""

    consent: Literal["CREATE_DOCUMENT"] = Field(description="say it")
    count: int = Field(default=3, description="how many")
    names: list[str] | None = None


def sample_tool(arguments: Sample) -> Result[JsonObject]:
    """Does a sample thing.

    In two lines.
    """
    return Result.ok({"count": arguments.count})


def test_base_model_inheritance() -> None:
    arguments = Sample(consent="CREATE_DOCUMENT")
    with pytest.raises(ValidationError):
        Sample.model_validate({"consent": "CREATE_DOCUMENT", "other": 1})
    with pytest.raises(ValidationError):
        arguments.count = "many"  # type: ignore[assignment]


def test_schema_markdown_generation() -> None:
    assert Sample.to_schema_markdown().split("\n") == [
        '- `consent` ("CREATE_DOCUMENT", required): say it',
        "- `count` (integer, optional): how many (default: 3)",
        "- `names` (array of string, optional)",
    ]


def test_tool_description_building() -> None:
    description = Sample.build_tool_description(sample_tool)
    assert description.startswith("Does a sample thing.\n\nIn two lines.\n\n")
    assert description.endswith(Sample.to_schema_markdown())


def test_tool_declaration() -> None:
    ToolArguments.get_declared_tools()
    assert ToolArguments.declare(sample_tool) is sample_tool
    assert ToolArguments.get_declared_tools() == {"sample-tool": sample_tool}


def test_collection_retrieval() -> None:
    ToolArguments.get_declared_tools()
    ToolArguments.declare(sample_tool)
    assert ToolArguments.get_declared_tools() == {"sample-tool": sample_tool}


def test_double_registration_prevention() -> None:
    ToolArguments.declare(sample_tool)
    assert ToolArguments.get_declared_tools()
    assert ToolArguments.get_declared_tools() == {}


def test_thread_safety() -> None:
    ToolArguments.get_declared_tools()
    functions = []
    for number in range(200):

        def function(arguments: Sample) -> Result[JsonObject]:
            return sample_tool(arguments)

        function.__name__ = f"tool_{number}"
        functions.append(function)
    collected: list[str] = []
    threads = [
        threading.Thread(target=lambda part=part: [ToolArguments.declare(f) for f in part])
        for part in (functions[:100], functions[100:])
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        collected += ToolArguments.get_declared_tools()
    for thread in threads:
        thread.join()
    collected += ToolArguments.get_declared_tools()
    assert sorted(collected) == sorted(tool_name(function) for function in functions)


def test_a_second_start_in_one_process_still_has_its_tools() -> None:
    first = built_in_tools()
    assert ToolArguments.get_declared_tools() == {}
    assert built_in_tools() == first != {}


def test_no_default_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MCP_TOOL_PREFIX", raising=False)
    assert ToolDecorator().final_name("x") == "x"
    monkeypatch.setenv("MCP_TOOL_PREFIX", "guide_")
    assert ToolDecorator().final_name("x") == "guide_x"


def test_per_tool_prefix_override() -> None:
    decorator = ToolDecorator("guide_")
    assert decorator.final_name("x", "other_") == "other_x"
    assert decorator.final_name("x", "") == "x"
    names = names_with(MCP_TOOL_PREFIX="guide_", MCP_INCLUDE_EXAMPLE_TOOLS="true")
    assert {"guide_build-toolset", "example-tool"} <= set(names)  # the example declares that it has none


def test_tool_name_prefixing() -> None:
    assert ToolDecorator("p-").final_name("list-available-tools") == "p-list-available-tools"


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[int, str]]:
    return [(record.levelno, record.getMessage()) for record in caplog.records if record.name.endswith("decorator")]


def test_tool_invocation_logging(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[list[tuple[int, str]]] = []

    async def later() -> None:
        seen.append(logged(caplog))

    with caplog.at_level(TRACE):
        asyncio.run(ToolDecorator("").logged("x", later)())
        caplog.clear()
        ToolDecorator("").logged("y", lambda: seen.append(logged(caplog)))()
    assert seen == [[(TRACE, "Tool called: x")], [(TRACE, "Tool called: y")]]  # before the tool runs


def test_tool_success_logging_async(caplog: pytest.LogCaptureFixture) -> None:
    async def tool() -> int:
        return 7

    with caplog.at_level(TRACE):
        assert asyncio.run(ToolDecorator("").logged("x", tool)()) == 7
    assert logged(caplog)[-1] == (TRACE, "Tool x completed successfully")


def test_tool_success_logging_sync(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(TRACE):
        assert ToolDecorator("").logged("x", lambda: 7)() == 7
    assert logged(caplog) == [(TRACE, "Tool called: x"), (logging.DEBUG, "Tool x completed successfully")]


def test_tool_failure_logging(caplog: pytest.LogCaptureFixture) -> None:
    async def tool() -> None:
        raise RuntimeError("no")

    def sync() -> None:
        raise RuntimeError("not either")

    with caplog.at_level(TRACE):
        with pytest.raises(RuntimeError, match="no"):
            asyncio.run(ToolDecorator("").logged("x", tool)())
        assert logged(caplog)[-1] == (logging.ERROR, "Tool x failed: no")
        with pytest.raises(RuntimeError, match="not either"):
            ToolDecorator("").logged("y", sync)()
    assert logged(caplog)[-1] == (logging.ERROR, "Tool y failed: not either")


def names_with(setting: str = "", **environment: str) -> list[str]:
    """The built-in tools' final names in a process of its own: the environment is read once, early."""
    code = (
        "from toolnote_desktop.model.snapshot import Snapshot\n"
        "from toolnote_desktop.model.settings import Settings\n"
        "from toolnote_desktop.proxy.tools import built_in_definitions\n"
        f"snapshot = Snapshot(settings=Settings(tool_prefix={setting!r}))\n"
        "print(*(d['name'] for d in built_in_definitions(snapshot)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def test_default_prefix_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default prefix is empty instead of ``guide`` (docs/requirements.md 4.12)."""
    monkeypatch.delenv("MCP_TOOL_PREFIX", raising=False)
    assert names_with()[0] == "list-available-tools"


def test_user_provided_prefix_preserved() -> None:
    assert all(name.startswith("team_") for name in names_with(MCP_TOOL_PREFIX="team_"))
    assert all(name.startswith("set_") for name in names_with("set_"))
    assert names_with("set_", MCP_TOOL_PREFIX="")[0] == "list-available-tools"  # an empty variable wins


def test_a_prefix_gives_names_that_every_client_takes() -> None:
    for prefix in ("my tools.", "ü/", "x" * 60):
        names = names_with(MCP_TOOL_PREFIX=prefix)
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,48}", name) for name in names)
        assert len(set(names)) == len(names)
    assert names_with(MCP_TOOL_PREFIX="my tools.")[0] == "my_tools_list-available-tools"


def test_conditional_example_tool() -> None:
    assert "example-tool" in names_with(MCP_INCLUDE_EXAMPLE_TOOLS="true")
    assert "example-tool" not in names_with(MCP_INCLUDE_EXAMPLE_TOOLS="1")


def test_tool_module_import_triggers_collection() -> None:
    code = (
        "from toolnote_desktop.proxy.tools.arguments import ToolArguments\n"
        "before = list(ToolArguments.get_declared_tools())\n"
        "import toolnote_desktop.proxy.tools.tool_guide\n"
        "print(before, list(ToolArguments.get_declared_tools()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[] ['add-tool-annotation', 'get-tool-guide']"  # it shares a part of the notes' module


def test_automatic_registration_with_descriptions() -> None:
    for tool in built_in_tools().values():
        description = tool.definition(tool.name)["description"]
        assert description == arguments_of(tool.function).build_tool_description(tool.function)
        assert description


def test_invalid_arguments_are_logged_and_a_fault_is_a_result(caplog: pytest.LogCaptureFixture) -> None:
    def broken_tool(arguments: Sample, context: object) -> Result[JsonObject]:
        raise RuntimeError("it broke")

    tool = BuiltInTool("broken-tool", broken_tool, Sample)
    context: Any = None
    with caplog.at_level(TRACE):
        refused = asyncio.run(tool.call({"consent": "no", "count": "secret-7"}, context))
        assert refused.error_type == "invalid_arguments"
        assert logged(caplog)[0][1] == "Tool called: broken-tool"
        assert logged(caplog)[-1][1].startswith("Tool broken-tool refused its arguments: consent: ")
        assert "secret-7" not in caplog.text
        failed = asyncio.run(tool.call({"consent": "CREATE_DOCUMENT"}, context)).to_dict()
    assert (failed["success"], failed["error_type"]) == (False, "internal_error")
    assert (failed["exception_type"], failed["exception_message"]) == ("RuntimeError", "it broke")
    assert logged(caplog)[-1] == (logging.ERROR, "Tool broken-tool failed: it broke")


def test_literal_type_enforcement() -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate({"consent": "yes"})
    assert Sample.model_validate({"consent": "CREATE_DOCUMENT"}).consent == "CREATE_DOCUMENT"


def test_undecorated_name_in_documentation() -> None:
    """What is told of a tool names tools without the prefix that goes before them."""
    for name, tool in built_in_tools().items():
        plain = tool.definition(name)["description"]
        assert tool.definition(f"guide_{name}")["description"] == plain
        assert "guide_" not in plain


def test_tool_file_naming() -> None:
    for tool in built_in_tools().values():
        assert tool.function.__module__.rpartition(".")[2].startswith("tool_")


def test_guidance_is_worked_out_for_one_call_at_a_time() -> None:
    """Seen red: 40 guides to 5,000 tools kept other clients waiting for 5 s, and took 220 MB; and each time that the
    window came back from one of Qt's functions, it waited for 5 ms beside them (attack *search*).
    """
    usual = sys.getswitchinterval()
    turns: list[float] = []
    running: list[int] = []
    most: list[int] = []

    def work(number: int) -> int:
        turns.append(sys.getswitchinterval())
        running.append(number)
        most.append(len(running))
        time.sleep(0.02)
        running.remove(number)
        return number

    async def calls() -> list[int]:
        tasks = [asyncio.ensure_future(in_guidance_thread(work, number)) for number in range(8)]
        while not running:
            await asyncio.sleep(0)
        tasks[0].cancel()  # its thread goes on
        tasks[5].cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        return [one for one in found if isinstance(one, int)]

    assert asyncio.run(calls()) == [1, 2, 3, 4, 6, 7]
    assert max(most) == 1
    assert max(turns) < usual / 4
    assert sys.getswitchinterval() == usual
