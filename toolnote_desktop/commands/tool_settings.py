"""``toolnote tool``: what belongs to a tool in every toolset, or in one of them (docs/contract.md 2 and 4)."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import find_toolset, open_library, save
from toolnote_desktop.commands.output import count, indent_following, print_json, print_problem, print_table, print_text
from toolnote_desktop.commands.tool_names import find_reference, label, make_reference
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.relevance import suggested_places
from toolnote_desktop.guidance.served_tools import chosen_tools, is_available, mute_problems, resolve_toolset
from toolnote_desktop.model import json_text
from toolnote_desktop.model.document import is_empty
from toolnote_desktop.model.edits import (
    ABSENT,
    CATALOG,
    CLIENTS,
    RULES_LOST,
    SERVERS,
    SETTINGS,
    TOOLS,
    Edit,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import EACH, argument_path, override_problems
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.hints import CLIENT_SWITCHES, HINT_KEYS, is_allowed_for_sessions, read_hints
from toolnote_desktop.model.tools.parameter_settings import ParameterSetting, is_absolute
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import (
    SetToolFields,
    SetToolObject,
    matches_reference,
    reference_fields,
)
from toolnote_desktop.model.toolsets.tool_settings import TOOL_ENTRIES, SetToolSettings, is_asking_suggested
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, ToolEntry, Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_queries import uses_of_tools
from toolnote_desktop.store.library import Library

LOST_RULES: Final = {
    TOOLS: "The rules for tools (tools.json) could not be read: the user is asked before each call.",
    CLIENTS: "The settings of clients (clients.json) could not be read: clients without new ones get no tools.",
    SERVERS: "The sources (servers.json) could not be read: changes of those that are added again are held.",
    SETTINGS: "The settings (settings.json) could not be read: Toolnote's own tools are not served.",
    CATALOG: "What you accepted of tools (catalog.json) could not be read: of sources whose changes are held, nothing "
    "counts as accepted.",
}
"""What it means that the rules of a document are lost."""

_TEXTS: Final = {"category": "category", "when": "whenToUse", "instructions": "instructions"}
_TOOLSET_ONLY: Final = ("alias", "optionality")
_RULES: Final = ("values", "under", "like")
_VALUES: Final = ("default", "fixed", "hidden", "allowed")


def suggest(arguments: argparse.Namespace, home: Home) -> int:
    """Print the place in guides that each tool's use suggests, or set it."""
    since = time.time() - arguments.days * 86_400
    calls = {(use.server, use.tool): use.calls for use in uses_of_tools(home, since)}
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.toolset)
        found = [one for one in resolve_toolset(library.snapshot, toolset) if one.known is not None and one.enabled]
        known = {one.known.tool.key: one.entry for one in found if one.known is not None}
        places = suggested_places(calls, list(known))
        changes = {key: place for key, place in places.items() if place != known[key].optionality}
        if arguments.apply and changes:
            document = toolset_document(toolset.name)
            fields = ((key, {"optionality": place or ABSENT}) for key, place in changes.items())
            save(library, *(SetToolFields(document, known[key], one) for key, one in fields))
    if arguments.json:
        rows = [
            {"namespacedName": known[key].namespaced_name, "calls": calls.get(key, 0), "suggested": place or "by-task"}
            for key, place in places.items()
        ]
        print_json({"toolset": toolset.name, "days": arguments.days, "tools": rows, "set": bool(arguments.apply)})
        return 0
    rows_shown = ((f"{key[0]}.{key[1]}", calls.get(key, 0), place or "by-task") for key, place in places.items())
    print_table((name, count(number, "call"), place) for name, number, place in rows_shown)
    if arguments.apply:
        print_text(f"Set {count(len(changes), 'tool')} in {toolset.name}.")
    return 0


def lost_rules(arguments: argparse.Namespace, home: Home) -> int:
    """Print the documents whose rules were lost (docs/contract.md 2), or go on without them."""
    with open_library(home) as library:
        lost = library.snapshot.lost_rules
        if lost and arguments.drop:
            save(library, *(SetFields(document, {RULES_LOST: ABSENT}) for document in lost))
            lost = ()
    if arguments.json:
        print_json({"lost": list(map(str, lost))})
    elif lost:
        for document in lost:
            print_text(LOST_RULES[document])
    else:
        print_text("No rules are lost.")
    return 0


def show(arguments: argparse.Namespace, home: Home) -> int:
    """Print a tool's settings: in every toolset, in one toolset, and both together as they are in effect."""
    with open_library(home) as library:
        snapshot = library.snapshot
        reference = make_reference(snapshot, arguments.tool, arguments.server)
        known = next(iter(snapshot.catalogue.resolve(reference)), None)
        if known is None:
            raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=arguments.tool)
        toolset = snapshot.shared_toolset if arguments.toolset is None else find_toolset(snapshot, arguments.toolset)
        described = _describe(library, known, toolset)
    if arguments.json:
        print_json(described)
    else:
        _print_tool(described)
    return 0


