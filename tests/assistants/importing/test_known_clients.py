"""The servers in the files of every client that is known, as they are taken over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.importing.test_candidates import entries, said
from tests.assistants.machines import OURSELVES, USUAL, machine, machines, put, put_sample, sample
from toolnote_desktop.assistants.discovery import find_clients
from toolnote_desktop.assistants.importing.candidates import (
    read_client,
)
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.servers import parse_servers

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
    "antigravity": {
        "docs": {
            "type": "http",
            "url": "https://docs.example.com/mcp",
            "headers": {"Authorization": "Bearer sample-secret"},
        },
        "chrome-devtools": {"command": "npx", "args": ["chrome-devtools-mcp@latest", "-y"]},
    },
    "warp": {
        "git": {"command": "uvx", "args": ["mcp-server-git"], "cwd": "/home/ada/work"},
        "linear": {"type": "http", "url": "https://mcp.linear.app/mcp"},
    },
    "kilo-code": {
        "everything": {
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-everything"],
            "env": {"MODE": "test"},
            "toolnote": {"startTimeout": 10},
        },
        "docs": {"type": "http", "url": "https://docs.example.com/mcp", "disabled": True},
    },
    "kimi-cli": {
        "context7": {
            "type": "http",
            "url": "https://mcp.context7.com/mcp",
            "headers": {"Authorization": "Bearer ${CONTEXT7_TOKEN}"},
            "timeout": 60,
        },
        "git": {
            "command": "uvx",
            "args": ["mcp-server-git"],
            "disabled": True,
            "toolnote": {"startTimeout": 20},
        },
    },
    "jan": {
        "fetch": {"command": "uvx", "args": ["mcp-server-fetch"], "env": {}},
        "exa": {
            "type": "http",
            "url": "https://mcp.exa.ai/mcp",
            "headers": {},
            "disabled": True,
            "official": True,
        },
    },
    "grok-build": {
        "docs": {
            "type": "http",
            "url": "https://docs.example.com/mcp",
            "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"},
        },
        "git": {"command": "uvx", "args": ["mcp-server-git"], "timeout": 90, "disabled": True},
    },
    "hermes": {
        "time": {"command": "uvx", "args": ["mcp-server-time"]},
        "company": {
            "type": "http",
            "url": "https://mcp.example.com/mcp",
            "headers": {"Authorization": "Bearer sample-secret"},
            "timeout": 60,
            "disabled": True,
        },
    },
}


WARNED: dict[str | tuple[str, str], list[tuple[int, str]]] = {
    "windsurf": [(10, '"disabledTools"')],
    "zed": [(21, '"settings"'), (18, "neither")],
    "gemini-cli": [(17, '"includeTools"')],
    "opencode": [(15, '"oauth"')],
    "qwen-code": [(5, '"includeTools"')],
    "droid": [(12, '"disabledTools"')],
    "codex": [(19, '"enabled_tools"'), (29, '"tools"')],
    "goose": [(4, '"developer"'), (11, "not a server"), (29, "only the client knows"), (47, '"available_tools"')],
    ("goose", "win32"): [(5, '"developer"'), (12, "not a server"), (30, "only the client"), (48, '"available_tools"')],
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
    assert [(file.location.label, file.servers) for file in found.files] == [("", ("db",)), (str(shop), ("docs",))]
    assert (found.notes, found.problem, found.connected) == ((), None, True)
    reading = read_client(found, OURSELVES)
    assert {one.id: one.sources[0].file for one in reading.candidates} == {
        "db": str(environment.home / ".claude.json"),
        "docs": str(shared),
    }
