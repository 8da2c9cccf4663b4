"""What of our environment a server gets: what programs need, and what its own entry says (docs/contract.md 2, 4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cases.test_lists import initialized
from tests.proxy.running import raw_server, running
from toolnote_desktop.paths import Home

NOT_THEIRS = ("TOOLNOTE_TOKEN", "TOOLNOTE_HOME", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "MY_OWN")


def environment_of(answer: Any) -> dict[str, str]:
    """What the tool ``process`` says that its server was given."""
    given: dict[str, str] = json.loads(answer.result["content"][0]["text"])["env"]
    return given


def test_a_server_gets_its_own_secrets_and_no_other(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NOT_THEIRS:
        monkeypatch.setenv(name, f"ours-{name}")
    named = {**raw_server(), "env": {"OWN": "own-of-a", "NAMED": "${GITHUB_TOKEN}"}}
    with running(home, {"a": named, "b": {**raw_server(), "env": {"OWN": "own-of-b"}}}) as proxy:
        client = initialized(proxy)
        of_a, of_b = (environment_of(client.call(f"{server}_process")) for server in ("a", "b"))
        secrets = (proxy.endpoint.token, proxy.endpoint.bridge_secret)
    assert (of_a["OWN"], of_a["NAMED"], of_b["OWN"]) == ("own-of-a", "ours-GITHUB_TOKEN", "own-of-b")
    for given, others in ((of_a, "own-of-b"), (of_b, "own-of-a")):
        assert not set(NOT_THEIRS) & set(given)
        assert others not in str(given)
        assert not [secret for secret in secrets if secret in str(given)]
        assert given["PATH"]
    assert "ours-" not in str(of_b)
    assert str(of_a).count("ours-") == 1
