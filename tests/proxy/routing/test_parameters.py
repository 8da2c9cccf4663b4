"""Values that the user sets for parameters: what a client sees, may send, and what reaches the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.raw_client import RawClient
from tests.proxy.running import Running, handshake_client, raw_server, running, said
from toolnote_desktop.cli import parser
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import ApprovalQuestion

ROW = {"type": "object", "properties": {"path": {"type": "string"}, "mode": {"type": "string"}}}
SCHEMA = {
    "type": "object",
    "properties": {
        "branch": {"type": "string"},
        "glob": {"type": "string"},
        "rows": {"type": "array", "items": ROW},
        "options": {
            "type": "object",
            "properties": {"team": {"type": "string"}, "force": {"type": "boolean"}, "kind": {}},
        },
        "steps": {"type": "array", "items": {"type": "object", "properties": {"tool": {"type": "string"}}}},
        "files": {"type": "array", "items": {"type": "string"}},
        "Files": {"type": "string"},
        "address": {"type": "string"},
        "more": {"type": "object", "properties": {"secret": {}}},
        "tags": {"type": "array", "items": {"type": "object", "properties": {"kind": {"type": "string"}}}},
    },
}


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    tool = {"name": "echo", "inputSchema": SCHEMA}
    home = Home(tmp_path_factory.mktemp("home"))
    with running(home, {"s": raw_server(tools=[tool])}, has_window=True) as made:
        made.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 1)
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a link out of it, one that stays in it, and one outside that leads into it."""
    root = tmp_path_factory.mktemp("files")
    inside = root / "inside"
    (inside / "docs").mkdir(parents=True)
    (root / "secret").write_text("x", encoding="utf-8")
    (inside / "out").symlink_to(root)
    (inside / "in").symlink_to(inside / "docs")
    (root / "also-inside").symlink_to(inside)
    return inside


@pytest.fixture
def client(proxy: Running, folder: Path) -> RawClient:
    parameters = {
        "branch": {"allowed": {"like": "release-*"}},
        "/rows/*/path": {"allowed": {"under": str(folder)}},
        "/rows/*/mode": {"fixed": "read"},
        "/options/team": {"default": "docs"},
        "/options/force": {"hidden": True},
        "glob": {"allowed": {"like": "/work/*.txt"}},
        "address": {"allowed": {"like": "https://*.example.org/pub/*"}},
        "/options/kind": {"allowed": {"values": ["k", None]}},
        "/more/secret": {"hidden": True},
        "/tags/*/kind": {"fixed": "label"},
        "/steps/*/tool": {"allowed": {"values": ["k"]}},
        "files": {"allowed": {"values": ["a", "b"]}},
    }
    proxy.library.submit(SetToolSettings("s.echo", {"parameters": parameters, "approval": "off"}))
    return handshake_client(proxy)


def test_client_sees_what_it_may_set_also_in_lists_and_objects(client: RawClient) -> None:
    properties = client.tool("s_echo")["inputSchema"]["properties"]
    assert properties["rows"]["items"]["properties"] == {"path": {"type": "string"}}
    assert properties["options"]["properties"] == {"team": {"type": "string", "default": "docs"}, "kind": {}}


def test_allowed_values_reach_the_server_with_those_that_are_the_users(client: RawClient, folder: Path) -> None:
    paths = [
        folder / "docs" / "a",
        folder / "in" / "b",
        folder / "docs" / ".." / "c",
        folder.parent / "also-inside" / "d",
    ]
    sent = {
        "branch": "release-2",
        "rows": [{"path": str(path)} for path in paths],
        "options": {},
        "files": ["a", "b"],
        "Files": "the server has both",
        "address": "https://a.example.org/pub/x?y=..",
        "glob": "/work/a/..b/c.txt",
        "steps": [{"tool": "k"}, {}, None],
    }
    received = json.loads(said(client.call("s_echo", sent).result))["arguments"]
    assert received["rows"] == [{"path": str(path), "mode": "read"} for path in paths], "as the client wrote them"
    assert received["options"] == {"team": "docs"}
    assert (received["branch"], received["files"]) == ("release-2", ["a", "b"])


