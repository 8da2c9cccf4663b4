"""``toolnote bench`` against a model whose answers depend on the notes in a known manner."""

from __future__ import annotations

import asyncio
import json
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from tests.bench.reading_model import HARMS, HELPS, IDLE, REGIONS, FaultyEndpoint, ReadingModel, ScriptedModel
from tests.cli import test_packs
from tests.cli.conftest import Run
from tests.cli.test_packs import TICKETS, catalogue
from toolnote_desktop.bench.model_endpoint import check_endpoint, retry_seconds
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.paths import Home

OPENAI, ANTHROPIC = ("--api", "openai"), ("--api", "anthropic")
ASKED = ("--model", "fake-model", "--yes")


def prompts(count: int = 12) -> list[dict[str, Any]]:
    cities = [*REGIONS] * 2
    return [
        {
            "id": f"open-{number}",
            "prompt": f"Customer {number} in {city} has a broken lamp: open a ticket.",
            "tool": "tickets.create",
            "arguments": {"team": REGIONS[city]},
            "mustNotCall": ["tickets.close"],
        }
        for number, city in enumerate(cities[:count])
    ]


def bench_file(folder: Path, **keys: Any) -> str:
    content = {"kind": "toolnote-bench", "version": 1, "toolset": "support", "prompts": prompts(), **keys}
    file = folder / "bench.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return str(file)


@pytest.fixture
def toolset(run: Run, home: Home) -> Home:
    catalogue(home.root, {"tickets": TICKETS})
    run("toolset", "create", "support", "tickets.create", "tickets.close", "tickets.find")
    return home


def note(run: Run, text: str) -> None:
    run("note", "add", "tickets.create", "team", text, "--toolset", "support")


@pytest.mark.parametrize("api", [OPENAI, ANTHROPIC], ids=lambda api: api[1])
def test_a_planted_effect_is_found_over_the_wire_of_both_apis(
    run: Run, toolset: Home, tmp_path: Path, api: tuple[str, str]
) -> None:
    """The model's answers are those that real assistants are served in the lab."""
    note(run, HELPS)
    with ScriptedModel() as model:
        model.script = script = ReadingModel()
        said = run("bench", "run", bench_file(tmp_path), "--endpoint", model.url, *api, *ASKED, "--repeat", "1")
        assert said.out.splitlines()[-1] == "The notes help."
        assert "24 requests, about " in said.err
        assert len(script.requests) == 24
        names = {name for name, _ in script.requests[0].tools}
        assert names == {"tickets_create", "tickets_close", "tickets_find"}
        with_notes = [HELPS in dict(one.tools)["tickets_create"] for one in script.requests]
        assert sum(with_notes) == 12
        in_pairs = [with_notes[at] != with_notes[at + 1] for at in range(0, 24, 2)]
        assert all(in_pairs), "both sides of a prompt follow each other"
        assert with_notes[::2] != [with_notes[0]] * 12, "in an order that is drawn"


def test_planted_harm_is_found_and_names_what_got_worse(run: Run, toolset: Home, tmp_path: Path) -> None:
    note(run, HARMS)
    with ScriptedModel() as model:
        model.script = ReadingModel(chance=1.0)
        words = ("bench", "run", bench_file(tmp_path), "--endpoint", model.url, *ASKED, "--repeat", "1", "--json")
        found = run(*words, status=1).json
    assert found["verdict"] == "harms"
    assert found["regressions"] == [f"open-{number}" for number in range(12)]
    assert found["figures"]["success"]["before"] == 1
    assert found["figures"]["success"]["interval"][1] < 0
    assert found["figures"]["extra calls"]["difference"] == 1


def test_nothing_is_claimed_where_a_note_does_nothing(run: Run, toolset: Home, tmp_path: Path) -> None:
    note(run, IDLE)
    with ScriptedModel() as model:
        model.script = ReadingModel(chance=0.5)
        words = ("bench", "run", bench_file(tmp_path), "--endpoint", model.url, *ASKED, "--repeat", "2", "--json")
        found = run(*words).json
    assert found["verdict"] == "no difference seen"
    assert 0 < found["figures"]["success"]["before"] < 1
    low, high = found["figures"]["success"]["interval"]
    assert low <= 0 <= high


