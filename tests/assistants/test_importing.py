"""Servers out of other programs' files: all of them, or a line that says what was not taken and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.machines import OURSELVES, USUAL, machine, machines, put, put_sample, sample
from toolnote_desktop.assistants.clients import known_client
from toolnote_desktop.assistants.find import find_clients
from toolnote_desktop.assistants.handing_on import without_secrets
from toolnote_desktop.assistants.importing import (
    Candidate,
    CandidateState,
    Reading,
    Source,
    import_edits,
    preview,
    read_client,
    read_file,
    read_snippet,
)
from toolnote_desktop.model.edits import SERVERS
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import parse_servers
from toolnote_desktop.wording import english

TAKEN: dict[str | tuple[str, str], dict[str, Any]] = {
    ("claude-desktop", "linux"): {
        "filesystem": {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents"],
        },
        "github": {
            "command": "docker",
            "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
            "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_sample0000secret"},
        },
    },
    ("claude-desktop", "win32"): {
        "filesystem": {
            "command": "C:\\Program Files\\nodejs\\npx.cmd",
            "args": ["-y", "@modelcontextprotocol/server-filesystem", "C:\\Users\\Ada\\Documents"],
            "env": {},
        },
        "sqlite": {
            "command": "uvx",
            "args": ["mcp-server-sqlite", "--db-path", "C:\\Users\\Ada\\notes & more.db"],
        },
    },
    ("cursor", "darwin"): {
        "Sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp"},
        "postgres": {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-postgres", "postgresql://ada:hunter2@localhost/shop"],
            "env": {"PGSSLMODE": "${env:PGSSLMODE}"},
        },
    },
    ("vscode", "linux"): {
        "github": {
            "type": "http",
            "url": "https://api.githubcopilot.com/mcp/",
            "headers": {"Authorization": "Bearer ${input:github-token}"},
        },
        "playwright": {"command": "npx", "args": ["-y", "@playwright/mcp@latest"], "gallery": True},
    },
    ("vscode", "win32"): {
        "my-server": {
            "type": "stdio",
            "command": "C:\\tools\\my server\\run.bat",
            "env": {"REGION": "eu", "API_KEY": "sk-sample-secret"},
            "envFile": "${workspaceFolder}\\.env",
        },
        "events": {"type": "sse", "url": "https://events.example.com/sse?key=sample-secret"},
    },
    "claude-code": {
        "sentry": {
            "type": "http",
            "url": "https://mcp.sentry.dev/mcp",
            "headers": {"X-Team": "${SENTRY_TEAM:-core}"},
        },
        "git": {
            "type": "stdio",
            "command": "uvx",
            "args": ["mcp-server-git"],
            "env": {},
            "timeout": 60,
            "alwaysLoad": True,
        },
        "shop-db": {
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-postgres"],
            "env": {"DATABASE_URL": "postgresql://ada:sample-secret@localhost/shop"},
        },
    },
    "windsurf": {
        "figma": {"type": "http", "url": "http://127.0.0.1:3845/mcp"},
        "memory": {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-memory"],
            "disabled": True,
            "disabledTools": ["delete_entities"],
        },
    },
    "cline": {
        "fetch": {
            "type": "stdio",
            "command": "uvx",
            "args": ["mcp-server-fetch"],
            "timeout": 3600,
            "autoApprove": ["fetch"],
        },
        "docs": {"type": "http", "url": "https://docs.example.com/mcp", "disabled": True},
    },
    "zed": {
        "git": {"command": "uvx", "args": ["mcp-server-git"], "env": {}, "source": "custom"},
        "older": {"command": "node", "args": ["/home/ada/server.js"], "env": {"MODE": "test"}},
    },
    "gemini-cli": {
        "docs": {"type": "http", "url": "https://docs.example.com/mcp", "timeout": 30, "trust": False},
        "events": {"type": "sse", "url": "https://events.example.com/sse"},
        "local": {"command": "node", "args": ["server.js"], "cwd": "./tools", "includeTools": ["read"]},
    },
    "codex": {
        "docs": {
            "type": "http",
            "url": "https://docs.example.com/mcp",
            "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"},
            "toolnote": {"startTimeout": 20},
        },
        "build-tools": {
            "command": "npx",
            "args": ["-y", "build-tools-mcp"],
            "env": {"BUILD_TOKEN": "sample-secret", "REGION": "eu"},
            "timeout": 90.5,
            "disabled": True,
            "enabled_tools": ["build"],
        },
        "issues": {
            "command": "C:\\tools\\issues.exe",
            "env": {"ISSUES_KEY": "sample-secret"},
            "tools": {"search": {"approval_mode": "approve"}},
        },
    },
    "goose": {
        "github": {
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-github"],
            "env": {
                "GITHUB_HOST": "github.example.com",
                "GITHUB_TOKEN": "sample-secret",
                "GITHUB_PERSONAL_ACCESS_TOKEN": "${GITHUB_PERSONAL_ACCESS_TOKEN}",
            },
            "timeout": 120,
            "name": "github",
            "bundled": None,
        },
        "figma": {"type": "http", "url": "http://127.0.0.1:3845/mcp", "name": "figma"},
        "reports": {
            "type": "http",
            "url": "https://reports.example.com/mcp",
            "headers": {"Authorization": "Bearer sample-secret"},
            "timeout": 300,
            "disabled": True,
            "name": "reports",
            "available_tools": ["monthly"],
        },
    },
    "continue": {
        "SQLite": {
            "command": "uvx",
            "args": ["mcp-server-sqlite", "--db-path", "/home/ada/notes.db"],
            "env": {"MODE": "read-only"},
        },
        "Docs": {
            "type": "http",
            "url": "https://docs.example.com/mcp",
            "headers": {"Authorization": "Bearer sample-secret"},
        },
    },
    "amazon-q": {
        "markdown-tools": {"command": "npx", "args": ["-y", "@example/markdown-mcp"], "env": {}, "timeout": 120}
    },
    "copilot-cli": {
        "playwright": {
            "type": "stdio",
            "command": "npx",
            "args": ["@playwright/mcp@latest"],
            "env": {"DISPLAY": "${DISPLAY}"},
            "tools": ["*"],
        }
    },
    "opencode": {
        "everything": {
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-everything"],
            "env": {"LEVEL": "debug"},
            "disabled": True,
            "toolnote": {"startTimeout": 5},
        },
        "sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp", "oauth": {}},
    },
}

WARNED: dict[str | tuple[str, str], list[tuple[int, str]]] = {
    "windsurf": [(10, '"disabledTools"')],
    "zed": [(21, '"settings"'), (18, "neither")],
    "gemini-cli": [(17, '"includeTools"')],
    "opencode": [(15, '"oauth"')],
    "codex": [(19, '"enabled_tools"'), (29, '"tools"')],
    "goose": [(4, '"developer"'), (11, "no server"), (29, "only the client knows"), (47, '"available_tools"')],
    ("goose", "win32"): [(5, '"developer"'), (12, "no server"), (30, "only the client"), (48, '"available_tools"')],
    "continue": [
        (21, '"uses"'),
        (22, '"with"'),
        (21, "neither"),
        (23, "secrets.GITHUB_TOKEN"),
        (30, '"requestOptions.timeout"'),
    ],
    ("cursor", "linux"): [(12, "workspaceFolder")],
    ("vscode", "linux"): [(16, "${input:github-token}")],
    ("vscode", "win32"): [(6, '"envFile"'), (6, "workspaceFolder")],
}


def entries(reading: Reading) -> dict[str, Any]:
    return {candidate.id: candidate.entry for candidate in reading.candidates}


def said(reading: Reading) -> str:
    return "\n".join(map(english, reading.warnings))


def read(tmp_path: Path, text: str | dict[str, Any] | bytes) -> Reading:
    content = json.dumps(text, indent=1) if isinstance(text, dict) else text
    file = put(tmp_path / "servers.json", content)
    before = file.read_bytes()
    reading = read_file(file, OURSELVES)
    assert file.read_bytes() == before
    return reading


@pytest.mark.parametrize("client", USUAL)
def test_the_servers_of_a_client(tmp_path: Path, client: str) -> None:
    for environment in machines(tmp_path):
        platform, file = environment.platform, put_sample(environment, client)
        found = next(one for one in find_clients(environment, OURSELVES) if one.client.id == client)
        reading = read_client(found, OURSELVES)
        taken = TAKEN.get(client) or TAKEN.get((client, platform))
        if taken is not None:
            assert entries(reading) == taken
        else:
            assert found.chosen is not None
            assert list(entries(reading)) == list(found.chosen.servers)
        warned = WARNED.get((client, platform)) or WARNED.get(client, [])
        assert [warning.parameters["line"] for warning in reading.warnings] == [str(line) for line, _ in warned]
        for warning, (_, words) in zip(reading.warnings, warned, strict=True):
            assert words in english(warning)
            assert english(warning).startswith(f"{file}, line ")
        for candidate in reading.candidates:
            (source,) = candidate.sources
            assert (source.client, source.file) == (client, str(file))
            assert candidate.id in sample(client, platform).decode("utf-8-sig").splitlines()[source.line - 1]
            assert "secret" not in repr(candidate)
        assert "secret" not in said(reading).replace("secrets.", "")
        assert file.read_bytes() == sample(client, platform)
        parse_servers({"mcpServers": entries(reading)}, lambda place, reason: pytest.fail(f"{place}: {reason}"))


def test_the_servers_of_all_profiles(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    usual = put_sample(environment, "vscode")
    profiles = {"userDataProfiles": [{"location": "1", "name": "Work"}]}
    put(usual.parent / "globalStorage/storage.json", json.dumps(profiles))
    put(usual.parent / "profiles/1/mcp.json", '{"servers": {"only-at-work": {"command": "x"}}}')
    (found,) = (one for one in find_clients(environment, OURSELVES) if one.client.id == "vscode")
    assert list(entries(read_client(found, OURSELVES))) == ["github", "playwright", "only-at-work"]


def test_the_servers_of_claude_codes_projects(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    shop, gone = tmp_path / "shop", tmp_path / "gone"
    own = {"toolnote": {"command": "toolnote", "args": ["bridge"]}}
    shared = put(shop / ".mcp.json", json.dumps({"mcpServers": {"docs": {"type": "http", "url": "u"}, **own}}))
    put(tmp_path / "left.mcp.json", "{}")
    projects = {
        str(shop): {"mcpServers": {"db": {"command": "x"}}},
        str(gone): {"mcpServers": {}},
        "relative": {},
        "//other/share": {},
        "/no\0name": {},
    }
    put(environment.home / ".claude.json", json.dumps({"projects": projects}))
    (found,) = (one for one in find_clients(environment, OURSELVES) if one.client.id == "claude-code")
    assert [(file.place.label, file.servers) for file in found.files] == [("", ("db",)), (str(shop), ("docs",))]
    assert (found.notes, found.problem, found.connected) == ((), None, True)
    reading = read_client(found, OURSELVES)
    assert {one.id: one.sources[0].file for one in reading.candidates} == {
        "db": str(environment.home / ".claude.json"),
        "docs": str(shared),
    }


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
def test_every_shape_is_known(tmp_path: Path, shape: dict[str, Any]) -> None:
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


def test_what_only_codex_has(tmp_path: Path) -> None:
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
    assert '"a" stands here again' in said(reading)
    assert 'server "number 2": an object is expected' in said(reading)


def test_each_client_has_its_own_habits(tmp_path: Path) -> None:
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


def test_two_names_in_one_file_are_two_servers() -> None:
    def found(file: str, **servers: JsonObject) -> Reading:
        candidates = [Candidate(id, id, entry, (Source(None, file, 1, id),)) for id, entry in servers.items()]
        return Reading(tuple(candidates))

    plain: JsonObject = {"command": "x"}
    told: JsonObject = {"command": "x", "env": {"DEBUG": "1"}}
    mine = found("mine.json", plain=plain, again=plain, told=told)
    assert [one.id for one in preview([mine], {}).candidates] == ["plain", "again", "told"]
    reading = preview([mine, found("other.json", elsewhere=plain)], {})
    assert [[source.name for source in one.sources] for one in reading.candidates] == [
        ["plain", "elsewhere"],
        ["again"],
        ["told"],
    ]


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
    (19, '"good" stands here again'),
    (3, 'server "number": "command" is a number, text is expected; it is not taken'),
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


def test_what_is_wrong_is_said_with_file_line_and_field_and_the_rest_is_offered(tmp_path: Path) -> None:
    reading = read(tmp_path, BAD)
    assert entries(reading) == {"good": {"command": "y", "extra": {"a": 1}}, "never": {"command": "x"}}
    told = [english(warning).removeprefix(f"{tmp_path / 'servers.json'}, ") for warning in reading.warnings]
    for line, words in COMPLAINTS:
        assert any(text.startswith(f"line {line}: {words}") for text in told), (line, words, told)
    assert len(told) == len(COMPLAINTS)
    assert all("not taken" in text or "counts" in text or "left out" in text or "kept" in text for text in told)


def test_numbers_become_text_and_are_named(tmp_path: Path) -> None:
    reading = read(
        tmp_path, {"mcpServers": {"a": {"command": "x", "args": ["-p", 8080, True], "env": {"N": 1, "M": None}}}}
    )
    assert entries(reading)["a"] == {"command": "x", "args": ["-p", "8080", "true"], "env": {"N": "1"}}
    assert said(reading).count("taken as text") == 3
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


def readings(*servers: dict[str, Any]) -> list[Reading]:
    return [read_snippet(json.dumps({"mcpServers": one}), OURSELVES, f"file {n}") for n, one in enumerate(servers)]


def test_one_server_in_several_clients_is_one_candidate() -> None:
    git = {"command": "uvx", "args": ["mcp-server-git"]}
    together = preview(
        readings(
            {"git": {**git, "disabled": True}, "x": {"url": "https://x"}},
            {"Git!": {**git, "type": "stdio", "env": {"A": "1"}}},
            {"x": {"type": "http", "url": "https://x", "headers": {"H": "1"}}},
        ),
        {},
    )
    assert [(one.id, len(one.sources), one.state) for one in together.candidates] == [
        ("git", 2, CandidateState.NEW),
        ("x", 2, CandidateState.NEW),
    ]
    assert together.candidates[0].entry == {**git, "type": "stdio", "env": {"A": "1"}}
    assert together.candidates[1].entry["headers"] == {"H": "1"}


def test_a_second_account_is_another_server() -> None:
    github = {"command": "docker", "args": ["run", "github"]}
    work, own = ({**github, "env": {"TOKEN": token}} for token in ("1", "2"))
    together = preview(readings({"github": work}, {"github": own}), {})
    assert entries(together) == {"github": work, "github-2": own}
    assert [one.state for one in together.candidates] == [CandidateState.NEW, CandidateState.RENAMED]
    apart = preview(readings({"g": {**github, "env": {"A": "1"}}}, {"g": {**github, "env": {"B": "2"}}}), {})
    assert len(apart.candidates) == 2


def test_what_is_in_the_library_is_never_written_over() -> None:
    existing = {
        "git": {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "kept"}, "toolnote": {"prefix": "g"}},
        "odd": [],
        "time": {"type": "stdio", "command": "uvx", "args": ["mcp-server-time"], "env": "odd"},
    }
    found = readings(
        {"git": {"command": "uvx", "args": ["mcp-server-git"]}, "time": {"command": "z"}, "odd": {"command": "q"}}
    )
    together = preview(found, existing)
    assert [(one.id, one.found_as, one.state) for one in together.candidates] == [
        ("git", "git", CandidateState.PRESENT),
        ("time-2", "time", CandidateState.RENAMED),
        ("odd-2", "odd", CandidateState.RENAMED),
    ]
    raw: Any = {"mcpServers": existing}
    for edit in import_edits(together.candidates, {"git", "time-2"}):
        assert edit.document == SERVERS
        raw, _ = edit.apply(raw)
    assert raw == {"mcpServers": {**existing, "time-2": {"command": "z"}}}


HERE: dict[str, Any] = {
    "command": "uvx",
    "args": ["mcp-server-git", "--api-key", "sk-123456789", "--token=ghp_1234567890"],
    "env": {"GIT_TOKEN": "ghp_real", "LEVEL": "debug"},
    "toolnote": {"prefix": "g"},
}
REMOTE: dict[str, Any] = {
    "type": "http",
    "url": "https://mcp.example/mcp?key=real",
    "headers": {"Authorization": "Bearer real", "X-Team": "a"},
}
GIT = {"command": "uvx", "args": HERE["args"]}


@pytest.mark.parametrize(
    ("here", "given"),
    [
        (HERE, without_secrets(HERE)),
        (REMOTE, without_secrets(REMOTE)),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "${GIT_TOKEN}"}}),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "<your token>", "LEVEL": "debug"}}),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "YOUR_TOKEN", "LEVEL": ""}}),
        (HERE, {**GIT, "args": ["mcp-server-git", "--api-key", "${input:key}", "--token=<token>"]}),
        (REMOTE, {"url": "https://mcp.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}),
    ],
)
def test_a_server_whose_secrets_were_left_out_is_the_one_that_is_here(here: JsonObject, given: JsonObject) -> None:
    (same,) = preview(readings({"git": given}), {"git": here}).candidates
    assert (same.id, same.state) == ("git", CandidateState.PRESENT)
    assert import_edits([same], {"git"}) == ()


@pytest.mark.parametrize(
    ("here", "given"),
    [
        (HERE, {**GIT, "env": {"GIT_TOKEN": "ghp_another"}}),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "${GIT_TOKEN}", "LEVEL": "info"}}),
        (HERE, {**GIT, "env": {"NEW_TOKEN": "${NEW_TOKEN}"}}),
        (HERE, {**GIT, "args": [*HERE["args"], "--verbose"]}),
        (HERE, {**without_secrets(HERE), "command": "npx"}),
        (REMOTE, {"url": "https://mcp.example/other"}),
        (REMOTE, {**without_secrets(REMOTE), "headers": {"Authorization": "Token ${TOKEN}"}}),
        ([], {"command": "uvx"}),
    ],
)
def test_another_one_is_another_one(here: Any, given: JsonObject) -> None:
    (other,) = preview(readings({"git": given}), {"git": here}).candidates
    assert (other.id, other.state) == ("git-2", CandidateState.RENAMED)


def test_what_arrives_can_be_switched_off_and_put_into_a_toolset() -> None:
    together = preview(readings({"a": {"command": "x", "toolnote": {"prefix": ""}}}), {})
    (edit,) = import_edits(together.candidates, ["a"], disabled=True, toolset="my-tools")
    assert edit.apply(None)[0] == {
        "mcpServers": {"a": {"command": "x", "toolnote": {"prefix": "", "toolset": "my-tools"}, "disabled": True}}
    }
    assert import_edits(together.candidates, []) == ()
