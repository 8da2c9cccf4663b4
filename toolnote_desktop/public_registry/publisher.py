"""Publisher of a server, and what it asks for, as far as the registry says either."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.public_registry.form import Field, fields, ways
from toolnote_desktop.public_registry.records import Published, Remote

_GITHUB: Final = "io.github."
_SHARED: Final = frozenset(
    {"github.io", "vercel.app", "workers.dev", "herokuapp.com", "netlify.app", "fly.dev", "run.app"}
)
"""Domains whose subdomains belong to anyone."""


class PublisherKind(StrEnum):
    """Relation of a publisher to the service."""

    OFFICIAL = "official"
    """The registry verified the domain, and the server or its website is in it."""
    KNOWN = "known"
    """The registry verified the account of the repository, or a domain without the server or its website."""
    COMMUNITY = "community"


class ServerPublisher(Struct, frozen=True):
    """Publisher. ``name`` is a domain or an account; "" where unknown."""

    kind: PublisherKind
    name: str = ""


class AsksFor(StrEnum):
    """Kind of what a server asks for before it works."""

    SIGN_IN = "sign-in"
    TOKEN = "token"
    FOLDER = "folder"
    DATABASE = "database"
    OTHER = "other"
    NOTHING = "nothing"
    UNKNOWN = "unknown"


def publisher_of(server: Published) -> ServerPublisher:
    """Return the publisher by the server's namespace, which the registry verifies (GitHub account or DNS)."""
    namespace = server.name.rpartition("/")[0]
    if namespace.startswith(_GITHUB):
        account = namespace.removeprefix(_GITHUB)
        owner = split_url(server.repository).path.strip("/").partition("/")[0]
        known = bool(owner) and owner.casefold() == account.casefold()
        return ServerPublisher(PublisherKind.KNOWN if known else PublisherKind.COMMUNITY, account if known else "")
    domain = ".".join(reversed(namespace.split(".")))
    hosts = [split_url(url).hostname or "" for url in (*(one.url for one in server.remotes), server.website)]
    if "." not in domain or domain in _SHARED:
        return ServerPublisher(PublisherKind.COMMUNITY)
    is_there = any(_is_in(host, domain) for host in hosts)
    return ServerPublisher(PublisherKind.OFFICIAL if is_there else PublisherKind.KNOWN, domain)


def asks_for(server: Published, *, is_curated: bool = False) -> AsksFor:
    """Return what a server asks for in the option that Toolnote offers first.

    Args:
        is_curated: from the release's own list, whose entries name all that is asked for: an address without fields
            asks to sign in, and a program without fields asks for nothing.
    """
    options = ways(server)
    if not options:
        return AsksFor.UNKNOWN
    required = [one for one in fields(options[0]) if one.input.required]
    optional = [] if is_curated else [one for one in fields(options[0]) if one.input.secret]
    asked = required or optional
    if not asked:
        if not is_curated:
            return AsksFor.UNKNOWN
        return AsksFor.SIGN_IN if isinstance(options[0], Remote) else AsksFor.NOTHING
    if any(_is_database(one) for one in asked):
        return AsksFor.DATABASE
    if any(one.input.secret for one in asked):
        return AsksFor.TOKEN
    if any(one.input.format == "filepath" for one in asked):
        return AsksFor.FOLDER
    return AsksFor.OTHER


def _is_database(field: Field) -> bool:
    text = f"{field.label} {field.input.description}".casefold()
    return any(
        word in text for word in ("database url", "database_url", "connection string", "database address", "dsn")
    )


def _is_in(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")