@pytest.mark.parametrize(
    ("arguments", "argument", "allowed"),
    [
        ({"branch": "main"}, "branch", "texts like release-*"),
        *(
            ({key: "write"}, key, None)  # as decoders of forms read it
            for key in (
                *("rows[0][mode]", "rows.0.mode", "rows/1/Mode", "rows[].path", "options[force]", "more.secret"),
                *("rows[first][mode]", "tags.a.b.kind", "branch[0]", "address.0"),
            )
        ),
        ({"branch": ["release-1", "main"]}, "branch", "texts like release-*"),
        ({"branch": {"$ref": "release-1"}}, "branch", "texts like release-*"),
        ({"glob": "/work/../etc/secret.txt"}, "glob", "texts like /work/*.txt"),
        ({"glob": "/work/a\\..\\..\\secret.txt"}, "glob", "texts like /work/*.txt"),
        ({"glob": "/work/a..b/c.md"}, "glob", "texts like /work/*.txt"),
        *(
            ({"address": f"https://{address}"}, "address", "texts like https://*.example.org/pub/*")
            for address in (
                *(f"b.example.com{end}.example.org/pub/" for end in ("/", "?", "#", "\\", "\uff0f", "\0")),
                *(f"a.example.org/pub/{up}" for up in ("%2e%2E/key", ".\t./key", "..?", "..;/")),
            )
        ),
        ({"Branch": "main"}, "branch", "texts like release-*"),
        ({"branch": "release-1", "BRANCH": "main"}, "branch", "texts like release-*"),
        ({"\uff42ranch": "main"}, "branch", "texts like release-*"),
        ({"\u017fteps": [{"tool": "x"}]}, "/steps/*/tool", 'one of ["k"]'),
        ({"steps": [{"tool": "k", "to_ol": "x"}]}, "/steps/*/tool", 'one of ["k"]'),
        ({"rows": [{"path": "INSIDE/docs/a", "Mode": "write"}]}, "/rows/*/Mode", None),
        ({"files": ["a", "c"]}, "files", 'one of ["a","b"]'),
        ({"rows": [{"path": "INSIDE/docs/a"}, {"path": "INSIDE/out/secret"}]}, "/rows/*/path", "absolute paths in "),
        ({"rows": [{"path": "INSIDE/../secret"}]}, "/rows/*/path", "absolute paths in "),
        ({"rows": [{"path": "INSIDE/out"}]}, "/rows/*/path", "absolute paths in "),
        ({"rows": [{"path": "docs/a"}]}, "/rows/*/path", "absolute paths in "),
        ({"rows": [{"path": "INSIDE-too/a"}]}, "/rows/*/path", "absolute paths in "),
        ({"rows": [{"path": "file://INSIDE/docs"}]}, "/rows/*/path", "absolute paths in "),
        ({"rows": [{"path": "INSIDE/docs", "mode": "write"}]}, "/rows/*/mode", None),
        ({"options": {"force": True}}, "/options/force", None),
        ({"options": {"force": None}}, "/options/force", None),
        ({"more": '{"secret": true}'}, "/more/secret", None),
        ({"more": [{"secret": True}]}, "/more/secret", None),
        ({"tags": {"kind": "own"}}, "/tags/*/kind", None),
        ({"tags": [[{"kind": "own"}]]}, "/tags/*/kind", None),
        ({"branch ": "main"}, "branch", "texts like release-*"),
        ({"bran\u200bch": "main"}, "branch", "texts like release-*"),
        ({"branch[]": "main"}, "branch", "texts like release-*"),
        ({"options": {"kind": "x"}}, "/options/kind", 'one of ["k",null]'),
        ({"options": '{"kind": "x"}'}, "/options/kind", 'one of ["k",null]'),
        ({"options": [{"kind": "x"}]}, "/options/kind", 'one of ["k",null]'),
        ({"steps": '[{"tool": "x"}]'}, "/steps/*/tool", 'one of ["k"]'),
        ({"steps": {"tool": "x"}}, "/steps/*/tool", 'one of ["k"]'),
        ({"steps": [[{"tool": "x"}]]}, "/steps/*/tool", 'one of ["k"]'),
        ({"steps": ['{"tool": "x"}']}, "/steps/*/tool", 'one of ["k"]'),
        ({"steps": {"*": {"tool": "k"}, "0": {"tool": "x"}}}, "/steps/*/tool", 'one of ["k"]'),
        ({"tags": {"*": {"kind": "label"}, "0": {"kind": "own"}}}, "/tags/*/kind", None),
    ],
)
def test_other_values_are_refused_in_words_before_anything_is_asked_or_sent(
    proxy: Running, client: RawClient, folder: Path, arguments: Any, argument: str, allowed: str | None
) -> None:
    """Seen red without links resolved, with the question before the check, with what a server would read as an object
    or list looked into as a text is: not at all, and with a name ``*`` for which an object passed as a list.
    """
    proxy.library.submit(SetToolSettings("s.echo", {"approval": "ask"}))
    arguments = json.loads(json.dumps(arguments).replace("INSIDE", str(folder)))
    result = client.call("s_echo", arguments).result
    failure = json.loads(said(result))
    assert result["isError"]
    assert failure["error_type"] == "argument_locked"
    assert argument in failure["error"]
    if allowed is not None:
        assert allowed in failure["error"]
        assert "not " in failure["error"]
    assert not [one for one in proxy.events if isinstance(one, ApprovalQuestion)]