def _describe(library: Library, known: KnownTool, toolset: Toolset | None) -> JsonObject:
    snapshot = library.snapshot
    reference = snapshot.catalogue.reference_to(known.tool)
    entries = [] if toolset is None else [one for one in toolset.tools if known in snapshot.catalogue.resolve(one)]
    raw = {} if toolset is None else library.raw(toolset_document(toolset.name)) or {}
    own = next((one for one in raw.get("tools") or () if matches_reference(one, reference)), None) if entries else None
    every = ((library.raw(TOOLS) or {}).get(TOOL_ENTRIES) or {}).get(known.tool.namespaced_name)
    served = next((one for one in chosen_tools(snapshot, toolset) if one.known is known), None)
    notes = NoteIndex(toolset, snapshot.notes, snapshot.catalogue).applied(known.tool)
    effective = snapshot.effective_entry(known, entries[0] if entries else NOTHING_SET)
    return {
        "tool": {**reference_fields(reference), "server": known.tool.server, "title": known.tool.title},
        "toolset": toolset.name if toolset is not None else None,
        "served": served is not None,
        "reason": None if served is not None else _why_not_served(snapshot, known, toolset, effective, bool(entries)),
        "name": served.name if served is not None else snapshot.catalogue.exposed[known.tool.key],
        "everyToolset": every or {},
        "inToolset": {key: value for key, value in (own or {}).items() if key not in reference_fields(reference)},
        "inEffect": _in_effect(effective),
        "approval": {
            "asked": effective.approval == "ask",
            "suggested": is_asking_suggested(known, effective),
            "forSession": is_allowed_for_sessions(known.annotations, effective.hints),
        },
        "notes": [{"scope": str(one.scope), **one.note.to_json()} for one in notes],
    }


def _why_not_served(
    snapshot: Snapshot, known: KnownTool, toolset: Toolset | None, effective: ToolEntry, is_listed: bool
) -> str:
    if toolset is None:
        return "no toolset is in use"
    if not is_listed:
        return "it is not in the toolset"
    if effective.is_for_user_only:
        return "it is for the user only (audience)"
    if not effective.enabled:
        return "it is off"
    if not is_available(snapshot, known):
        return "its server no longer lists it" if not known.listed else "its server is off"
    return "its entry is ambiguous"


def _in_effect(entry: ToolEntry) -> JsonObject:
    parameters = {name: _parameter(one) for name, one in entry.parameters.items()}
    found: JsonObject = {
        "enabled": entry.enabled,
        "approval": entry.approval,
        "consent": entry.consent.to_json() if entry.consent is not None else None,
        "alias": entry.alias,
        "category": entry.category,
        "optionality": entry.optionality,
        "whenToUse": entry.when_to_use,
        "instructions": entry.instructions,
        "hints": dict(entry.hints),
        "parameters": parameters,
        "muted": list(entry.muted),
    }
    return {key: value for key, value in found.items() if value not in (None, "", {}, []) or key == "enabled"}


def _parameter(setting: ParameterSetting) -> JsonObject:
    known = {
        "note": setting.note or None,
        "default": setting.default,
        "fixed": setting.fixed,
        "hidden": setting.hidden,
        "allowed": setting.allowed or None,
        "imported": setting.imported or None,
    }
    return {key: value for key, value in known.items() if value is not None and value is not UNSET}


def _print_tool(described: JsonObject) -> None:
    tool = described["tool"]
    print_text(f"{tool['title']}  ({tool['namespacedName']})")
    toolset = described["toolset"]
    where = f" in {toolset}" if toolset is not None else ""
    why = f": {described['reason']}" if described["reason"] else ""
    print_text(f"{'Served' if described['served'] else 'Not served'}{where} as {described['name']}{why}")
    for title, key in (("In every toolset", "everyToolset"), (f"Only{where}", "inToolset"), ("In effect", "inEffect")):
        if described[key]:
            print_text(f"\n{title}:")
            for name, value in described[key].items():
                text = value if isinstance(value, str) else json_text.dumps(value).decode("utf-8")
                print_text(f"  {name}: {indent_following(text, 4)}")
    approval = described["approval"]
    if approval["suggested"]:
        print_text("\nAsk me first is suggested: the tool is marked destructive, and no call is asked about.")
    elif approval["asked"]:
        how = ", or for a session" if approval["forSession"] else ", since it can delete data beyond its server"
        print_text(f"\nAsk me first is on: you allow its calls one by one{how}.")
    if described["notes"]:
        print_text("\nNotes:")
        for note in described["notes"]:
            off = "" if note.get("enabled", True) else ", off"
            print_text(f"  • {note['name']} ({note['scope']}{off}): {indent_following(note['note'], 4)}")


