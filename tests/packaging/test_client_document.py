"""The client ID metadata document that is published with a release."""

from __future__ import annotations

import json
from pathlib import Path

import client_document
import pytest
from mcp.shared.auth import OAuthClientMetadata

from toolnote_desktop.proxy.oauth.callback_server import PATH

ADDRESS = "https://toolnote.example/oauth/client.json"


def test_it_says_its_own_address_and_redirects_to_the_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client_document, "document_address", lambda: ADDRESS)
    assert client_document.main(tmp_path / "client.json") == 0
    assert ADDRESS in capsys.readouterr().out
    document = json.loads((tmp_path / "client.json").read_text(encoding="utf-8"))
    assert document["client_id"] == ADDRESS
    metadata = OAuthClientMetadata.model_validate(document)
    assert {(one.scheme, one.path) for one in metadata.redirect_uris or ()} == {("http", PATH)}
    assert {one.host for one in metadata.redirect_uris or ()} == {"127.0.0.1", "localhost", "[::1]"}
    assert metadata.token_endpoint_auth_method == "none"


def test_without_an_address_there_is_none(tmp_path: Path) -> None:
    assert client_document.main(tmp_path / "client.json") == 0
    assert list(tmp_path.iterdir()) == []
