"""Servers out of other programs' files: all of them, or a line that says what was not taken and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.machines import OURSELVES, put
from toolnote_desktop.assistants.importing.candidates import (
    ReadResult,
    read_file,
    read_snippet,
)
from toolnote_desktop.assistants.registry import known_client
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code


def entries(reading: ReadResult) -> dict[str, Any]:
    return {candidate.id: candidate.entry for candidate in reading.candidates}


def said(reading: ReadResult) -> str:
    return "\n".join(map(english, reading.warnings))


def read(tmp_path: Path, text: str | dict[str, Any] | bytes) -> ReadResult:
    content = json.dumps(text, indent=1) if isinstance(text, dict) else text
    file = put(tmp_path / "servers.json", content)
    before = file.read_bytes()
    reading = read_file(file, OURSELVES)
    assert file.read_bytes() == before
    return reading


ENTRY = {"command": "npx", "args": ["-y", "some-server"]}


SHAPES: list[dict[str, Any]] = [
    {"mcpServers": {"s": ENTRY}},
    {"servers": {"s": ENTRY}, "inputs": []},
    {"context_servers": {"s": {"source": "custom", **ENTRY}}},
    {"context_servers": {"s": {"command": {"path": "npx", "args": ["-y", "some-server"]}, "settings": {}}}},
    {"mcp": {"servers": {"s": ENTRY}}, "editor.fontSize": 13},
    {"mcp.servers": {"s": ENTRY}},
    {"mcp": {"s": {"type": "local", "command": ["npx", "-y", "some-server"], "enabled": True}}},
    {"projects": {"/home/ada/p": {"mcpServers": {"s": ENTRY}, "history": []}, "/x": {}}},
    {"s": ENTRY},
]


@pytest.mark.parametrize("shape", SHAPES, ids=[next(iter(shape)) for shape in SHAPES])
def test_server_locations_of_all_shapes_are_found(tmp_path: Path, shape: dict[str, Any]) -> None:
    (candidate,) = read(tmp_path, shape).candidates
    assert candidate.id == "s"
    assert (candidate.entry["command"], candidate.entry["args"]) == ("npx", ["-y", "some-server"])


SPELLINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": "streamableHttp", "url": "u"}, {"type": "http", "url": "u"}),
    ({"type": "streamable-http", "url": "u"}, {"type": "http", "url": "u"}),
    ({"transport": "sse", "url": "u"}, {"type": "sse", "url": "u"}),
    ({"type": "remote", "url": "u"}, {"type": "http", "url": "u"}),
    ({"url": "u"}, {"type": "http", "url": "u"}),
    ({"serverUrl": "u"}, {"type": "http", "url": "u"}),
    ({"httpUrl": "u"}, {"type": "http", "url": "u"}),
    ({"command": "c", "environment": {"A": "b"}}, {"command": "c", "env": {"A": "b"}}),
    ({"command": "c", "disabled": True}, {"command": "c", "disabled": True}),
    ({"command": "c", "disabled": False}, {"command": "c"}),
    ({"command": "c", "enabled": False}, {"command": "c", "disabled": True}),
    ({"command": "c", "cwd": "/x", "env": None}, {"command": "c", "cwd": "/x"}),
    ({"command": "c", "toolnote": {"prefix": "p"}}, {"command": "c", "toolnote": {"prefix": "p"}}),
]


@pytest.mark.parametrize(("written", "taken"), SPELLINGS)
def test_other_spellings_are_understood_without_a_word(
    tmp_path: Path, written: dict[str, Any], taken: dict[str, Any]
) -> None:
    reading = read(tmp_path, {"mcpServers": {"s": written}})
    assert entries(reading) == {"s": taken}
    assert reading.warnings == ()


OTHERS = [
    ("s.toml", 'model = "x"\n[mcp_servers.s]\ncommand = "npx"\nargs = ["-y", "some-server"]\n'),
    ("s.yaml", "extensions:\n  s:\n    type: stdio\n    cmd: npx\n    args: [-y, some-server]\n"),
    ("s.yml", "mcpServers:\n- name: s\n  command: npx\n  args:\n  - -y\n  - some-server\n"),
    ("s.YAML", '{"mcpServers": {"s": {"command": "npx", "args": ["-y", "some-server"]}}}'),
]


@pytest.mark.parametrize(("name", "text"), OTHERS, ids=[name for name, _ in OTHERS])
def test_other_formats_are_known_by_their_ending(tmp_path: Path, name: str, text: str) -> None:
    reading = read_file(put(tmp_path / name, text), OURSELVES)
    (candidate,) = reading.candidates
    assert (candidate.id, candidate.entry["command"], candidate.entry["args"]) == ("s", "npx", ["-y", "some-server"])
    assert reading.warnings == ()


SPECIAL = """[mcp_servers.a]
url = "https://a"
env_http_headers = { X-Team = "TEAM" }
http_headers = { X-Kind = "1" }
bearer_token_env_var = ""
startup_timeout_ms = 1500
tool_timeout_sec = 0
[mcp_servers.b]
url = "https://b"
env_http_headers = 1
"""


def test_codex_specific_keys_are_read(tmp_path: Path) -> None:
    reading = read_file(put(tmp_path / "config.toml", SPECIAL), OURSELVES, known_client("codex"))
    assert entries(reading) == {}
    assert [warning.parameters["line"] for warning in reading.warnings] == ["5", "7", "10"]
    text = SPECIAL.replace('bearer_token_env_var = ""\n', "")
    assert entries(read_file(put(tmp_path / "config.toml", text), OURSELVES, known_client("codex"))) == {
        "a": {
            "type": "http",
            "url": "https://a",
            "headers": {"X-Team": "${TEAM}", "X-Kind": "1"},
            "toolnote": {"startTimeout": 1.5},
        }
    }


def test_of_a_broken_file_in_another_format_the_whole_entries_are_offered(tmp_path: Path) -> None:
    toml = '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.b]\ncommand = x\n'
    reading = read_file(put(tmp_path / "s.toml", toml), OURSELVES)
    assert (list(entries(reading)), [warning.parameters["line"] for warning in reading.warnings]) == (["a"], ["4"])
    text = "extensions:\n  a:\n    cmd: x\n  b:\n    cmd: [x\n    args: []\n"
    reading = read_file(put(tmp_path / "s.yaml", text), OURSELVES)
    assert list(entries(reading)) == ["a"]
    assert [warning.parameters["line"] for warning in reading.warnings] == ["6"]


def test_items_without_a_name_and_names_that_stand_twice(tmp_path: Path) -> None:
    text = "mcpServers:\n- command: x\n- 7\n- {name: a, command: y}\n- {name: a, command: z}\n"
    reading = read_file(put(tmp_path / "s.yaml", text), OURSELVES)
    assert entries(reading) == {"number 1": {"command": "x"}, "a": {"command": "z"}}
    assert '"a" is repeated here' in said(reading)
    assert 'server "number 2": an object is expected' in said(reading)


def test_client_conventions_are_applied(tmp_path: Path) -> None:
    file = put(tmp_path / "s.json", '{"mcpServers": {"a": {"command": "c", "timeout": 60000}}}')
    reading = read_file(file, OURSELVES)
    assert entries(reading)["a"]["timeout"] == 60
    assert "milliseconds" in said(reading)
    reading = read(tmp_path, {"mcpServers": {"a": {"command": "c", "timeout": 2.5}}})
    assert entries(reading)["a"]["timeout"] == 2.5
    assert "seconds" in said(reading)
    assert read_file(file, OURSELVES, known_client("cursor")).candidates[0].sources[0].client == "cursor"


def test_a_file_with_gemini_clis_own_key_is_read_as_gemini_cli_does(tmp_path: Path) -> None:
    servers = {"old": {"url": "https://e/sse"}, "new": {"httpUrl": "https://e/mcp", "timeout": 5000}}
    found = entries(read(tmp_path, {"mcpServers": servers}))
    assert [(entry["type"], entry.get("timeout")) for entry in found.values()] == [("sse", None), ("http", 5)]
    assert entries(read(tmp_path, {"mcpServers": {"old": servers["old"]}}))["old"]["type"] == "http"


BAD = """{
  "mcpServers": {
    "number": {"command": 7},
    "text": {
      "command": "x",
      "args": "--a --b"
    },
    "good": {"command": "x", "args": ["--port", 8080, true], "env": {"N": 1, "NO": null}},
    "odd": {"command": "x", "args": [["a"]]},
    "kind": {"type": "websocket", "url": "ws://x"},
    "none": {"args": []},
    "empty": {"command": " "},
    "not": "an object",
    "needs": {"type": "http", "command": "x"},
    "env": {"command": "x", "env": ["A=b"]},
    "flag": {"command": "x", "disabled": "yes"},
    "never": {"command": "x", "timeout": -1},
    "ours": {"command": "x", "toolnote": {"startTimeout": "soon"}},
    "good": {"command": "y", "extra": {"a": 1}}
  }
}
"""


COMPLAINTS = [
    (19, '"good" is repeated here'),
    (3, 'server "number": "command" is a number, text is expected; it is skipped'),
    (6, 'server "text": "args" is text, a list of texts is expected'),
    (9, 'server "odd": "args" holds a list where text is expected'),
    (10, 'server "kind": "type" is none of stdio, http and sse'),
    (11, 'server "none": there is neither a "command" nor a "url"'),
    (12, 'server "empty": "command" is empty'),
    (13, 'server "not": an object is expected'),
    (14, 'server "needs": a server of type http needs a "url"'),
    (15, 'server "env": "env" is a list, an object is expected'),
    (16, 'server "flag": "disabled" is text, true or false is expected'),
    (17, 'server "never": "timeout" is not a time and is left out'),
    (18, 'server "ours": toolnote.startTimeout'),
    (19, 'server "good": "extra" is kept but has no meaning here'),
]


def test_import_problem_names_file_line_and_field_and_the_rest_is_offered(tmp_path: Path) -> None:
    reading = read(tmp_path, BAD)
    assert entries(reading) == {"good": {"command": "y", "extra": {"a": 1}}, "never": {"command": "x"}}
    told = [english(warning).removeprefix(f"{tmp_path / 'servers.json'}, ") for warning in reading.warnings]
    for line, words in COMPLAINTS:
        assert any(text.startswith(f"line {line}: {words}") for text in told), (line, words, told)
    assert len(told) == len(COMPLAINTS)
    outcomes = ("skipped", "is used", "left out", "kept")
    assert all(any(outcome in text for outcome in outcomes) for text in told)


def test_numbers_become_text_and_are_named(tmp_path: Path) -> None:
    reading = read(
        tmp_path, {"mcpServers": {"a": {"command": "x", "args": ["-p", 8080, True], "env": {"N": 1, "M": None}}}}
    )
    assert entries(reading)["a"] == {"command": "x", "args": ["-p", "8080", "true"], "env": {"N": "1"}}
    assert said(reading).count("read as text") == 3
    assert '"env.M" is null and is left out' in said(reading)


def test_a_missing_brace_is_said_with_its_line_and_what_is_whole_is_offered(tmp_path: Path) -> None:
    text = '{\n "mcpServers": {\n  "a": {"command": "x"},\n  "b": {"command": "y",\n   "args": ["1"\n'
    reading = read(tmp_path, text)
    assert entries(reading) == {"a": {"command": "x"}}
    assert [warning.parameters["line"] for warning in reading.warnings] == ["6", "4"]
    assert 'server "b"' in said(reading)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = '{"mcpServers": {"büro": {"command": "日本"}}}'
    assert entries(read(tmp_path, text.encode(encoding))) == {"büro": {"command": "日本"}}


def test_files_that_give_nothing(tmp_path: Path) -> None:
    assert read_file(tmp_path / "none.json", OURSELVES).warnings[0].code is Code.IMPORT_FILE_UNREADABLE
    assert "not UTF-8" in said(read(tmp_path, b"\xe4\xe4"))
    for text in ("{}", "[]", "3", '{"a": {"b": 1}}'):
        reading = read(tmp_path, text)
        assert reading.candidates == ()
        assert "no servers were found" in said(reading)
    assert "an object is expected" in said(read(tmp_path, '{"mcpServers": [1]}'))


def test_two_shapes_in_one_file(tmp_path: Path) -> None:
    reading = read(tmp_path, {"mcpServers": {"a": {"command": "x"}}, "servers": {"b": {"command": "y"}}})
    assert list(entries(reading)) == ["a", "b"]


SNIPPETS = [
    '{"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}}}',
    '"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}}',
    '"git": {\n  "command": "uvx",\n  "args": ["mcp-server-git"] // here\n},\n',
    '{"command": "uvx", "args": ["mcp-server-git"]}',
    '# ~/.codex/config.toml\n[mcp_servers.git] # here\ncommand = "uvx"\nargs = ["mcp-server-git"]\n',
    'mcpServers:\n  - name: git\n    command: uvx\n    args: ["mcp-server-git"]\n',
    "# goose\nextensions:\n  git: {cmd: uvx, args: [mcp-server-git]}\n",
]


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_from_a_servers_instructions(snippet: str) -> None:
    reading = read_snippet(snippet, OURSELVES)
    assert entries(reading) == {"git": {"command": "uvx", "args": ["mcp-server-git"]}}
    assert reading.warnings == ()


NAMES = [
    ({"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github@1.2"]}, "github"),
    ({"command": "npx", "args": ["-y", "linear-mcp-server"]}, "linear"),
    ({"command": "docker", "args": ["run", "-i", "--rm", "mcp/fetch"]}, "fetch"),
    ({"command": "C:\\x\\My Tool.exe"}, "My Tool"),
    ({"command": "/usr/bin/node", "args": ["/srv/notes/index.js"]}, "index"),
    ({"url": "https://mcp.linear.app/sse"}, "linear"),
    ({"url": "https://[bad"}, "server"),
    ({"command": "npx"}, "npx"),
]


@pytest.mark.parametrize(("entry", "name"), NAMES)
def test_a_server_without_a_name_gets_one(entry: dict[str, Any], name: str) -> None:
    assert [candidate.id for candidate in read_snippet(json.dumps(entry), OURSELVES).candidates] == [name]


def test_toolnote_is_never_its_own_server(tmp_path: Path) -> None:
    own = {
        "toolnote": {"command": "/opt/toolnote", "args": ["bridge", "--client", "cursor"]},
        "renamed": {"command": "python3", "args": ["-m", "toolnote_desktop", "bridge"]},
        "by url": {"url": "http://localhost:8377/mcp"},
        "v6": {"url": "http://[::1]:9001/mcp"},
    }
    reading = read(tmp_path, {"mcpServers": {**own, "other": {"command": "x"}}})
    assert list(entries(reading)) == ["other"]
    assert [warning.parameters["server"] for warning in reading.warnings] == list(own)
    assert all(warning.code is Code.SERVER_IS_TOOLNOTE for warning in reading.warnings)
