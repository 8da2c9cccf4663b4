"""What a published server says of itself, as strangers write it; its fields; and the entry that the values make."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop import assets
from toolnote_desktop.model.document import parse_entry
from toolnote_desktop.model.servers import Server
from toolnote_desktop.public_registry.bundled import FILE, bundled_servers, search_bundled
from toolnote_desktop.public_registry.form import Way, entry, fields, missing, suggested_id, ways
from toolnote_desktop.public_registry.records import Published, read_page, read_server


def server(**parts: Any) -> Published:
    found = read_server({"name": "io.example/notes", **parts})
    assert found is not None
    return found


def only_way(**parts: Any) -> Way:
    (way,) = ways(server(**parts))
    return way


def package(kind: str = "npm", **parts: Any) -> dict[str, Any]:
    return {"registryType": kind, "identifier": "notes", "transport": {"type": "stdio"}, **parts}


def test_a_package_with_everything_that_it_can_want() -> None:
    way = only_way(
        packages=[
            package(
                version="1.2.0",
                runtimeArguments=[{"type": "named", "name": "--registry", "value": "https://npm.example"}],
                packageArguments=[
                    {"type": "positional", "value": "serve"},
                    {"type": "positional", "valueHint": "folder_name", "isRequired": True, "isRepeated": True},
                    {"type": "named", "name": "--level", "choices": ["low", "high"], "default": "low"},
                    {"type": "named", "name": "--quiet", "format": "boolean", "default": "false"},
                    {"type": "named", "name": "--bare"},
                ],
                environmentVariables=[
                    {"name": "KEY", "isRequired": True, "isSecret": True},
                    {"name": "MODE", "value": "a-{mode}", "variables": {"mode": {"description": "Which"}}},
                    {"name": "FIXED", "value": "1"},
                ],
            )
        ]
    )
    assert [(one.label, one.input.required, one.lines) for one in fields(way)] == [
        ("folder name", True, True),
        ("KEY", True, False),
        ("level", False, False),
        ("quiet", False, False),
        ("mode", False, False),
    ]
    assert [one.label for one in missing(way, {})] == ["folder name", "KEY"]
    values = {"arg:1": "/a\n/b c", "env:KEY": "s3cret-1", "arg:2": "high", "arg:3": "true"}
    assert entry(way, values) == {
        "type": "stdio",
        "command": "npx",
        "args": [
            *("-y", "--registry", "https://npm.example", "notes@1.2.0", "serve", "/a", "/b c"),
            *("--level", "high", "--quiet", "--bare"),
        ],
        "env": {"KEY": "s3cret-1", "FIXED": "1"},
    }
    assert missing(way, values) == ()
    assert entry(way, {**values, "env:MODE/mode": "x"})["env"]["MODE"] == "a-x"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (package("pypi", version="2.0"), ["uvx", "notes@2.0"]),
        (package("pypi"), ["uvx", "notes"]),
        (package("oci", identifier="ghcr.io/a/b:1.0"), ["docker", "run", "-i", "--rm", "ghcr.io/a/b:1.0"]),
        (
            package("oci", identifier="localhost:5000/b", version="3"),
            ["docker", "run", "-i", "--rm", "localhost:5000/b:3"],
        ),
        (
            package("oci", identifier="a/b", environmentVariables=[{"name": "K", "value": "v"}]),
            ["docker", "run", "-i", "--rm", "-e", "K", "a/b"],
        ),
        (
            package("nuget", version="1", packageArguments=[{"type": "positional", "value": "mcp"}]),
            ["dnx", "notes@1", "--yes", "--", "mcp"],
        ),
    ],
)
def test_package_kinds_have_their_commands(made: dict[str, Any], words: list[str]) -> None:
    found = entry(only_way(packages=[made]), {})
    assert [found["command"], *found["args"]] == words


def test_an_address_with_variables_and_headers() -> None:
    way = only_way(
        remotes=[
            {
                "type": "streamable-http",
                "url": "https://{host}/mcp/{tenant}",
                "variables": {"host": {"default": "example.com"}, "tenant": {"isSecret": True}},
                "headers": [
                    {"name": "Authorization", "value": "Bearer {token}", "variables": {"token": {"isSecret": True}}},
                    {"name": "X-Region", "choices": ["eu", "us"]},
                ],
            }
        ]
    )
    shown = fields(way)
    assert [(one.label, one.input.required, one.input.secret) for one in shown] == [
        ("host", True, False),
        ("tenant", True, True),
        ("token", False, True),
        ("X-Region", False, False),
    ]
    values = {"url/host": "a.example", "url/tenant": "t"}
    assert entry(way, values) == {"type": "http", "url": "https://a.example/mcp/t"}
    values |= {"header:Authorization/token": "s3cret-1", "header:X-Region": "eu"}
    assert entry(way, values)["headers"] == {"Authorization": "Bearer s3cret-1", "X-Region": "eu"}


def test_names_in_braces_that_are_no_variables_stay() -> None:
    way = only_way(remotes=[{"type": "sse", "url": "https://example.com/{x}"}])
    assert entry(way, {}) == {"type": "sse", "url": "https://example.com/{x}"}


def test_registry_entry_that_cannot_start_or_reads_our_variables_is_not_offered() -> None:
    header = {"name": "X", "value": "${AWS_SECRET_ACCESS_KEY}"}
    assert (
        ways(
            server(
                remotes=[{"type": "sse", "url": "https://a.example/", "headers": [header]}],
                packages=[
                    package("mcpb", identifier="https://example.com/a.mcpb"),
                    package(transport={"type": "sse", "url": "http://localhost/"}),
                    package(runtimeHint="bunx"),
                ],
            )
        )
        == ()
    )


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("io.github.ada/notes-mcp-server", "notes"),
        ("com.notion/mcp", "notion"),
        ("io.github.ada/github-mcp", "github"),
        ("x/mcp", "x"),
    ],
)
def test_server_id_is_its_distinctive_part(name: str, made: str) -> None:
    found = read_server({"name": name, "remotes": [{"type": "sse", "url": "https://a.example"}]})
    assert found is not None
    assert suggested_id(found) == made


def test_older_spellings_are_read() -> None:
    way = only_way(
        packages=[
            {
                "registry_type": "pypi",
                "identifier": "notes",
                "package_arguments": [{"type": "positional", "value_hint": "dir", "is_required": True}],
                "environment_variables": [{"name": "K", "is_secret": True}],
            }
        ]
    )
    assert [(one.label, one.input.required, one.input.secret) for one in fields(way)] == [
        ("dir", True, False),
        ("K", False, True),
    ]


def test_a_page_has_each_server_once_and_none_that_is_gone() -> None:
    remote = [{"type": "sse", "url": "https://a.example"}]

    def item(name: str, **official: Any) -> dict[str, Any]:
        meta = {"io.modelcontextprotocol.registry/official": official}
        return {"server": {"name": name, "remotes": remote}, "_meta": meta}

    page = read_page(
        {
            "servers": [
                item("a/old", isLatest=False),
                item("a/gone", status="deleted", isLatest=True),
                item("a/late", status="deprecated", isLatest=True),
                item("a/late", status="active"),
                {"server": {"name": "a/useless"}},
                {"name": "a/plain", "remotes": remote},
                None,
            ],
            "metadata": {"nextCursor": "x"},
        }
    )
    assert page is not None
    assert [(one.name, one.deprecated) for one in page.servers] == [("a/late", True), ("a/plain", False)]
    assert page.next_cursor == "x"


def test_invisible_characters_are_dropped() -> None:
    found = server(
        title="No\u202etes\u0007", description="x" * 100_000, remotes=[{"type": "sse", "url": "https://a.example"}]
    )
    assert found.title == "Notes"
    assert len(found.description) <= 2_000


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("name", "type", "url", "value", "variables", "headers", "packages", "remotes", "identifier"),
                    *("registryType", "transport", "packageArguments", "environmentVariables", "default", "x"),
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_whatever_strangers_send_nothing_breaks(raw: Any) -> None:
    page = read_page({"servers": [raw, {"server": raw}, {"name": "a/b", "remotes": [raw], "packages": [raw]}]})
    assert page is not None
    for found in page.servers:
        for way in ways(found):
            entry(way, {one.key: "v" for one in fields(way)})


def test_bundled_servers_can_all_be_added() -> None:
    raw = json.loads(assets.path(FILE).read_bytes())
    assert len(bundled_servers()) == len(raw["servers"]) >= 40
    assert len({suggested_id(one) for one in bundled_servers()}) >= len(bundled_servers()) - 1
    for item in raw["servers"]:
        assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", item["server"]["name"])
        assert len(item["server"]["description"]) <= 100
    for found in bundled_servers():
        assert len(ways(found)) == len(found.remotes) + len(found.packages) > 0
        for way in ways(found):
            values = {one.key: one.input.default or next(iter(one.input.choices), "v") for one in fields(way)}
            made = entry(way, values)
            assert parse_entry(Server, made, found.name, lambda _place, _reason: None) is not None
            assert str(made.get("url", "https://")).startswith(("https://", "http://homeassistant.local"))


def test_the_list_of_the_release_is_searched_by_all_words() -> None:
    assert [one.title for one in search_bundled("GIT repository")] == ["Git", "DeepWiki"]
    assert search_bundled("xyzzy") == ()
    assert search_bundled("") == bundled_servers()
