"""Form for the inputs of a published server, and the entry of ``servers.json`` made from the values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import slug
from toolnote_desktop.public_registry.records import Input, Named, Package, PackageArgument, Published, Remote

Way = Remote | Package
"""Remote or package: an option of running a server."""

_PLACE = re.compile(r"\{([A-Za-z_][\w.\-]*)\}")
_FILLERS = {"mcp", "server", "remote", "official", "the"}
_RUNNERS: Final[Mapping[str, Sequence[str]]] = {
    "npm": ("npx", "-y"),
    "pypi": ("uvx",),
    "oci": ("docker", "run", "-i", "--rm"),
    "nuget": ("dnx",),
}


class Field(Struct, frozen=True):
    """Input field.

    Attributes:
        key: identifier, unique in a form.
        label: name for display.
        lines: several values are allowed, one per line.
    """

    key: str
    label: str
    input: Input
    lines: bool = False


def ways(server: Published) -> tuple[Way, ...]:
    """Return the options that Toolnote supports: remotes first, since they need nothing installed.

    Options that would read variables of this computer (``${…}``, docs/contract.md 2) are left out: they come from a
    third party.
    """
    all_ways: tuple[Way, ...] = (*server.remotes, *(one for one in server.packages if _is_startable(one)))
    return tuple(way for way in all_ways if "${" not in repr(way))


def _is_startable(package: Package) -> bool:
    """Return True if the package's type is supported and it runs over stdio."""
    runner = _RUNNERS.get(package.registry)
    return runner is not None and package.transport == "stdio" and package.runtime in ("", runner[0])


def suggested_id(server: Published) -> str:
    """Suggest a server id: ``io.github.ada/notes-mcp-server`` becomes ``notes``."""
    scope, _, last = server.name.rpartition("/")
    for text in (last, scope.rpartition(".")[2], server.title):
        words = [word for word in slug(text, fallback="").split("-") if word and word not in _FILLERS]
        if words:
            return "-".join(words)
    return slug(last, fallback="server")


def fields(way: Way) -> tuple[Field, ...]:
    """Return all input fields, required ones first."""
    found = list(_fields(way))
    return (*(one for one in found if one.input.required), *(one for one in found if not one.input.required))


def missing(way: Way, values: Mapping[str, str]) -> tuple[Field, ...]:
    """Return the required fields without a value."""
    return tuple(one for one in fields(way) if one.input.required and not values.get(one.key, "").strip())


def entry(way: Way, values: Mapping[str, str]) -> JsonObject:
    """Return the entry with these values; empty or absent fields are left out."""
    if isinstance(way, Remote):
        made: JsonObject = {"type": way.type, "url": _filled(way.url, "url", way.variables, values) or way.url}
        headers = _pairs("header", way.headers, values)
        return {**made, **({"headers": headers} if headers else {})}
    environment = _pairs("env", way.environment, values)
    command, *words = _command(way, environment, values)
    return {"type": "stdio", "command": command, "args": words, **({"env": environment} if environment else {})}


def _command(package: Package, environment: Mapping[str, str], values: Mapping[str, str]) -> Iterator[str]:
    """``npx -y NAME@VERSION``, ``uvx NAME@VERSION``, ``docker run -i --rm IMAGE:VERSION``, ``dnx NAME@VERSION``."""
    yield from _RUNNERS[package.registry]
    given = list(_all_words("run", package.runtime_arguments, values))
    yield from (word for word in given if word not in _RUNNERS[package.registry])
    if package.registry == "oci":
        for name in environment:
            if name not in given:
                yield from ("-e", name)
        tagged = ":" in package.identifier.rpartition("/")[2] or "@" in package.identifier
        yield package.identifier if tagged or not package.version else f"{package.identifier}:{package.version}"
    else:
        yield f"{package.identifier}@{package.version}" if package.version else package.identifier
    after = list(_all_words("arg", package.arguments, values))
    if package.registry == "nuget":
        yield "--yes"
        if after:
            yield "--"
    yield from after


