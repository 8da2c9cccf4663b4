"""Servers that a command found in a file: listed, and their secrets stored where the user wants them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.assistants.importing.candidates import Candidate, CandidateState
from toolnote_desktop.assistants.importing.move_secrets import extract_secrets, store_secrets
from toolnote_desktop.assistants.masking import masked_url, masked_words
from toolnote_desktop.commands.output import count, print_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore


def describe(candidate: Candidate) -> JsonObject:
    """Describe a server as data: its command or address and the names of its settings, without values."""
    entry = candidate.entry
    found: dict[str, Any] = {"id": candidate.id, "foundAs": candidate.found_as, "state": str(candidate.state)}
    if "command" in entry:
        found["command"] = entry["command"]
        found["args"] = masked_words(list(entry.get("args", ())))
    else:
        found["url"] = masked_url(entry.get("url", ""))
    found["env"] = list(entry.get("env", ()))
    found["headers"] = list(entry.get("headers", ()))
    return found


def print_found(candidates: Iterable[Candidate], *, dry_run: bool) -> None:
    """Print a line per server, and the next step."""
    new = False
    for candidate in candidates:
        about = describe(candidate)
        target = about["url"] if "url" in about else shlex.join([about["command"], *about["args"]])
        names = [*about["env"], *about["headers"]]
        found_as = f" (found as {candidate.found_as})" if candidate.found_as != candidate.id else ""
        settings = f" [{', '.join(names)}]" if names else ""
        done = "would be imported, switched off" if dry_run else "imported, switched off"
        status = {
            CandidateState.PRESENT: "is already here",
            CandidateState.RENAMED: f"{done}; another server has its name",
        }.get(candidate.state, done)
        print_text(f"{candidate.id}{found_as}: {target}{settings}: {status}")
        new = new or candidate.state is not CandidateState.PRESENT
    if new and not dry_run:
        print_text("Check each one, then switch it on with `toolnote servers enable ID`.")


def print_secrets(candidates: Sequence[Candidate], location: SecretLocation | None, *, dry_run: bool) -> None:
    """Print where the values that look like secrets are stored, so that it is never mistaken."""
    found = sum(len(extract_secrets(candidate.entry).secrets) for candidate in candidates)
    if not found:
        return
    secrets = count(found, "value")
    verb = "looks like a secret" if found == 1 else "look like secrets"
    if location is None:
        would = "would stay" if dry_run else "stay" if found > 1 else "stays"
        print_text(f"{secrets} in them {verb} and {would} in servers.json.")
        print_text("Use --secrets keychain to store such values elsewhere.")
        return
    location_name = "in the keychain" if location is SecretLocation.KEYCHAIN else "in a file, NOT ENCRYPTED"
    was = "would be kept" if dry_run else "were kept" if found > 1 else "was kept"
    print_text(f"{secrets} in them {verb} and {was} {location_name}.")


def with_placeholders(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates with ``${secret:NAME}`` for each value that looks like a secret."""
    return tuple(replace(candidate, entry=extract_secrets(candidate.entry).entry) for candidate in candidates)


def store_candidate_secrets(candidates: Iterable[Candidate], store: SecretStore, location: SecretLocation) -> None:
    """Store the secrets that :func:`with_placeholders` replaces, all or none.

    Raises:
        ToolnoteError: the keychain is missing, locked, or refuses.
    """
    store_secrets(
        {candidate.id: extract_secrets(candidate.entry).secrets for candidate in candidates},
        _LocationWriter(store, location),
    )


class _LocationWriter(Struct, frozen=True):
    store: SecretStore
    location: SecretLocation

    def write(self, server: str, name: str, value: str) -> object:
        return self.store.write(server, name, value, place=self.location)

    def remove(self, server: str, name: str) -> object:
        return self.store.remove(server, name)
