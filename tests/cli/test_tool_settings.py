"""``toolnote tool``, ``note --scope`` and what ``toolset add-tool`` brings along."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Run
from toolnote_desktop.paths import Home


def tools_document(home: Home) -> Any:
    return json.loads((home.root / "tools.json").read_text(encoding="utf-8"))["tools"]


def entries(home: Home, toolset: str) -> Any:
    return json.loads(home.toolset(toolset).read_text(encoding="utf-8"))["tools"]


def test_set_in_every_toolset_and_show(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    words = ("--approval", "ask", "--when", "For history.", "--category", "Code", "--hint", "readOnlyHint=true")
    outcome = run("tool", "set", "git.log", *words, "--note", "n=How many.", "--default", "n=5", "--mute", "Does log")
    assert outcome.out == "Set git.log.\n"
    assert 'log has no argument "n"' in outcome.err
    assert tools_document(catalogued)["git.log"] == {
        "approval": "ask",
        "whenToUse": "For history.",
        "category": "Code",
        "muted": ["Does log"],
        "hints": {"readOnlyHint": True},
        "parameters": {"n": {"note": "How many.", "default": 5}},
    }
    shown = run("tool", "show", "git.log", "--json").json
    assert (shown["toolset"], shown["served"], shown["name"]) == ("work", True, "git_log")
    assert shown["inToolset"] == {}
    assert shown["inEffect"]["approval"] == "ask"
    assert "consent" not in shown["inEffect"]
    text = run("tool", "show", "git.log").out
    assert "In every toolset:\n  category: Code\n  whenToUse: For history.\n  approval: ask\n" in text
    listed = {tool["name"]: tool for tool in run("tools", "--json").json["tools"]}
    assert "The user approves each call in Toolnote before it runs." in listed["git_log"]["description"]
    assert "user_consent" not in listed["git_log"]["inputSchema"].get("properties", {})
    assert "When to use: For history." in listed["git_log"]["description"]
    assert not listed["git_log"]["description"].startswith("Does log")
    # A text that is not there mutes nothing, which is said at once.
    assert "no paragraph" not in outcome.err
    outcome = run("tool", "set", "git.log", "--mute", "Does something else")
    assert 'the description of log has no paragraph "Does something else"' in outcome.err


def test_lost_rules_are_named_and_dropped(run: Run, catalogued: Home) -> None:
    (catalogued.root / "tools.json").write_bytes(b'{"tools": ')
    assert run("tool", "lost-rules", "--json").json == {"lost": ["tools.json"]}
    assert run("tool", "show", "git.log", "--json").json["approval"]["asked"]
    assert "toolnote tool lost-rules --drop" in run("doctor", status=1).out
    assert "the user is asked before each call" in run("tool", "lost-rules").out
    assert run("tool", "lost-rules", "--drop").out == "No rules are lost.\n"
    assert not run("tool", "show", "git.log", "--json").json["approval"]["asked"]


def test_hints_of_the_user_decide_what_is_suggested(run: Run, catalogued: Home) -> None:
    def shown() -> Any:
        return run("tool", "show", "git.log", "--json").json["approval"]

    catalog = json.loads((catalogued.root / "catalog.json").read_text(encoding="utf-8"))
    catalog["servers"]["git"]["tools"][0]["definition"]["annotations"] = {"readOnlyHint": True}
    (catalogued.root / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    assert shown() == {"asked": False, "suggested": False, "forSession": True}
    run("tool", "set", "git.log", "--hint", "destructiveHint=true")
    assert shown() == {"asked": False, "suggested": True, "forSession": True}, "whatever the server says"
    assert "approval" not in tools_document(catalogued)["git.log"], "suggested, never set"
    assert "Ask me first is suggested: the tool is marked destructive" in run("tool", "show", "git.log").out
    run("tool", "set", "git.log", "--hint", "openWorldHint=true", "--approval", "ask")
    assert shown() == {"asked": True, "suggested": False, "forSession": False}
    assert "one by one, since it can delete data beyond its server" in run("tool", "show", "git.log").out
    run("tool", "set", "git.log", "--hint", "readOnlyHint=true")
    assert shown() == {"asked": True, "suggested": False, "forSession": True}, "no hint turns it off"
    run("tool", "set", "git.log", "--approval", "null", "--hint", "readOnlyHint=null")
    assert shown()["suggested"]
    run("tool", "set", "git.log", "--approval", "off")
    assert shown() == {"asked": False, "suggested": False, "forSession": False}
    assert tools_document(catalogued)["git.log"]["approval"] == "off", "a decision, as in the window"


def reason_of(run: Run) -> str | None:
    """Return why ``git.log`` is not served, as the text and the JSON say it."""
    reason: str | None = run("tool", "show", "git.log", "--json").json["reason"]
    line = run("tool", "show", "git.log").out.splitlines()[1]
    assert line.startswith("Served") if reason is None else line.endswith(f": {reason}")
    return reason


def test_show_says_why_a_tool_is_not_served(run: Run, catalogued: Home) -> None:
    """Seen red: "Not served" alone."""
    reasons = [reason_of(run)]
    run("toolset", "create", "work")
    run("toolset", "equip", "work")
    reasons.append(reason_of(run))
    run("toolset", "add-tool", "work", "git.log")
    reasons.append(reason_of(run))
    for words in (("--hint", 'audience=["user"]'), ("--hint", "audience=null", "--off"), ("--on",)):
        run("tool", "set", "git.log", *words)
        reasons.append(reason_of(run))
    run("servers", "disable", "git")
    reasons.append(reason_of(run))
    assert reasons == [
        "no toolset is in use",
        "it is not in the toolset",
        None,
        "it is for the user only (audience)",
        "it is off",
        None,
        "its server is off",
    ]


def test_an_exception_in_one_toolset(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log")
    run("tool", "set", "git.log", "--approval", "ask", "--fix", "n=1")
    on_work = ("--toolset", "work")
    run("tool", "set", "git.log", "--approval", "off", "--default", "n=2", "--alias", "history", *on_work)
    (entry,) = entries(catalogued, "work")
    assert (entry["approval"], entry["alias"], entry["parameters"]) == ("off", "history", {"n": {"default": 2}})
    shown = run("tool", "show", "git.log", "--json", *on_work).json
    assert shown["inEffect"]["parameters"] == {"n": {"default": 2}}
    assert shown["everyToolset"] == {"approval": "ask", "parameters": {"n": {"fixed": 1}}}
    assert shown["inToolset"]["approval"] == "off"
    assert shown["name"] == "history"


def test_a_toolset_with_exceptions_is_shown_as_json(run: Run, catalogued: Home) -> None:
    """Seen red: "unexpected error: TypeError: Object of type ParameterSetting is not JSON serializable"."""
    run("toolset", "create", "work", "git.log", "git.diff")
    words = ("--default", "n=2", "--note", "m=M", "--consent", "GO", "--hint", 'title="T"', "--toolset", "work")
    run("tool", "set", "git.log", *words)
    run("tool", "set", "git.diff", "--consent", "off", "--toolset", "work")
    log, diff = run("toolset", "show", "work", "--json").json["tools"]
    (raw, _) = entries(catalogued, "work")
    assert log["consent"] | {"reason": ""} == raw["consent"] | {"reason": ""}
    assert log["parameters"]["n"]["default"] == 2
    assert log["parameters"]["m"] == {"note": "M", "allowed": {}}
    assert diff["consent"] is False
    assert "consentWaived" not in {*log, *diff}


def test_old_keys_of_a_toolset_give_way(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log")
    document = json.loads(catalogued.toolset("work").read_text(encoding="utf-8"))
    document["tools"][0] |= {"argumentDefaults": {"n": 1, "m": 2}, "hiddenArguments": ["n"]}
    catalogued.toolset("work").write_text(json.dumps(document), encoding="utf-8")
    run("tool", "set", "git.log", "--default", "n=3", "--toolset", "work")
    (entry,) = entries(catalogued, "work")
    assert (entry["argumentDefaults"], entry["hiddenArguments"]) == ({"m": 2}, [])
    shown = run("tool", "show", "git.log", "--toolset", "work", "--json").json
    assert shown["inEffect"]["parameters"] == {"n": {"default": 3}, "m": {"default": 2}}


def test_settings_are_removed_again(run: Run, catalogued: Home) -> None:
    all_of_it = ("--approval", "ask", "--consent", "YES", "--when", "W", "--off", "--hint", 'title="T"', "--fix", "n=1")
    run("tool", "set", "git.log", "git.diff", *all_of_it, "--mute", "x", "--allow", 'n={"values": [1]}')
    assert tools_document(catalogued)["git.log"] == tools_document(catalogued)["git.diff"]
    assert tools_document(catalogued)["git.log"]["enabled"] is False
    none = ("--approval", "null", "--consent", "off", "--when", "", "--on", "--hint", "title=null", "--fix", "n=null")
    run("tool", "set", "git.log", *none, "--mute", "", "--allow", "n=null")
    assert tools_document(catalogued)["git.log"] == {"enabled": True, "hints": {}, "parameters": {"n": {}}}
    assert run("tool", "show", "git.log", "--json").json["inEffect"] == {"enabled": True}


@pytest.mark.parametrize("nothing", ["", " ", "null"])
def test_an_empty_text_and_null_remove_each_setting(run: Run, catalogued: Home, nothing: str) -> None:
    """Seen red: ``--consent ""`` turned the tool off, ``--consent null`` demanded the word "null"."""
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    texts = ("alias", "category", "when", "instructions", "consent")
    values = {"hint title": '"T"', "default n": "1", "note n": "N", "allow n": '{"values": [1]}'}

    def words(value: str | None) -> list[str]:
        pairs = [(*key.split(" "), given if value is None else value) for key, given in values.items()]
        settings = [f"--{option}={key}={given}" for option, key, given in pairs]
        return [*(f"--{key}={value if value is not None else 'some'}" for key in texts), *settings]

    for where in ((), ("--toolset", "work")):
        run("tool", "set", "git.log", *words(None), *where)
        run("tool", "set", "git.log", *words(nothing), *where)
        assert run("tool", "show", "git.log", "--json").json["inEffect"] == {"enabled": True}
    assert tools_document(catalogued)["git.log"] == {"hints": {}, "parameters": {"n": {}}}
    (entry,) = entries(catalogued, "work")
    assert not entry.keys() & {"consent", "alias", "category", "whenToUse", "instructions"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name at least one setting"),
        (("--hint", "colour=1"), "no such hint"),
        (("--hint", "readOnlyHint=1"), "not true or false"),
        (("--default", "n={"), "not JSON"),
        (("--allow", "n=[1]"), 'expected {"values"'),
        (("--allow", 'n={"under": "work"}'), "the folder is not absolute"),
        (("--fix", '/n/*/x="a"'), "* means each object of a list, and log has no such list"),
    ],
)
def test_tool_settings_that_cannot_be_set_are_refused(
    run: Run, catalogued: Home, words: tuple[str, ...], said: str
) -> None:
    assert said in run("tool", "set", "git.log", *words, status=2).err
    assert "no toolset is in use" in run("tool", "set", "git.log", "--alias", "x", status=1).err
    assert not (catalogued.root / "tools.json").exists()


def test_a_shared_name_needs_a_toolset(run: Run, catalogued: Home) -> None:
    assert "with --toolset" in run("tool", "set", "a:b.c", "--approval", "ask", status=2).err
    run("toolset", "create", "work", "a:b.c")
    run("tool", "set", "a:b.c", "--approval", "ask", "--toolset", "work")
    assert entries(catalogued, "work")[0]["approval"] == "ask"
    assert "more than one tool" in run("tool", "show", "a.b.c", status=1).err
    assert 'there is no tool "no.such"' in run("tool", "show", "no.such", status=1).err


def test_notes_of_each_scope(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log", "git.diff")
    run("toolset", "equip", "work")
    for scope in ("all", "source", "tool", "toolset"):
        run("note", "add", "git.log", f"on-{scope}", f"Text of {scope}.", "--scope", scope)
    run("note", "add", "git", "on-git", "All of git.", "--scope", "source")
    held = json.loads((catalogued.root / "notes.json").read_text(encoding="utf-8"))
    assert [note["name"] for note in held["global"]] == ["on-all"]
    assert [note["name"] for note in held["servers"]["git"]] == ["on-source", "on-git"]
    assert [note["name"] for note in held["tools"]["git.log"]] == ["on-tool"]
    described = {tool["name"]: tool["description"] for tool in run("tools", "--json").json["tools"]}
    order = [described["git_log"].index(name) for name in ("on-all", "on-source", "on-git", "on-tool", "on-toolset")]
    assert order == sorted(order)
    assert "on-git" in described["git_diff"]
    assert "on-tool" not in described["git_diff"]
    for scope, name in (("all", "on-all"), ("source", "on-git"), ("tool", "on-tool"), ("toolset", "on-toolset")):
        listed = run("note", "list", "git.log", "--scope", scope, "--json").json["notes"]
        assert name in [note["name"] for group in listed for note in group["notes"]]
        run("note", "remove", "git.log", name, "--scope", scope)
    assert 'no tool "no.such"' in run("note", "add", "no.such", "n", "x", "--scope", "source", status=1).err


def test_add_tool_brings_along_what_the_shared_toolset_holds(run: Run, catalogued: Home) -> None:
    """It silently dropped the notes and the ask-first before: a call in the new toolset went through unasked."""
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    run("note", "add", "git.log", "careful", "Be careful.")
    run("tool", "set", "git.log", "--consent", "YES", "--default", "n=1", "--toolset", "work")
    run("toolset", "create", "other")
    outcome = run("toolset", "add-tool", "other", "git.log", "git.diff")
    assert outcome.out.splitlines() == [
        "Added 2 tools to other.",
        "Brought along from work: 1 note and the settings of 1 tool.",
    ]
    described = {tool["name"]: tool for tool in run("tools", "--toolset", "other", "--json").json["tools"]}
    assert "Be careful." in described["git_log"]["description"]
    assert described["git_log"]["inputSchema"]["properties"]["user_consent"]["enum"] == ["YES"]
    assert run("toolset", "add-tool", "other", "git.log").out == "Added 0 tools to other.\n"
