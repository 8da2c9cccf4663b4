"""``toolnote://add-server?name=NAME&config=BASE64`` links, with which a web page offers a server to preview.

``config`` is the entry as JSON in base64, with either alphabet, as in other clients' links of this kind. ``url=URL``
is an entry with an address only.
"""

from __future__ import annotations

import base64
import binascii
from urllib.parse import parse_qs

from toolnote_desktop.assistants.importing.candidates import ReadResult, read_snippet
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.recognise_paste import name_of_address
from toolnote_desktop.model import json_text
from toolnote_desktop.model.names import is_web_address
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.url_parts import split_url

SCHEME = "toolnote"
MAX_LINK = 8 * 1024
"""Characters of a link; longer ones are refused: no text of a web page may hold the interface."""


def read_link(link: str, identity: ToolnoteIdentity) -> ReadResult:
    """Read the server that a link offers; problems are in ``warnings``."""
    if len(link) > MAX_LINK:
        return _refused("it is too long")
    try:
        parts = split_url(link)
        fields = {key: values[-1] for key, values in parse_qs(parts.query, max_num_fields=20).items()}
    except ValueError:
        return _refused("it is no link")
    if parts.scheme.lower() != SCHEME or (parts.hostname or "") != "add-server":
        return _refused("it is not a link that adds a tool source")
    name, url, config = fields.get("name", "").strip(), fields.get("url", ""), fields.get("config")
    if config is None:
        if not is_web_address(url):
            return _refused("it names no tool source")
        return _read(name or name_of_address(url), {"url": url}, identity)
    try:
        data = base64.b64decode(config.replace("-", "+").replace("_", "/").replace(" ", "+") + "==")
        entry = json_text.loads(data)
    except (binascii.Error, ValueError, RecursionError):
        return _refused("its settings cannot be read")
    return _read(name or "server", entry, identity)


def _read(name: str, entry: object, identity: ToolnoteIdentity) -> ReadResult:
    whole = entry if isinstance(entry, dict) and "mcpServers" in entry else {"mcpServers": {name: entry}}
    reading = read_snippet(json_text.dumps(whole).decode("utf-8"), identity, "link")
    return reading if reading.candidates or reading.warnings else _refused("it names no tool source")


def _refused(reason: str) -> ReadResult:
    return ReadResult(warnings=(Problem(Code.IMPORT_WARNING, {"file": "link", "line": "1", "reason": reason}),))