AGENTS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "bench" / "agents_requests.json").read_text(encoding="utf-8")
)
"""A request of a real assistant to the lab's model by API, cut to its shape."""
OF_AGENTS = {"cache_control", "defer_loading"}
"""Hints for caches and for loading on demand, which change no answer."""


def shape(value: Any) -> Any:
    """Keys and kinds of a part of a request: a text and a list with one text are the same in both APIs."""
    if isinstance(value, dict):
        kinds = {key: shape(one) for key, one in value.items() if key not in OF_AGENTS and key != "input"}
        if isinstance(value.get("content"), str) and value["role" if "role" in value else "type"] != "text":
            kinds["content"] = [{"type": "text", "text": "str"}]
        return {**kinds, **{key: value[key] for key in ("role", "type") if key in value}}
    if isinstance(value, list):
        return [shape(one) for one in value][:1]
    return type(value).__name__


@pytest.mark.parametrize("api", [OPENAI, ANTHROPIC], ids=lambda api: api[1])
def test_requests_have_the_shape_of_those_of_real_assistants(
    run: Run, toolset: Home, tmp_path: Path, api: tuple[str, str]
) -> None:
    """Seen red: with the answer of chat completions sent back as it came."""
    file = bench_file(tmp_path, prompts=prompts(1))
    with ScriptedModel() as model:
        model.script = script = ReadingModel(looks_first=True)
        words = ("bench", "run", file, "--endpoint", model.url, *api, *ASKED, "--repeat", "1", "--steps", "3", "--json")
        run(*words)
    theirs, ours = AGENTS[api[1]]["body"], next(one.body for one in script.requests if one.results)
    assert ours.keys() <= theirs.keys()
    assert [shape(one) for one in ours["messages"][-3:]] == [shape(one) for one in theirs["messages"][-3:]]

    for body in (ours, theirs):
        body["tools"] = [
            {**one, "function": {**one["function"], "parameters": {}}}
            if "function" in one
            else {**one, "input_schema": {}}
            for one in body["tools"]
        ]
    assert shape(ours["tools"]) == shape(theirs["tools"])


@pytest.mark.parametrize("api", [OPENAI, ANTHROPIC], ids=lambda api: api[1])
def test_a_model_that_looks_first_is_judged_over_several_steps(
    run: Run, toolset: Home, tmp_path: Path, api: tuple[str, str]
) -> None:
    note(run, HELPS)
    file = bench_file(tmp_path, prompts=prompts(6))
    with ScriptedModel() as model:
        model.script = script = ReadingModel(looks_first=True)
        words = ("bench", "run", file, "--endpoint", model.url, *api, *ASKED, "--repeat", "1", "--json")
        assert run(*words).json["figures"]["success"]["after"] == 0
        script.requests.clear()
        found = run(*words, "--steps", "3").json
        assert len(script.requests) == 24, "it ends with the right call"
    assert found["verdict"] == "helps"
    assert found["figures"]["extra calls"]["after"] == 1
    assert found["figures"]["tokens"]["after"] == 30


def test_two_versions_of_a_note_are_compared_and_a_pack_brings_its_prompts(
    run: Run, toolset: Home, tmp_path: Path
) -> None:
    note(run, IDLE)
    compare = {"tool": "tickets.create", "note": "team", "text": HELPS}
    with ScriptedModel() as model:
        model.script = ReadingModel()
        asked = ("--endpoint", model.url, *ASKED, "--repeat", "1")
        assert "The new version helps." in run("bench", "run", bench_file(tmp_path, compare=compare), *asked).out
        file = tmp_path / "support.toolnote"
        run("pack", "export", "support", str(file))
        content = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps({**content, "prompts": prompts(1)}), encoding="utf-8")
        assert "No difference seen." in run("bench", "run", str(file), *asked).out
    run("pack", "import", str(file))
    run("pack", "export", "support", str(tmp_path / "again.toolnote"))
    assert json.loads((tmp_path / "again.toolnote").read_text(encoding="utf-8"))["prompts"] == prompts(1)