def _all_words(kind: str, arguments: Sequence[PackageArgument], values: Mapping[str, str]) -> Iterator[str]:
    for number, argument in enumerate(arguments):
        yield from _words(kind, number, argument, values)


def _words(kind: str, number: int, argument: PackageArgument, values: Mapping[str, str]) -> Iterator[str]:
    key = f"{kind}:{number}"
    if argument.input.value is not None:
        value = _filled(argument.input.value, key, argument.input.variables, values)
        found = [value] if value is not None else []
    else:
        text = values.get(key, "")
        found = [line for line in text.splitlines() if line.strip()] if argument.repeated else [text] if text else []
    is_switch = argument.name and argument.input.format == "boolean" and argument.input.value is None
    for value in found:
        if is_switch:
            if value == "true":
                yield argument.name
        elif argument.name:
            yield from (argument.name, value)
        else:
            yield value
    is_bare = argument.name and argument.input.value is None and not _is_asked(argument)
    if not found and is_bare:
        yield argument.name


def _is_asked(argument: PackageArgument) -> bool:
    """Return True if a flag takes a value: one without any description of its value is a plain flag."""
    what = argument.input
    described = what.description or what.default or what.choices or what.placeholder or argument.hint
    return bool(described) or what.required or what.secret or what.format != "string"


def _pairs(kind: str, named: Sequence[Named], values: Mapping[str, str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for one in named:
        key = f"{kind}:{one.name}"
        if one.input.value is not None:
            value = _filled(one.input.value, key, one.input.variables, values)
        else:
            value = values.get(key) or None
        if value is not None:
            pairs[one.name] = value
    return pairs


def _filled(text: str, key: str, variables: Mapping[str, Input], values: Mapping[str, str]) -> str | None:
    """Return ``text`` with its variables replaced; None if an optional one has no value."""
    wanted = [name for name in _PLACE.findall(text) if name in variables]
    given = {name: _given(variables[name], values.get(f"{key}/{name}", "")) for name in wanted}
    if any(not value for value in given.values()):
        return None
    return _PLACE.sub(lambda match: given.get(match.group(1), match.group()), text)


def _given(variable: Input, value: str) -> str:
    return variable.value if variable.value is not None else value.strip()


def _fields(way: Way) -> Iterator[Field]:
    if isinstance(way, Remote):
        yield from _of_text(way.url, "url", way.variables, required=True)
        for header in way.headers:
            yield from _of_named("header", header)
        return
    for number, argument in enumerate(way.runtime_arguments):
        yield from _of_argument("run", number, argument)
    for number, argument in enumerate(way.arguments):
        yield from _of_argument("arg", number, argument)
    for variable in way.environment:
        yield from _of_named("env", variable)


def _of_named(kind: str, named: Named) -> Iterator[Field]:
    key = f"{kind}:{named.name}"
    if named.input.value is None:
        yield Field(key, named.name, named.input)
    else:
        yield from _of_text(named.input.value, key, named.input.variables, required=named.input.required)


def _of_argument(kind: str, number: int, argument: PackageArgument) -> Iterator[Field]:
    key = f"{kind}:{number}"
    if argument.input.value is not None:
        yield from _of_text(argument.input.value, key, argument.input.variables, required=argument.input.required)
    elif not argument.name or _is_asked(argument):
        label = argument.name.lstrip("-") or argument.hint.replace("_", " ")
        yield Field(key, label or argument.input.description, argument.input, lines=argument.repeated)


def _of_text(text: str, key: str, variables: Mapping[str, Input], *, required: bool) -> Iterator[Field]:
    for name in dict.fromkeys(_PLACE.findall(text)):
        variable = variables.get(name)
        if variable is not None and variable.value is None:
            inner = Input(
                description=variable.description,
                required=variable.required or required,
                secret=variable.secret,
                format=variable.format,
                default=variable.default,
                placeholder=variable.placeholder,
                choices=variable.choices,
            )
            yield Field(f"{key}/{name}", name.replace("_", " "), inner)
