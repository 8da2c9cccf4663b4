"""Client ID metadata document of this build (draft-ietf-oauth-client-id-metadata-document, MCP 2025-11-25).

Its address is the client's id at authorization servers that support such documents, in place of a registration, which
many of them refuse. The document itself is published with a release (``packaging/client_document.py``).
"""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from toolnote_desktop import assets
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.oauth.callback_server import PATH

CLIENT_NAME: Final = "Toolnote"
SOFTWARE_ID: Final = "toolnote"


@cache
def document_address() -> str | None:
    """Return the address of this build's document, from ``resources/release.json``; None if it has none."""
    release = json.loads(assets.path("release.json").read_text(encoding="utf-8"))
    return release.get("clientDocument") or None


def client_document(address: str) -> JsonObject:
    """Return the document to publish at ``address``. The redirects hold for any loopback port (RFC 8252, 7.3)."""
    return {
        "client_id": address,
        "client_name": CLIENT_NAME,
        "client_uri": "https://toolnote.org/",
        "software_id": SOFTWARE_ID,
        "application_type": "native",
        "redirect_uris": [f"http://127.0.0.1{PATH}", f"http://localhost{PATH}", f"http://[::1]{PATH}"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