def test_nothing_is_asked_before_the_user_agrees(run: Run, toolset: Home, tmp_path: Path) -> None:
    file = bench_file(tmp_path)
    with ScriptedModel() as model:
        model.script = script = ReadingModel()
        words = ("bench", "run", file, "--endpoint", model.url, "--model", "m")
        assert "add --yes" in run(*words, status=2).err
        estimate = run(*words, "--dry-run", "--price", "3", "15", "--json").json
        later = run(*words, "--dry-run", "--steps", "3", "--price", "3", "15", "--json").json
        assert script.requests == []
    assert estimate["requests"] == 72
    assert later["requests"] == 3 * 72
    assert later["tokensIn"] >= 3 * estimate["tokensIn"] + 72 * 3 * 60, "later steps take the answers before them, too"
    assert estimate["cost"] == round((estimate["tokensIn"] * 3 + estimate["tokensOut"] * 15) / 1e6, 4)
    cheap = run(*words, "--dry-run", "--price", "0.1", "0.4").err
    assert ", about 0.00" in cheap
    assert ", about 0.00 at" not in cheap, "seen red: nothing, of a run that costs something"


@pytest.mark.parametrize(
    "url",
    [
        "http://model.example/v1",
        "ftp://localhost",
        "https://key@model.example/v1",
        "model.example",
        "http://127.0.0.1.x",
    ],
)
def test_a_key_goes_to_no_address_that_is_open(run: Run, toolset: Home, tmp_path: Path, url: str) -> None:
    assert "the model's endpoint: " in run("bench", "run", bench_file(tmp_path), "--endpoint", url, status=1).err
    with pytest.raises(ToolnoteError):
        check_endpoint(url)


def test_a_file_with_faults_says_which_fields(run: Run, toolset: Home, tmp_path: Path) -> None:
    bad = [{**prompts()[0], "id": "Not An Id"}]
    assert "prompts 1: id: " in run("bench", "run", bench_file(tmp_path, prompts=bad), status=1).err
    unknown = [{**prompts()[0], "tool": "tickets.nothing"}]
    assert (
        '"tickets.nothing" is not in the toolset'
        in run("bench", "run", bench_file(tmp_path, prompts=unknown), status=1).err
    )


def test_a_file_whose_keys_are_misspelled_or_at_odds_is_not_measured_as_another(
    run: Run, toolset: Home, tmp_path: Path
) -> None:
    """Seen red: *compare* counted for nothing where *kind* was wrong, and arguments for nothing where their key was."""
    compare = {"tool": "tickets.create", "note": "team", "text": HELPS}
    said = run("bench", "run", bench_file(tmp_path, compare=compare, kind="bench"), "--dry-run", status=1).err
    assert "kind: Input should be 'toolnote-bench'" in said
    odd = [{**prompts()[0], "argumnets": {"team": "EMEA"}}]
    said = run("bench", "run", bench_file(tmp_path, prompts=odd, note="x"), "--dry-run").err
    assert "left out, since a bench has no such keys: note, prompts 1: argumnets" in said
    both = [{**prompts()[0], "mustNotCall": ["tickets.create"]}]
    said = run("bench", "run", bench_file(tmp_path, prompts=both), "--dry-run", status=1).err
    assert "prompt open-0: the tool that should be called must not be called" in said


