"""Expansion of ``${…}`` in a server's entry, at launch and never in the file (docs/contract.md 2, case C45).

``${VAR}`` and ``${env:VAR}`` are environment variables, ``${VAR:-default}`` has a default if the variable is unset or
empty, ``${secret:NAME}`` is read from the secret store. Other programs' forms with a colon (``${input:x}``) count as
missing: no server expects them literally. Anything else, such as ``${1}`` in a shell script, is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.secrets.secret_masks import is_secret_name
from toolnote_desktop.model.servers import Server

Secrets = Callable[[str], str | None]
"""Function that returns a secret of this server by name, or None."""

_PLACE = re.compile(r"\$\{(?:([A-Za-z]+):)?([A-Za-z_][A-Za-z0-9_.-]*)(?::-([^}]*+))?(\}|\Z)")
"""A reference; or the unclosed rest of a text, so that a default without end is read once (``_references``)."""


def _references(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _PLACE.finditer(text) if match[4])


def expanded_secrets(server: Server, environment: Mapping[str, str], secrets: Secrets | None = None) -> Iterator[str]:
    """Yield the values that ``expand`` inserts for variables with secret names, and all secrets of the store.

    The complete values of env and headers are secret too; the server may know, and repeat, only the inserted part.
    """
    texts = (server.command or "", *server.args, *server.env.values(), server.url or "", *server.headers.values())
    for text in texts:
        for match in _references(text):
            kind, name = match[1], match[2]
            found = secrets(name) if kind == "secret" and secrets else None
            if kind in (None, "env") and is_secret_name(name):
                found = environment.get(name)
            if found:
                yield found


SECRET_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
"""Allowed values of ``NAME`` in ``${secret:NAME}``."""


def secret_references(server: Server) -> dict[str, str]:
    """Return the secrets that an entry references, each with the first field that does, in the entry's order."""
    places: dict[str, str] = {}
    for field, text in _texts(server):
        for match in _references(text):
            if match[1] == "secret":
                places.setdefault(match[2], field)
    return places


def _texts(server: Server) -> Iterator[tuple[str, str]]:
    yield "command", server.command or ""
    yield from ((f"args[{number}]", text) for number, text in enumerate(server.args))
    yield from ((f"env.{key}", text) for key, text in server.env.items())
    yield "cwd", server.cwd or ""
    yield "url", server.url or ""
    yield from ((f"headers.{key}", text) for key, text in server.headers.items())
    yield "toolnote.signIn.clientSecret", server.toolnote.sign_in.client_secret or ""


def expand(server_id: str, server: Server, environment: Mapping[str, str], secrets: Secrets | None = None) -> Server:
    """Return the entry with all references expanded: command, args, env values, cwd, url, header values.

    Raises:
        ToolnoteError: ``value-missing`` with field and variable of the first reference without a value.
    """

    def fill(field: str, text: str) -> str:
        def value(match: re.Match[str]) -> str:
            kind, name, default, closed = match.groups()
            if not closed:
                return match[0]
            found = secrets(name) if kind == "secret" and secrets else None
            if kind in (None, "env"):
                found = environment.get(name)
            if not found and default is not None:
                return str(default)
            if found is None:
                variable = f"{kind}:{name}" if kind not in (None, "env") else name
                raise ToolnoteError(Code.VALUE_MISSING, server=server_id, field=field, variable=variable)
            return found

        return _PLACE.sub(value, text)

    def fill_optional(field: str, text: str | None) -> str | None:
        return None if text is None else fill(field, text)

    sign_in = server.toolnote.sign_in
    client_secret = fill_optional("toolnote.signIn.clientSecret", sign_in.client_secret)
    toolnote = replace(server.toolnote, sign_in=replace(sign_in, client_secret=client_secret))
    return replace(
        server,
        toolnote=toolnote,
        command=fill_optional("command", server.command),
        args=tuple(fill(f"args[{number}]", text) for number, text in enumerate(server.args)),
        env={key: fill(f"env.{key}", text) for key, text in server.env.items()},
        cwd=fill_optional("cwd", server.cwd),
        url=fill_optional("url", server.url),
        headers={key: fill(f"headers.{key}", text) for key, text in server.headers.items()},
    )
