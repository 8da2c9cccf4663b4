"""Parser of a published server's description: ``server.json``, read leniently (schema of 2025-12-11, and older
spellings).

The content is untrusted: an invalid part is left out, and only that part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

LONGEST_TEXT: Final = 2_000
MOST_PARTS: Final = 100
"""Maximum number of arguments, variables or options in one record."""

_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


class Input(Struct, frozen=True):
    """Input value of a server.

    Attributes:
        value: fixed value, with ``{name}`` for its variables; None if the user provides it.
        choices: allowed values; empty: any.
        format: ``string``, ``number``, ``boolean`` or ``filepath``.
        variables: name -> input for ``{name}`` in ``value``.
    """

    description: str = ""
    required: bool = False
    secret: bool = False
    format: str = "string"
    default: str = ""
    placeholder: str = ""
    value: str | None = None
    choices: tuple[str, ...] = ()
    variables: Mapping[str, Input] = field(default_factory=dict)


class Named(Struct, frozen=True):
    """Environment variable or header."""

    name: str
    input: Input


class PackageArgument(Struct, frozen=True):
    """Command-line argument. ``name`` is the flag, "" for a positional one; ``hint`` describes the latter."""

    input: Input
    name: str = ""
    hint: str = ""
    repeated: bool = False


class Remote(Struct, frozen=True):
    """Remote server. ``type`` as in ``servers.json``: ``http`` or ``sse``."""

    type: str
    url: str
    headers: tuple[Named, ...] = ()
    variables: Mapping[str, Input] = field(default_factory=dict)


class Package(Struct, frozen=True):
    """Package of a server that runs on this computer. ``registry``: ``npm``, ``pypi``, ``oci``, ``nuget`` …"""

    registry: str
    identifier: str
    version: str = ""
    runtime: str = ""
    transport: str = "stdio"
    runtime_arguments: tuple[PackageArgument, ...] = ()
    arguments: tuple[PackageArgument, ...] = ()
    environment: tuple[Named, ...] = ()


class Published(Struct, frozen=True):
    """Published server. ``name`` is its name in the registry, such as ``io.github.ada/notes``."""

    name: str
    title: str
    description: str = ""
    version: str = ""
    repository: str = ""
    website: str = ""
    deprecated: bool = False
    remotes: tuple[Remote, ...] = ()
    packages: tuple[Package, ...] = ()


class RegistryResults(Struct, frozen=True):
    """Page of a list. ``next_cursor`` requests the next one; "" on the last."""

    servers: tuple[Published, ...] = ()
    next_cursor: str = ""


_TYPES: Final = {"streamable-http": "http", "streamable_http": "http", "http": "http", "sse": "sse"}


def read_page(raw: Any) -> RegistryResults | None:
    """Parse a response of ``/servers``; None if it is not one. Older versions of a server are left out."""
    if not isinstance(raw, dict) or not isinstance(raw.get("servers"), list):
        return None
    found: dict[str, Published] = {}
    for item in raw["servers"]:
        server = _read_item(item)
        if server is not None:
            found.setdefault(server.name, server)
    metadata = raw.get("metadata")
    cursor = _get(metadata, "nextCursor") if isinstance(metadata, dict) else None
    return RegistryResults(tuple(found.values()), cursor if isinstance(cursor, str) else "")


def _read_item(item: Any) -> Published | None:
    if not isinstance(item, dict):
        return None
    inside = item.get("server")
    server = inside if isinstance(inside, dict) else item
    meta = item.get("_meta") or server.get("_meta")
    official = meta.get("io.modelcontextprotocol.registry/official") if isinstance(meta, dict) else None
    official = official if isinstance(official, dict) else {}
    if _get(official, "isLatest") is False or official.get("status") == "deleted":
        return None
    return read_server(server, deprecated="deprecated" in (official.get("status"), server.get("status")))


def read_server(raw: Any, *, deprecated: bool = False) -> Published | None:
    """Parse a ``server.json``; None if it has no name, or no supported option."""
    if not isinstance(raw, dict):
        return None
    name = _text(raw.get("name"))
    remotes = tuple(one for one in map(_read_remote, _list(raw.get("remotes"))) if one is not None)
    packages = tuple(one for one in map(_read_package, _list(raw.get("packages"))) if one is not None)
    if not name or not (remotes or packages):
        return None
    repository = raw.get("repository")
    return Published(
        name=name,
        title=_text(raw.get("title")) or name.rpartition("/")[2],
        description=_text(raw.get("description")),
        version=_text(raw.get("version")),
        repository=_text(repository.get("url")) if isinstance(repository, dict) else "",
        website=_text(_get(raw, "websiteUrl")),
        deprecated=deprecated,
        remotes=remotes,
        packages=packages,
    )


def _read_remote(raw: Any) -> Remote | None:
    if not isinstance(raw, dict):
        return None
    kind = _TYPES.get(_text(raw.get("type") or _get(raw, "transportType")))
    url = _text(raw.get("url"))
    if kind is None or not url.lower().startswith(("http://", "https://", "{")):
        return None
    return Remote(kind, url, tuple(_named(raw.get("headers"))), _variables(raw.get("variables")))


def _read_package(raw: Any) -> Package | None:
    if not isinstance(raw, dict):
        return None
    registry, identifier = _text(_get(raw, "registryType")), _text(raw.get("identifier"))
    transport = raw.get("transport")
    if not registry or not identifier or identifier.startswith("-"):
        return None
    return Package(
        registry=registry,
        identifier=identifier,
        version=_text(raw.get("version")),
        runtime=_text(_get(raw, "runtimeHint")),
        transport=_text(transport.get("type")) if isinstance(transport, dict) else "stdio",
        runtime_arguments=tuple(_arguments(_get(raw, "runtimeArguments"))),
        arguments=tuple(_arguments(_get(raw, "packageArguments"))),
        environment=tuple(_named(_get(raw, "environmentVariables"))),
    )


def _arguments(raw: Any) -> Iterator[PackageArgument]:
    for one in _list(raw):
        if not isinstance(one, dict):
            continue
        name = _text(one.get("name")) if one.get("type") == "named" else ""
        if one.get("type") == "named" and not name:
            continue
        hint = _text(_get(one, "valueHint"))
        yield PackageArgument(_input(one), name, hint, _get(one, "isRepeated") is True)


def _named(raw: Any) -> Iterator[Named]:
    for one in _list(raw):
        name = _text(one.get("name")) if isinstance(one, dict) else ""
        if name:
            yield Named(name, _input(one))


def _variables(raw: Any) -> Mapping[str, Input]:
    if not isinstance(raw, dict):
        return {}
    return {name: _input(one) for name, one in list(raw.items())[:MOST_PARTS] if isinstance(one, dict)}


def _input(raw: Mapping[str, Any]) -> Input:
    value, default = raw.get("value"), raw.get("default")
    return Input(
        description=_text(raw.get("description")),
        required=_get(raw, "isRequired") is True,
        secret=_get(raw, "isSecret") is True,
        format=_text(raw.get("format")) or "string",
        default=_scalar(default),
        placeholder=_text(raw.get("placeholder")),
        value=_clean(value) if isinstance(value, str) and value else None,
        choices=tuple(_scalar(one) for one in _list(raw.get("choices")) if _scalar(one)),
        variables=_variables(raw.get("variables")),
    )


def _get(raw: Mapping[str, Any], key: str) -> Any:
    """Return a value by its current name, else by that of the older schema: ``isRequired``, ``is_required``."""
    if key in raw:
        return raw[key]
    return raw.get(re.sub(r"(?=[A-Z])", "_", key).lower())


def _list(raw: Any) -> list[Any]:
    return raw[:MOST_PARTS] if isinstance(raw, list) else []


def _text(raw: Any) -> str:
    return _clean(raw).strip() if isinstance(raw, str) else ""


def _scalar(raw: Any) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return str(raw) if isinstance(raw, int | float) else _text(raw)


def _clean(text: str) -> str:
    """Return a text without invisible characters, of limited length."""
    return _HIDDEN.sub("", text)[:LONGEST_TEXT]