def test_of_two_tools_of_one_name_the_right_one_is_asked_for(run: Run, home: Home, tmp_path: Path) -> None:
    """Seen red: a call of either counted as right, and a version of a note went to the first."""
    catalogue(home.root, {"a": [test_packs.tool("b.create", "team")], "a.b": [test_packs.tool("create", "team")]})
    run("toolset", "create", "support", "a:b.create", "a.b:create")
    asked = {"id": "a", "prompt": "Open one in Paris.", "tool": "a.b.create"}
    said = run("bench", "run", bench_file(tmp_path, prompts=[asked]), "--dry-run", status=1).err
    assert '"a.b.create" is the name of more than one tool' in said
    calls = json.loads(run("tools", "--json", "--toolset", "support").out)["tools"]
    (first,) = (one["name"] for one in calls if one["description"] == "Does b.create.")
    call = {"id": "c", "type": "function", "function": {"name": first, "arguments": "{}"}}
    answer = json.dumps({"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}).encode()
    for name, share in (("a:b.create", 1.0), ("a.b:create", 0.0)):
        file = bench_file(tmp_path, prompts=[{**asked, "tool": name}], compare={"tool": name, "note": "n", "text": "x"})
        with FaultyEndpoint((200, {}, answer)) as endpoint:
            found = run("bench", "run", file, "--endpoint", endpoint.url, *ASKED, "--json").json
            assert found["figures"]["right tool"]["after"] == share
            offered = [body["tools"] for body in endpoint.bodies]
        noted = {
            one["function"]["description"]
            for each in offered
            for one in each
            if "**n**" in one["function"]["description"]
        }
        assert len(noted) == 1
        assert f"Does {name.partition(':')[2]}." in noted.pop()


@pytest.mark.parametrize("usage", [None, {}, [1], "12", {"prompt_tokens": None}])
def test_tokens_that_an_endpoint_does_not_count_are_no_figure(
    run: Run, toolset: Home, tmp_path: Path, usage: object
) -> None:
    """Seen red: they were said to be none, and a list in their place ended the run."""
    answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": "No."}}], "usage": usage}).encode()
    with FaultyEndpoint((200, {}, answer)) as endpoint:
        words = ("bench", "run", bench_file(tmp_path, prompts=prompts(1)), "--endpoint", endpoint.url, *ASKED, "--json")
        assert list(run(*words).json["figures"]) == ["success", "right tool", "right arguments", "extra calls"]


def chat(content: str) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


def test_an_endpoint_may_ask_to_wait_fail_or_answer_oddly(
    run: Run, toolset: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLNOTE_BENCH_KEY", "k-1234567")
    file = bench_file(tmp_path, prompts=prompts(1))
    wait = (429, {"Retry-After": "0"}, b"{}")
    with FaultyEndpoint(wait, wait, (200, {}, chat("No."))) as endpoint:
        words = ("bench", "run", file, "--endpoint", endpoint.url, *ASKED, "--repeat", "1", "--json")
        assert run(*words).json["requests"] == 2
        assert endpoint.requests == 4
        assert set(endpoint.keys) == {"Bearer k-1234567"}
    refused = json.dumps({"error": {"message": "no such model for k-1234567"}}).encode()
    moved = (307, {"Location": "http://127.0.0.1:1/"}, b"")
    for answer, reason in (
        ((404, {}, refused), "it answers with status 404: no such model for …"),
        (moved, "it answers with status 307"),
        ((200, {}, b"[1]"), "its answer cannot be understood"),
        ((200, {}, b"x" * (4 * 1024 * 1024 + 1)), "its answer is too large"),
    ):
        with FaultyEndpoint(answer) as endpoint:
            said = run("bench", "run", file, "--endpoint", endpoint.url, *ASKED, status=1).err
            assert reason in said
            assert "k-1234567" not in said
            assert endpoint.requests == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((200, {}, b'{"error": {"message": "Insufficient credits", "code": 402}}'), "understood: Insufficient credits"),
        ((400, {}, b'{"error": "no model of this name"}'), "status 400: no model of this name"),
        ((422, {}, b'{"object": "error", "message": "too many tools"}'), "status 422: too many tools"),
        ((422, {}, b'{"detail": [{"msg": "field required"}]}'), 'status 422: [{"msg":"field required"}]'),
        ((400, {}, b'[{"error": {"code": 400, "message": "invalid argument"}}]'), "status 400: invalid argument"),
    ],
    ids=["openrouter", "ollama", "mistral", "fastapi", "gemini"],
)
def test_reason_of_an_endpoint_is_said_in_whatever_shape_it_comes(
    run: Run, toolset: Home, tmp_path: Path, answer: tuple[int, dict[str, str], bytes], reason: str
) -> None:
    """Seen red: only ``error.message`` of a failed status was said."""
    with FaultyEndpoint(answer) as endpoint:
        file = bench_file(tmp_path, prompts=prompts(1))
        assert reason in run("bench", "run", file, "--endpoint", endpoint.url, *ASKED, status=1).err


def test_error_in_an_answer_or_in_its_choice_is_no_choice_of_the_model(
    run: Run, toolset: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: an error of a provider beside an empty message was judged as an answer without a call."""
    monkeypatch.setattr(asyncio, "sleep", lambda _seconds: _done())
    words = ("bench", "run", bench_file(tmp_path, prompts=prompts(1)), *ASKED, "--repeat", "1", "--json", "--endpoint")
    error = {"code": 502, "message": "Provider returned error"}
    choice = {"finish_reason": "error", "error": error, "message": {"role": "assistant", "content": ""}}
    for body in ({"choices": [choice]}, {"error": error}):
        answer: tuple[int, dict[str, str], bytes] = (200, {}, json.dumps(body).encode())
        with FaultyEndpoint(answer, (200, {}, chat("No."))) as endpoint:
            run(*words, endpoint.url)
            assert endpoint.requests == 3
        with FaultyEndpoint(answer) as endpoint:
            assert "status 502: Provider returned error" in run(*words, endpoint.url, status=1).err
    refused = {**choice, "error": {"code": 403, "message": "Flagged"}}
    with FaultyEndpoint((200, {}, json.dumps({"choices": [refused]}).encode())) as endpoint:
        assert "understood: Flagged" in run(*words, endpoint.url, status=1).err
        assert endpoint.requests == 1


@pytest.mark.parametrize(
    ("api", "answer"),
    [
        (OPENAI, {"choices": [{"finish_reason": "length", "message": {"role": "assistant", "content": ""}}]}),
        (OPENAI, {"choices": [{"finish_reason": "content_filter", "message": {"role": "assistant", "content": None}}]}),
        (OPENAI, {"choices": [{"finish_reason": "error", "message": {"role": "assistant", "content": ""}}]}),
        (ANTHROPIC, {"content": [], "stop_reason": "refusal"}),
        (ANTHROPIC, {"content": [{"type": "thinking", "thinking": "", "signature": "x"}], "stop_reason": "max_tokens"}),
    ],
    ids=["length", "filter", "error", "refusal", "max_tokens"],
)
def test_answer_that_was_cut_off_is_none_that_the_model_chose(
    run: Run, toolset: Home, tmp_path: Path, api: tuple[str, str], answer: dict[str, Any]
) -> None:
    """Seen red: it succeeded where no tool should be called, and nothing said that the endpoint ended it."""
    file = bench_file(tmp_path, prompts=[{"id": "greet", "prompt": "Hello.", "tool": None}])
    with FaultyEndpoint((200, {}, json.dumps(answer).encode())) as endpoint:
        words = ("bench", "run", file, "--endpoint", endpoint.url, *api, *ASKED, "--repeat", "1")
        found = run(*words, "--json").json
        assert (found["figures"]["success"]["after"], found["cutOff"]) == (0, 2)
        assert "Answers that the endpoint cut off or refused: 2 of 2" in run(*words).out


def test_name_that_was_not_offered_is_no_right_tool(run: Run, toolset: Home, tmp_path: Path) -> None:
    """Seen red: ``tickets.create`` counted as right, which assistants refuse: it is served as tickets_create."""
    function = {"name": "tickets.create", "arguments": '{"team": "EMEA"}'}
    call = {"id": "c1", "type": "function", "function": function}
    answer = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}
    with FaultyEndpoint((200, {}, json.dumps(answer).encode())) as endpoint:
        file = bench_file(tmp_path, prompts=prompts(1))
        found = run("bench", "run", file, "--endpoint", endpoint.url, *ASKED, "--repeat", "1", "--json").json
    assert found["figures"]["right tool"]["after"] == 0
    assert found["figures"]["extra calls"]["after"] == 1


def test_arguments_that_are_cut_off_go_back_as_json(run: Run, toolset: Home, tmp_path: Path) -> None:
    """Seen red: they went back as they came, which endpoints refuse that read them: the run was lost."""
    call = {"id": "c1", "type": "function", "function": {"name": "tickets_find", "arguments": '{"te'}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    cut: tuple[int, dict[str, str], bytes] = (200, {}, json.dumps({"choices": [{"message": message}]}).encode())
    with FaultyEndpoint(cut, (200, {}, chat("No."))) as endpoint:
        words = ("bench", "run", bench_file(tmp_path, prompts=prompts(1)), "--endpoint", endpoint.url, *ASKED)
        run(*words, "--repeat", "1", "--steps", "2")
    (back,) = endpoint.bodies[1]["messages"][-2]["tool_calls"]
    assert back["function"] == {"name": "tickets_find", "arguments": "{}"}


@pytest.mark.parametrize("api", [OPENAI, ANTHROPIC], ids=lambda api: api[1])
def test_schema_that_the_vendors_refuse_is_sent_as_they_take_it(
    run: Run, home: Home, tmp_path: Path, api: tuple[str, str]
) -> None:
    """Seen red: one tool that combines schemas at the top, or has no ``properties``, had each request refused."""
    merged = {name: {"type": "string"} for name in ("url", "text")}
    either = [{"properties": {name: schema}, "required": [name]} for name, schema in merged.items()]
    schemas: tuple[dict[str, Any], ...] = ({"type": "object", "anyOf": either}, {"type": "object"})
    tools = [{"definition": {"name": f"t{place}", "inputSchema": schema}} for place, schema in enumerate(schemas)]
    catalogue(home.root, {"docs": tools})
    run("toolset", "create", "support", "docs.t0", "docs.t1")
    file = bench_file(tmp_path, prompts=[{"id": "greet", "prompt": "Hello.", "tool": None}])
    with FaultyEndpoint((200, {}, b'{"choices": [{"message": {}}], "content": []}')) as endpoint:
        run("bench", "run", file, "--endpoint", endpoint.url, *api, *ASKED, "--repeat", "1")
    sent = [one.get("input_schema") or one["function"]["parameters"] for one in endpoint.bodies[0]["tools"]]
    assert sent == [{"type": "object", "properties": merged}, {"type": "object", "properties": {}}]


async def _done() -> None:
    """Wait for nothing."""


def test_key_for_an_endpoint_on_this_computer_goes_to_no_proxy(
    run: Run, toolset: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: the proxy got the request, and the key in plain text."""
    monkeypatch.setenv("TOOLNOTE_BENCH_KEY", "k-1234567")
    with FaultyEndpoint((502, {}, b"")) as proxy, FaultyEndpoint((200, {}, chat("No."))) as endpoint:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setattr(asyncio, "sleep", lambda _seconds: _done())
        file = bench_file(tmp_path, prompts=prompts(1))
        run("bench", "run", file, "--endpoint", endpoint.url, *ASKED, "--repeat", "1")
        assert (endpoint.requests, proxy.requests) == (2, 0)


@pytest.mark.parametrize("price", ["nan", "inf", "-1", "x"])
def test_price_that_is_none_is_refused(run: Run, toolset: Home, tmp_path: Path, price: str) -> None:
    """Seen red: the cost was nan, or below nothing."""
    words = ("bench", "run", bench_file(tmp_path), "--dry-run", "--price", "3")
    assert "argument --price: " in run(*words, price, status=2).err


def test_what_an_endpoint_wants_back_with_its_calls_is_sent_back(run: Run, toolset: Home, tmp_path: Path) -> None:
    """Seen red: Gemini's signature and DeepSeek's reasoning were dropped, which both refuse with status 400; arguments
    that came as an object ended the run.
    """
    call = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "tickets_find", "arguments": {"text": "lamp"}},
        "extra_content": {"google": {"thought_signature": "c2ln"}},
    }
    message = {"role": "assistant", "content": None, "reasoning_content": "", "tool_calls": [call], "audio": None}
    looks: tuple[int, dict[str, str], bytes] = (200, {}, json.dumps({"choices": [{"message": message}]}).encode())
    with FaultyEndpoint(looks, (200, {}, chat("No."))) as endpoint:
        words = ("bench", "run", bench_file(tmp_path, prompts=prompts(1)), "--endpoint", f"{endpoint.url}/v1?version=7")
        run(*words, *ASKED, "--repeat", "1", "--steps", "2")
    assert set(endpoint.paths) == {"/v1/chat/completions?version=7"}, "seen red: the path after the query"
    sent = endpoint.bodies[1]["messages"][-2]
    assert sent.keys() == {"role", "content", "reasoning_content", "tool_calls"}
    (back,) = sent["tool_calls"]
    assert back["extra_content"] == {"google": {"thought_signature": "c2ln"}}
    assert back["function"] == {"name": "tickets_find", "arguments": '{"text":"lamp"}'}
    assert "index" not in back


