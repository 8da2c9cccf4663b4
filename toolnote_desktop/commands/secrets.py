"""``toolnote secret``: values for ``${secret:NAME}`` in an entry, never printed and never an argument."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Mapping
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import print_json, print_note, print_table, print_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.secrets.variable_expansion import SECRET_NAME, secret_references
from toolnote_desktop.paths import Home
from toolnote_desktop.store.secrets.store import OPEN_FILE, SecretLocation, SecretStore

_LOCATION_NAMES: Final = {
    SecretLocation.KEYCHAIN: "in the keychain",
    SecretLocation.FILE: f"NOT ENCRYPTED, in {OPEN_FILE}",
    SecretLocation.RUN: "for this run",
}


def list_secrets(arguments: argparse.Namespace, home: Home) -> int:
    """List the secrets that a server needs, and where they are stored."""
    with open_library(home) as library:
        entry = library.snapshot.servers.get(arguments.server)
        if entry is None:
            raise ToolnoteError(Code.SERVER_NOT_FOUND, server=arguments.server)
        wanted = secret_references(entry)
        stored = {
            name: location
            for name, location in SecretStore.of(library).names(arguments.server).items()
            if SECRET_NAME.fullmatch(name)
        }
    names = list(dict.fromkeys([*wanted, *stored]))
    if arguments.json:
        described = [{"name": name, "wantedBy": wanted.get(name), "place": stored.get(name)} for name in names]
        print_json({"server": arguments.server, "secrets": described})
    elif not names:
        print_text(f"{arguments.server} needs no secrets.")
    else:
        print_table(
            [
                (name, _LOCATION_NAMES[stored[name]] if name in stored else "missing", wanted.get(name, "not in use"))
                for name in names
            ]
        )
    return 0


def set_secret(arguments: argparse.Namespace, home: Home) -> int:
    """Store a secret from stdin or a prompt; never from an argument, which other users could see."""
    if not SECRET_NAME.fullmatch(arguments.name):
        raise ToolnoteError(Code.SECRET_NAME_INVALID, name=arguments.name)
    if sys.stdin is None:
        value = ""
    elif not sys.stdin.isatty():
        value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    else:
        value = getpass.getpass(f"{arguments.name} of {arguments.server}: ")
    if not value:
        print_note("secret set: no value on stdin")
        return 2
    with open_library(home) as library:
        if arguments.server not in library.snapshot.servers:
            raise ToolnoteError(Code.SERVER_NOT_FOUND, server=arguments.server)
        stored = store_secret(SecretStore(home), arguments.server, arguments.name, value, arguments)
        wanted = arguments.name in secret_references(library.snapshot.servers[arguments.server])
    print_text(f"Stored {arguments.name} of {arguments.server} {_LOCATION_NAMES[stored]}.")
    if not wanted:
        print_note(
            f"the server's entry does not use it yet: write ${{secret:{arguments.name}}} where the value belongs"
        )
    return 0


def store_secret(
    store: SecretStore, server: str, name: str, value: str, arguments: argparse.Namespace
) -> SecretLocation:
    """Store a value where the arguments say; without a keychain, also print which option stores it all the same.

    Raises:
        ToolnoteError: it could not be stored.
    """
    try:
        return store.write(server, name, value, place=SecretLocation.FILE if arguments.not_encrypted else None)
    except ToolnoteError as error:
        if error.problem.code is Code.KEYCHAIN_ABSENT:
            print_note("use --not-encrypted to store it in a plain file in Toolnote's folder")
        raise


def remove_secret(arguments: argparse.Namespace, home: Home) -> int:
    """Delete a secret."""
    if not SecretStore(home).remove(arguments.server, arguments.name):
        raise ToolnoteError(Code.SECRET_NOT_FOUND, server=arguments.server, name=arguments.name)
    print_text(f"Deleted {arguments.name} of {arguments.server}.")
    return 0


RUN: Final[Mapping[str, Command]] = {
    "list": list_secrets,
    "set": set_secret,
    "remove": remove_secret,
}