def test_refusal_names_the_value_and_repeats_no_long_one(client: RawClient) -> None:
    error = json.loads(said(client.call("s_echo", {"branch": "m" * 5000}).result))["error"]
    assert error.endswith("mmm…")
    assert len(error) < 300


def test_imported_values_set_aside_no_limit_of_the_users(
    home: Home, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seen red: a pack's values and rules were sent and allowed in the place of the user's own, which were made for
    every toolset. What the user sets in a toolset goes before both.
    """
    tool = {"name": "echo", "inputSchema": SCHEMA}
    limits = {
        "branch": {"allowed": {"like": "release-*"}},
        "glob": {"fixed": "/work/*.txt"},
        "address": {"hidden": True},
        "/options/team": {"allowed": {"values": ["docs"]}},
        "/rows/*/mode": {"fixed": "read"},
    }
    entry = {
        "namespacedName": "s.echo",
        "parameters": {
            "branch": {"allowed": {"like": "*"}},
            "glob": {"default": "/*", "hidden": False},
            "options": {"default": {"team": "all"}},
            "Address": {"fixed": "https://evil.example"},
            "files": {"allowed": {"values": ["a"]}},
        },
        "argumentDefaults": {"address": "https://evil.example", "/rows/0": {"mode": "write"}, "tags": []},
    }
    pack = tmp_path / "theirs.toolnote"
    about = {"version": 1, "tools": [{"namespacedName": "s.echo"}]}
    pack.write_text(json.dumps({"name": "theirs", "tools": [entry], "pack": about}), encoding="utf-8")
    again = tmp_path / "again.toolnote"
    again.write_text(json.dumps({"name": "again", "tools": [entry]}), encoding="utf-8")

    def run(*words: str) -> str:
        assert parser.run([*words, "--home", str(home.root)]) == 0, capfd.readouterr().err
        return capfd.readouterr().out

    def answer(client: RawClient, **arguments: Any) -> JsonObject:
        made: JsonObject = json.loads(said(client.call("s_echo", arguments).result))
        return made

    def equipped(proxy: Running, toolset: str) -> RawClient:
        run("toolset", "equip", toolset)
        proxy.wait(lambda s: s.settings.equipped_toolset == toolset)
        return handshake_client(proxy)

    with running(home, {"s": raw_server(tools=[tool])}) as proxy:
        run("pack", "import", str(pack))
        run("toolset", "import", str(again))
        proxy.library.submit(SetToolSettings("s.echo", {"parameters": limits}))  # those that come later hold, too
        for toolset in ("theirs", "again"):
            client = equipped(proxy, toolset)
            sent = {"branch": "release-1", "glob": "/work/*.txt", "tags": []}
            assert answer(client, branch="release-1")["arguments"] == sent
            refused = (
                {"branch": "main"},
                {"glob": "/*"},
                {"address": "x"},
                {"options": {"team": "all"}},
                {"files": "b"},
            )
            for arguments in refused:
                assert answer(client, **arguments)["error_type"] == "argument_locked", arguments
        imported = run("pack", "import", str(pack), "--theirs", "--dry-run")
        assert "all of it" in imported, imported
        run("tool", "set", "s.echo", "--toolset", "again", "--allow", 'branch={"like": "main"}')
        proxy.wait(lambda s: not s.toolsets["again"].tools[0].parameters["branch"].imported)
        client = handshake_client(proxy)
        assert answer(client, branch="main")["arguments"]["branch"] == "main"


def test_new_version_of_a_pack_sets_aside_no_limit_of_the_users_in_its_toolset(
    home: Home, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seen red: limits that the user had set in the pack's toolset were replaced by *theirs*, and values that a merge
    brought were sent around them.
    """
    pack = tmp_path / "theirs.toolnote"

    def run(*words: str) -> str:
        assert parser.run([*words, "--home", str(home.root)]) == 0, capfd.readouterr().err
        return capfd.readouterr().out

    def offer(parameters: JsonObject, *choice: str) -> str:
        tools = [{"namespacedName": "s.echo", "parameters": parameters}]
        content = {"name": "theirs", "tools": tools, "pack": {"version": 1, "tools": tools[:1]}}
        pack.write_text(json.dumps(content), encoding="utf-8")
        return run("pack", "import", str(pack), *choice)

    def answer(client: RawClient, **arguments: Any) -> JsonObject:
        made: JsonObject = json.loads(said(client.call("s_echo", arguments).result))
        return made

    first = {"files": {"note": "Few."}, "tags": {"default": []}}
    around = {"options": {"default": {"team": "all"}}, "Address": {"fixed": "https://evil.example"}}
    evil = {**around, "files": {"allowed": {"like": "*"}}, "address": {"fixed": "https://evil.example"}}
    with running(home, {"s": raw_server(tools=[{"name": "echo", "inputSchema": SCHEMA}])}) as proxy:
        offer(first)
        limits = ("--allow", 'files={"values": ["a"]}', "--allow", '/options/team={"values": ["docs"]}')
        run("tool", "set", "s.echo", "--toolset", "theirs", *limits, "--fix", 'address="here"')
        run("toolset", "equip", "theirs")
        proxy.wait(lambda s: s.settings.equipped_toolset == "theirs")
        for parameters, choice in (({**first, **around}, "--merge"), (evil, "--theirs")):
            offer(parameters, choice)

            def is_imported(snapshot: Snapshot, choice: str = choice) -> bool:
                names = snapshot.toolsets["theirs"].tools[0].parameters
                return "Address" in names and ("tags" in names) is (choice == "--merge")

            proxy.wait(is_imported)
            client = handshake_client(proxy)
            sent = answer(client, files="a")["arguments"]
            assert {key: one for key, one in sent.items() if key != "tags"} == {"files": "a", "address": "here"}
            for arguments in ({"files": "b"}, {"address": "https://evil.example"}, {"options": {"team": "all"}}):
                assert answer(client, **arguments)["error_type"] == "argument_locked", arguments
        assert "all of it" in offer(evil, "--theirs", "--dry-run")