def set_(arguments: argparse.Namespace, home: Home) -> int:
    """Set a tool's settings in every toolset; with ``--toolset``, and for an alias or optionality, in one toolset."""
    with open_library(home) as library:
        snapshot = library.snapshot
        edits: list[Edit] = []
        names = []
        for tool in dict.fromkeys(arguments.tools):
            reference = make_reference(snapshot, tool, arguments.server)
            names.append(label(reference))
            _refuse_other_lists(snapshot, arguments, reference)
            edits += _edits(library, arguments, tool, reference)
        if not edits:
            raise ToolnoteError(Code.SETTING_INVALID, setting="tool set", reason="name at least one setting")
        changed = save(library, *edits)
        for tool in dict.fromkeys(arguments.tools):
            _report_unknown(changed, arguments, tool)
    print_text(f"Set {', '.join(names)}.")
    return 0


def _refuse_other_lists(snapshot: Snapshot, arguments: argparse.Namespace, reference: ToolReference) -> None:
    """Raise ToolnoteError for a value or rule that is to hold in a list of which the tool's schema knows nothing, such
    as for each value of an object: no call with one would be let through.
    """
    in_lists = {
        name: ParameterSetting()
        for name, values in _parameter_values(arguments)
        if EACH in argument_path(name)[1:] and any(values.get(key, ABSENT) is not ABSENT for key in _VALUES)
    }
    for known in snapshot.catalogue.resolve(reference):
        for problem in override_problems(known.tool.definition, ToolEntry(parameters=in_lists)):
            name = problem.parameters["argument"]
            raise _invalid(name, f"* means each object of a list, and {known.tool.name} has no such list")


def _report_unknown(snapshot: Snapshot, arguments: argparse.Namespace, tool: str) -> None:
    """Print a line for each parameter and each paragraph that the tool does not have."""
    reference = make_reference(snapshot, tool, arguments.server)
    for known in snapshot.catalogue.resolve(reference):
        named = {name for name, _ in _parameter_values(arguments)}
        entry = ToolEntry(parameters={name: ParameterSetting() for name in named})
        muted = ToolEntry(muted=tuple(arguments.mute))
        definition = known.tool.definition
        for problem in (*override_problems(definition, entry), *mute_problems(known.tool.served_base, muted)):
            print_problem(problem)


def _edits(library: Library, arguments: argparse.Namespace, tool: str, reference: ToolReference) -> Iterator[Edit]:
    snapshot = library.snapshot
    toolset_fields = {key: getattr(arguments, key) for key in _TOOLSET_ONLY if getattr(arguments, key) is not None}
    if toolset_fields or arguments.toolset is not None:
        toolset = find_toolset(snapshot, arguments.toolset)
        inside = find_reference(snapshot, toolset, tool, arguments.server)
        document = toolset_document(toolset.name)
        if toolset_fields:
            values = {key: ABSENT if value == "by-task" else _text(value) for key, value in toolset_fields.items()}
            yield SetToolFields(document, inside, values)
        if arguments.toolset is not None:
            raw = library.raw(document) or {}
            entry: JsonObject = next((one for one in raw.get("tools", ()) if matches_reference(one, inside)), {})
            fields = dict(_fields(arguments, entry))
            if fields:
                yield SetToolFields(document, inside, fields)
            yield from (SetToolObject(document, inside, "hints", dict([pair])) for pair in _hints(arguments))
            for name, values in _parameter_values(arguments):
                own = {} if values.keys() == {"note"} else {"imported": ABSENT}
                yield SetToolObject(document, inside, "parameters", {**values, **own}, path=(name,))
                if values.keys() & {"default", "fixed", "hidden"}:
                    yield from _without_old_keys(document, inside, entry, name)
            if arguments.pinned is not None:
                raise _invalid("--always-on", "it holds in every toolset; leave out --toolset")
            return
    yield from _edits_everywhere(library, arguments, tool, reference)


def _without_old_keys(document: Any, reference: ToolReference, entry: JsonObject, name: str) -> Iterator[Edit]:
    """Remove a parameter from ``argumentDefaults`` and ``hiddenArguments``, which ``parameters`` replaces."""
    if name in (entry.get("argumentDefaults") or {}):
        yield SetToolObject(document, reference, "argumentDefaults", {name: ABSENT})
    hidden = entry.get("hiddenArguments") or []
    if name in hidden:
        yield SetToolFields(document, reference, {"hiddenArguments": [one for one in hidden if one != name]})