def test_version_of_a_note_takes_the_place_of_that_note_wherever_it_holds(
    run: Run, toolset: Home, tmp_path: Path
) -> None:
    """Seen red: a note for every toolset, or on a source, was served beside its new version; a tool that is always on
    had none to compare.
    """
    run("note", "add", "tickets.create", "team", "Old text.", "--everywhere")
    run("note", "add", "tickets", "shop", "Old source.", "--scope", "source")
    run("tool", "set", "tickets.find", "--always-on")
    run("toolset", "remove-tool", "support", "tickets.find")
    cases = (
        ("tickets.create", "team", "Old text."),
        ("tickets.close", "shop", "Old source."),
        ("tickets.find", "x", ""),
    )
    for tool, name, old in cases:
        file = bench_file(tmp_path, prompts=prompts(1), compare={"tool": tool, "note": name, "text": HELPS})
        with ScriptedModel() as model:
            model.script = script = ReadingModel()
            run("bench", "run", file, "--endpoint", model.url, *ASKED, "--repeat", "1")
        texts = sorted(dict(one.tools)[tool.replace(".", "_")] for one in script.requests)
        assert sum(HELPS in text for text in texts) == 1
        assert [text.count(f"**{name}**") for text in texts if HELPS in text] == [1]
        assert [old in text for text in texts if HELPS not in text] == [True]


def test_retry_after_is_seconds_or_a_date_and_bounded() -> None:
    assert retry_seconds("7") == 7
    assert retry_seconds(formatdate(time.time() + 60, usegmt=True)) == pytest.approx(60, abs=5)
    assert retry_seconds(formatdate(time.time() - 60, usegmt=True)) == 0
    assert [retry_seconds(one) for one in (None, "", "soon", "-1", "9" * 400)][:4] == [None] * 4


def test_the_key_is_kept_where_secrets_are(run: Run, toolset: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Stdin(io.StringIO):
        def isatty(self) -> bool:
            return False

    monkeypatch.setattr(sys, "stdin", Stdin("k-1234567\n"))
    at = ("--endpoint", "https://model.example/v1")
    said = run("bench", "key", *at, "--not-encrypted").out
    assert said == "Stored the key of model.example.\n"
    run("bench", "key", *at, "--remove")
    assert "k-1234567" not in "".join(one.read_text("utf-8") for one in toolset.root.glob("*.json"))
    run("bench", "key", *at, "--remove", status=1)
