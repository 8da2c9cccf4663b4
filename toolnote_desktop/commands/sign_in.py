"""``toolnote servers sign-in`` and ``sign-out``: sign-in to an HTTP server from a terminal."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from collections.abc import Mapping
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import print_note, print_text
from toolnote_desktop.model.names import is_web_address
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore


def sign_in(arguments: argparse.Namespace, home: Home) -> int:
    """Print the sign-in address, wait for the browser, store the tokens. A running app uses them."""
    with open_library(home) as library:
        _require_http(library, arguments.id)
        from toolnote_desktop.proxy.one_shot.sign_in import sign_in_once

        location = SecretLocation.FILE if arguments.not_encrypted else None
        stored = sign_in_once(library, SecretStore.of(library), arguments.id, _print_url, location)
    if stored is SecretLocation.RUN:
        print_note(
            "signed in, but there is no keychain to store the sign-in; use --not-encrypted to store it in a plain file"
        )
        return 1
    print_text(f"Signed in to {arguments.id}.")
    return 0


def sign_out(arguments: argparse.Namespace, home: Home) -> int:
    """Revoke the tokens where the server supports it, and delete them."""
    with open_library(home) as library:
        _require_http(library, arguments.id)
        from toolnote_desktop.proxy.one_shot.sign_in import sign_out_once

        sign_out_once(library, SecretStore.of(library), arguments.id)
    print_text(f"Signed out of {arguments.id}.")
    return 0


def _require_http(library: Library, server: str) -> None:
    entry = library.snapshot.servers.get(server)
    if entry is None:
        raise ToolnoteError(Code.SERVER_NOT_FOUND, server=server)
    if entry.type == "stdio":
        raise ToolnoteError(Code.SIGN_IN_NOT_OFFERED, server=server)


def _print_url(url: str) -> None:
    print_note(f"Open this address in a browser on this computer:\n{url}")
    has_display = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_display and is_web_address(url):
        webbrowser.open(url)


RUN: Final[Mapping[str, Command]] = {
    "sign_in": sign_in,
    "sign_out": sign_out,
}