def _edits_everywhere(
    library: Library, arguments: argparse.Namespace, tool: str, reference: ToolReference
) -> Iterator[Edit]:
    name = reference.namespaced_name
    every = ((library.raw(TOOLS) or {}).get(TOOL_ENTRIES) or {}).get(name) or {}
    fields, hints, parameters = (
        dict(_fields(arguments, every)),
        dict(_hints(arguments)),
        dict(_parameter_values(arguments)),
    )
    if not (fields or hints or parameters) and arguments.pinned is None:
        return
    if name is None:
        raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=tool)
    if reference.server is not None and reference.ref_id is not None:
        reason = "two tools share this name: set it in a toolset with --toolset"
        raise ToolnoteError(Code.SETTING_INVALID, setting=name, reason=reason)
    if reference.ref_id is None:
        print_problem(Problem(Code.TOOL_NOT_SEEN, {"tool": name}))
    if arguments.pinned is not None:
        fields["pinned"] = True if arguments.pinned else ABSENT
    if fields:
        yield SetToolSettings(name, fields)
    if hints:
        yield SetToolSettings(name, hints, ("hints",))
    for parameter, values in parameters.items():
        yield SetToolSettings(name, values, ("parameters", parameter))


def _fields(arguments: argparse.Namespace, entry: JsonObject) -> Iterator[tuple[str, Any]]:
    for option, key in _TEXTS.items():
        if (text := getattr(arguments, option)) is not None:
            yield key, _text(text)
    if arguments.approval is not None:
        yield "approval", ABSENT if arguments.approval == "null" else arguments.approval
    if arguments.consent is not None:
        word = _text(arguments.consent)
        if word == "off":
            word = False if arguments.toolset is not None else ABSENT
        yield "consent", {"literal": word} if isinstance(word, str) else word
    if arguments.on is not None:
        yield "enabled", arguments.on
    if arguments.mute:
        kept = [text for text in entry.get("muted") or [] if isinstance(text, str)]
        texts = dict.fromkeys((*kept, *(text for text in arguments.mute if text.strip())))
        yield "muted", list(texts) if all(text.strip() for text in arguments.mute) else ABSENT


def _hints(arguments: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    for key, text in arguments.hint:
        value = _json(f"--hint {key}", text)
        if key not in (known := (*HINT_KEYS, *CLIENT_SWITCHES)):
            raise _invalid(f"--hint {key}", f"no such hint; there are: {', '.join(known)}")
        faults: list[str] = []
        read_hints({key: value}, key, lambda _place, reason, faults=faults: faults.append(reason))  # type: ignore[misc]
        if faults:
            raise _invalid(f"--hint {key}", faults[0].partition(": ")[2])
        yield key, ABSENT if is_empty(value) else value


def _parameter_values(arguments: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (parameter, keys to set); a default or fixed value replaces the other, ``null`` removes both."""
    found: dict[str, dict[str, Any]] = {}
    for name, text in arguments.note:
        found.setdefault(name, {})["note"] = _text(text)
    for key, other, pairs in (("default", "fixed", arguments.default), ("fixed", "default", arguments.fix)):
        for name, text in pairs:
            value = _json(f"--{'fix' if key == 'fixed' else key} {name}", text)
            none: dict[str, Any] = {other: ABSENT, "hidden": ABSENT}
            found.setdefault(name, {}).update({**none, key: ABSENT if value is None else value})
    for name in arguments.hide:
        found.setdefault(name, {})["hidden"] = True
    for name, text in arguments.allow:
        rule = _json(f"--allow {name}", text)
        if rule is not None and not (
            isinstance(rule, dict)
            and len(rule) == 1
            and (isinstance(rule.get("values"), list) or any(isinstance(rule.get(key), str) for key in _RULES[1:]))
        ):
            raise _invalid(f"--allow {name}", 'expected {"values": […]}, {"under": FOLDER} or {"like": GLOB}')
        if rule is not None and not is_absolute(rule.get("under", "/")):
            raise _invalid(f"--allow {name}", "the folder is not absolute")
        found.setdefault(name, {})["allowed"] = ABSENT if rule is None else rule
    yield from found.items()


def _text(text: str) -> Any:
    """Return the text of an option; ``ABSENT`` for an empty text and ``null``, which remove it."""
    return ABSENT if text.strip() in ("", "null") else text.strip()


def _json(option: str, text: str) -> Any:
    """Return the value of an option; None for an empty text and ``null``, which remove it."""
    try:
        return json_text.loads(text) if text.strip() else None
    except (ValueError, json.JSONDecodeError) as error:
        raise _invalid(option, f"not JSON: {text}") from error


def _invalid(option: str, reason: str) -> ToolnoteError:
    return ToolnoteError(Code.SETTING_INVALID, setting=option, reason=reason)


RUN: Final[Mapping[str, Command]] = {
    "show": show,
    "set": set_,
    "suggest": suggest,
    "lost_rules": lost_rules,
}
