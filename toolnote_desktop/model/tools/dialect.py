"""Dialects: rules of one family of clients or models (docs/contract.md 1), each a small data file with its sources.

``resources/dialects/*.json`` holds the bundled ones, ``dialects/*.json`` in the home folder the user's own, which
replace bundled ones of the same name. ``store.bundled_files`` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError

DEFAULT_DIALECT: Final = "default"

OWN_ENTRY: Final = "toolnote"
"""Usual name of Toolnote in clients' config files; some clients put it before each tool's name."""

_LEAST_ROOM: Final = 16
"""Minimum length of an exposed name: a shorter one would be a suffix only."""


class NotesPosition(StrEnum):
    """Position of notes in a description."""

    AFTER = "after"
    BEFORE = "before"
    BEFORE_IF_CUT = "before-if-cut"


class Dialect(Struct, frozen=True):
    """Dialect. A limit that is None does not apply.

    Attributes:
        clients: clientInfo names and ids of its clients, lower case; a ``*`` at the end matches any rest.
        family: tokenizer family (``guidance.tokens``).
        name_limit: characters of a tool's final name, including the client's prefix.
        name_prefix: prefix that the client adds to each name; ``{server}`` is its name for Toolnote.
        hyphen_as_underscore: the client changes each ``-`` of a name to ``_``.
        name_pattern: pattern of the final name.
        description_limit: characters of a description that the client passes on.
        loaded_description_limit: the same for a tool that it loads at once, where it loads others on demand.
        tool_warning: number of tools above which the client warns or degrades; above ``tool_limit`` it drops some.
        token_limit: tokens of all definitions together.
        context_tokens: tokens of its model's context.
        call_limit: seconds after which the client gives up a call.
        refused_keywords: JSON Schema keywords refused anywhere; ``refused_at_top`` only at the top; ``allowed_formats``
            are the accepted values of ``format``, None for all; ``string_enums``: enums may contain strings only.
        tuple_items: a list in ``items`` makes the client leave the tool out; it becomes ``prefixItems``.
        loads_on_demand: its model gets the names only, until it searches for a tool.
        meta_switches: prefix of the keys of ``_meta`` by which a tool tells the client how to treat it; "" for none.
        sentences: added to the guide and the server's instructions; ``tool_sentences`` at the end of each description.
        schema_subset: reduce schemas to the accepted subset: set by the user, never in a bundled file.
        older: figures of older versions: field, first version that it does not apply to, value.
        variant: version that the figures are of; "" for the newest.
        sources: each limit with its source.
    """

    name: str
    title: str
    clients: tuple[str, ...] = ()
    family: str = "other"
    name_limit: int | None = None
    name_prefix: str = ""
    hyphen_as_underscore: bool = False
    name_pattern: str | None = None
    description_limit: int | None = None
    loaded_description_limit: int | None = None
    instructions_limit: int | None = None
    tool_warning: int | None = None
    tool_limit: int | None = None
    token_limit: int | None = None
    context_tokens: int | None = None
    call_limit: int | None = None
    refused_keywords: tuple[str, ...] = ()
    refused_at_top: tuple[str, ...] = ()
    allowed_formats: tuple[str, ...] | None = None
    string_enums: bool = False
    tuple_items: bool = False
    loads_on_demand: bool = False
    meta_switches: str = ""
    notes: NotesPosition = NotesPosition.AFTER
    sentences: tuple[str, ...] = ()
    tool_sentences: tuple[str, ...] = ()
    schema_subset: bool = False
    older: tuple[tuple[str, str, Any], ...] = ()
    variant: str = ""
    sources: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[str, bool, str]:
        """Key that distinguishes lists served in this dialect from those of other dialects."""
        return (self.name, self.schema_subset, self.variant)

    def for_version(self, version: str) -> Dialect:
        """Return the dialect of a version of its client, such as ``2.1.197``; the newest if that is unreadable."""
        wanted = _version(version)
        found: dict[str, tuple[tuple[int, ...], Any]] = {}
        for name, below, value in self.older if wanted else ():
            limit = _version(below)
            if wanted < limit and (name not in found or limit < found[name][0]):
                found[name] = (limit, value)
        if not found:
            return self
        edges = ",".join(".".join(map(str, limit)) for limit in sorted({limit for limit, _ in found.values()}))
        return replace(self, variant=f"<{edges}", **{name: value for name, (_, value) in found.items()})

    def loaded(self) -> Dialect:
        """Return the dialect for a tool that the client loads at once."""
        return replace(self, description_limit=self.loaded_description_limit or self.description_limit)

    def room(self, entry: str = OWN_ENTRY) -> int | None:
        """Return the number of characters available for an exposed name; None: no limit of its own."""
        if self.name_limit is None:
            return None
        return max(_LEAST_ROOM, self.name_limit - len(self.final_name("", entry)))

    def final_name(self, exposed: str, entry: str = OWN_ENTRY) -> str:
        """Return the name as the client presents it to its model."""
        return self.name_prefix.replace("{server}", entry) + self.shown_name(exposed)

    def shown_name(self, exposed: str) -> str:
        """Return an exposed name as the client's model reads it, without the client's prefix."""
        return exposed.replace("-", "_") if self.hyphen_as_underscore else exposed


PLAIN: Final = Dialect(DEFAULT_DIALECT, "Any assistant")
"""Default for unknown clients: no rules."""


class DialectError(ValueError):
    """Reason in a few words why a file is not a dialect."""


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


_FIGURES: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "nameLimit": ("name_limit", _whole),
    "namePrefix": ("name_prefix", _text),
    "hyphenAsUnderscore": ("hyphen_as_underscore", _flag),
    "namePattern": ("name_pattern", _pattern),
    "descriptionLimit": ("description_limit", _whole),
    "loadedDescriptionLimit": ("loaded_description_limit", _whole),
    "instructionsLimit": ("instructions_limit", _whole),
    "toolWarning": ("tool_warning", _whole),
    "toolLimit": ("tool_limit", _whole),
    "tokenLimit": ("token_limit", _whole),
    "contextTokens": ("context_tokens", _whole),
    "callLimit": ("call_limit", _whole),
    "refusedKeywords": ("refused_keywords", _texts),
    "refusedAtTop": ("refused_at_top", _texts),
    "allowedFormats": ("allowed_formats", _texts),
    "stringEnums": ("string_enums", _flag),
    "tupleItems": ("tuple_items", _flag),
    "loadsOnDemand": ("loads_on_demand", _flag),
    "metaSwitches": ("meta_switches", _text),
}
"""Figure in a file -> field, and the check of its value."""

_NAME = re.compile(r"[a-z0-9-]{1,50}")
_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}")


def _version(text: str) -> tuple[int, ...]:
    """Return the numbers at the beginning of a version; empty if there are none."""
    found = _VERSION.match(text.strip().lstrip("v")[:100])
    return tuple(map(int, found.group().split("."))) if found else ()


def parse_dialect(raw: object) -> Dialect:
    """Parse a dialect file: ``{"name", "title", "clients", "family", "figures": {FIGURE: {"value", "source"}}, …}``.

    A figure may have ``"versions": [{"below": VERSION, "value", "source"}]`` for older versions of the client.

    Raises:
        DialectError: a value cannot be used. A dialect with a wrong figure is worse than none.
    """
    if not isinstance(raw, dict):
        raise DialectError("not an object")
    name, title = raw.get("name"), raw.get("title")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DialectError("name: not 1 to 50 of a-z, 0-9 and -")
    figures = raw.get("figures", {})
    if not isinstance(figures, dict):
        raise DialectError("figures: not an object")
    fields: JsonObject = {}
    sources: dict[str, str] = {}
    older: list[tuple[str, str, Any]] = []
    for figure, given in figures.items():
        known = _FIGURES.get(figure)
        if known is None:
            raise DialectError(f"figures: {figure} is not known")
        if not isinstance(given, dict) or not known[1](given.get("value")):
            raise DialectError(f"figures: {figure}: its value cannot be used")
        fields[known[0]] = _frozen(given["value"])
        older += _older_values(figure, given.get("versions", []))
        if isinstance(given.get("source"), str):
            sources[figure] = given["source"]
    for key, attribute in (("clients", "clients"), ("sentences", "sentences"), ("toolSentences", "tool_sentences")):
        value = raw.get(key, [])
        if not _texts(value):
            raise DialectError(f"{key}: not a list of texts")
        fields[attribute] = tuple(value)
    if raw.get("notes") is not None:
        if raw["notes"] not in list(NotesPosition):
            raise DialectError("notes: not after, before or before-if-cut")
        fields["notes"] = NotesPosition(raw["notes"])
    family = raw.get("family", "other")
    if not isinstance(family, str):
        raise DialectError("family: not a text")
    shown = title if isinstance(title, str) and title.strip() else name
    fields["clients"] = tuple(client.casefold() for client in fields["clients"])
    return Dialect(name, shown, family=family, sources=tuple(sources.items()), older=tuple(older), **fields)


def _older_values(figure: str, versions: Any) -> Iterable[tuple[str, str, Any]]:
    name, check = _FIGURES[figure]
    for one in versions if isinstance(versions, list) else [None]:
        given = one if isinstance(one, dict) else {}
        below, value = given.get("below"), given.get("value")
        if not isinstance(below, str) or not _version(below) or not check(value):
            raise DialectError(f"figures: {figure}: its versions cannot be used")
        yield name, below, _frozen(value)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def find_dialect(dialects: Mapping[str, Dialect], name: str) -> Dialect:
    """Return the dialect called ``name``.

    Raises:
        ToolnoteError: ``dialect-unknown``.
    """
    if name in dialects:
        return dialects[name]
    if name == DEFAULT_DIALECT:
        return PLAIN
    raise ToolnoteError(Code.DIALECT_UNKNOWN, name=name, known=", ".join(sorted(dialects)))


def choose_dialect(
    dialects: Mapping[str, Dialect],
    client: Client | None,
    names: Iterable[str],
    client_id: str | None = None,
    versions: Iterable[str] = (),
) -> Dialect:
    """Choose the dialect for a caller: that of its entry, else the only one that its names match, else the default.

    Args:
        client: the caller's entry of ``clients.json``.
        names: clientInfo names of this caller. If they match several dialects, as when two programs share a token, they
            are ignored: the lists of a token depend on nothing else.
        client_id: the caller's id, which is used if its names match nothing.
        versions: clientInfo versions of this caller; with several, the oldest counts, as its limits are the lowest.
    """
    plain = dialects.get(DEFAULT_DIALECT, PLAIN)
    chosen = dialects.get(client.dialect) if client is not None and client.dialect is not None else None
    if chosen is None:
        meant = {dialect.name: dialect for name in names if (dialect := _named(dialects, name)) is not None}
        if len(meant) == 1:
            (chosen,) = meant.values()
        elif not meant and client_id is not None:
            chosen = _named(dialects, client_id)
    chosen = chosen or plain
    oldest = min((version for version in versions if _version(version)), key=_version, default="")
    chosen = chosen.for_version(oldest)
    return replace(chosen, schema_subset=True) if client is not None and client.schema_subset else chosen


def _named(dialects: Mapping[str, Dialect], name: str) -> Dialect | None:
    wanted = name.casefold()
    for dialect in dialects.values():
        for client in dialect.clients:
            if wanted == client or (client.endswith("*") and wanted.startswith(client[:-1])):
                return dialect
    return None
