"""Servers' own instructions in a running proxy: served to clients, withheld from some, and flagged when they change."""

from __future__ import annotations

from typing import Any

from tests.proxy.running import Running, raw_server, restarted, running, said
from toolnote_desktop.cli import parser
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SERVER_ENTRIES, SERVERS, PutEntry, SetEntryFields
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.review import instructions_fingerprint
from toolnote_desktop.paths import Home

TOOLS = [{"name": "echo", "inputSchema": {"type": "object"}}]


def saying(instructions: str) -> dict[str, Any]:
    """An entry of a server with instructions."""
    return raw_server(tools=TOOLS, name="bank", instructions=instructions)


def told(proxy: Running, client: str = "one") -> str:
    """The instructions that a client gets."""
    raw = proxy.bridge(client)
    return str(raw.initialize()["instructions"])


def accepted(snapshot: Snapshot) -> str | None:
    return snapshot.catalogue.servers["bank"].accepted_instructions


def test_they_are_served_withheld_and_flagged_when_they_change(home: Home) -> None:
    """Seen red: with instructions cached whatever the client is not sent."""
    with running(home, {"bank": saying("Ask before you pay.")}) as proxy:
        assert "## bank\n\nAsk before you pay." in told(proxy)
        withheld = {"name": "One", "withoutInstructions": ["bank"]}
        proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "one", withheld))
        assert "Ask before" not in told(proxy)
        assert "Ask before" in told(proxy, "another")
        options = {"instructions": False, "instructionsNote": "Euros only."}
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "bank", options, ("toolnote",)))
        assert "Ask before" not in told(proxy, "another")
        assert "The user's note on bank: Euros only." in told(proxy, "another")
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "bank", {"args": saying("Pay all.")["args"]}))
        proxy.wait(lambda s: accepted(s) == "Ask before you pay.")
    with restarted(home) as proxy:
        proxy.wait_ready("bank")
        assert accepted(proxy.library.snapshot) == "Ask before you pay.", "a restart accepts nothing"
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "bank", {"instructions": True}, ("toolnote",)))
        assert "Pay all." in told(proxy, "another")
        assert parser.run(["review", "keep", "bank:instructions", "--home", str(home.root)]) == 0
        proxy.wait(lambda s: "keep" in str(s.servers["bank"].toolnote.instructions_review))
        assert "Ask before you pay." in told(proxy, "another")
        shown = f"bank@{instructions_fingerprint('Pay all.')}"
        assert parser.run(["review", "accept", shown, "--home", str(home.root)]) == 0
        proxy.wait(lambda s: "accept" in str(s.servers["bank"].toolnote.instructions_review))
        assert "Pay all." in told(proxy, "another")
    with restarted(home) as proxy:
        proxy.wait_ready("bank")
        assert accepted(proxy.library.snapshot) is None


def test_sentences_of_a_family_are_served_to_its_assistants_only(home: Home) -> None:
    sentences = {
        "claude-code": "If the user did not say what a required argument needs, ask instead of inferring it.",
        "codex": "Look things up with the tools instead of answering from memory",
        "gemini-cli": "Use only tools that are listed. Do not guess an argument, such as a date",
        "qwen-code": "Pass each argument in the type of its schema",
    }
    with running(home, {"bank": saying("Ask before you pay.")}) as proxy:
        for client in (*sentences, "cursor", "goose"):
            text = told(proxy, client)
            assert {one for one, sentence in sentences.items() if sentence in text} == {client} & set(sentences)
            guide = proxy.bridge(client)
            guide.initialize()
            text = said(guide.call("get-tool-guide").result)
            assert {one for one, sentence in sentences.items() if sentence in text} == {client} & set(sentences)
