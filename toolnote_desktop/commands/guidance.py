"""``toolnote guide``, ``search``, ``budget``, ``preferences``, ``dialect``: what is served (docs/contract.md 4)."""

from __future__ import annotations

import argparse
import json
import shlex
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import client_guidance, find_toolset, open_library, save, served_state
from toolnote_desktop.commands.output import count, one_line, print_json, print_table, print_text
from toolnote_desktop.commands.tool_names import make_reference, unambiguous_name
from toolnote_desktop.guidance.budgets import UNUSED_DAYS, ListBudget, list_budget, unused_tools
from toolnote_desktop.guidance.discovery import discovery_of
from toolnote_desktop.guidance.guide import Detail, write_guide
from toolnote_desktop.guidance.reader import client_reader, copying_reader
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.guidance.search import FoundTools, SearchIndex
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.guidance.texts import first_sentence
from toolnote_desktop.guidance.tokens import LIKELIEST_FAMILY
from toolnote_desktop.meaning.client import Meaning
from toolnote_desktop.model.document import InvalidEntryError
from toolnote_desktop.model.edits import ABSENT, CLIENT_ENTRIES, CLIENTS, SETTINGS, Edit, PutEntry, SetFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.preferences import LANGUAGE_NAMES, PREFERENCES, Preferences
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import DEFAULT_DIALECT, choose_dialect, find_dialect
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.store import bundled_files
from toolnote_desktop.store.activity_queries import called_tools
from toolnote_desktop.store.library import Library

_MODEL_SECONDS: Final = 20.0
"""Longest time that a search waits for the model: a first search works out the vectors of all tools."""


def guide(arguments: argparse.Namespace, home: Home) -> int:
    """Print the guide to the named toolset, else the one in use: for a client, or to be copied.

    Raises:
        ToolnoteError: ``no-toolset``, ``toolset-not-found``, ``dialect-unknown``, ``task-type-unknown``.
    """
    state = served_state(home)
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)  # served names must avoid the built-in ones
        snapshot = library.snapshot
        toolset = _toolset(library, arguments.client, arguments.toolset, state.toolset)
        client = _client(snapshot, arguments.client)
        dialect = find_dialect(bundled_files.dialects(home), arguments.dialect or DEFAULT_DIALECT)
        if client is not None and arguments.dialect is None:
            dialect = client_guidance(home, state, client).dialect(snapshot, Principal(client))
        entry = snapshot.clients.get(client) if client is not None else None
        written = write_guide(
            snapshot,
            toolset,
            TaskContext(arguments.task or None, arguments.input),  # "" is no task, as for get-tool-guide
            detail=Detail(arguments.detail) if arguments.detail is not None else None,
            dialect=dialect,
            withheld=frozenset(entry.without_instructions if entry is not None else ()),
            task_types=bundled_files.task_types(home),
            reader=copying_reader(snapshot) if client is None else client_reader(snapshot, entry, toolset, dialect),
        )
    if arguments.json:
        print_json(
            {
                "toolset": toolset.name,
                "dialect": dialect.name,
                "detail": arguments.detail or Detail.STANDARD,
                "guide": written.text,
                "estimatedTokens": written.tokens,
                "tools": list(written.tools),
                "leftOut": list(written.left_out),
                "shortened": list(written.shortened),
            }
        )
    else:
        print_text(written.text.removesuffix("\n"))
    return 0


def search(arguments: argparse.Namespace, home: Home) -> int:
    """Print the tools that fit a text, all for an empty one; exit status 0 also if none does, which is said."""
    state = served_state(home)
    with open_library(home) as library:
        toolset = _toolset(library, None, arguments.toolset, state.toolset)
        tools = served_tools(library.snapshot, toolset)
        preferences = library.snapshot.settings.preferences
    if arguments.text.strip():
        answer = _answer(home, tools, preferences, arguments)
        found = [(tools[hit.place], hit.score) for hit in answer.hits]
        nearest = [tools[hit.place] for hit in answer.nearest]
    else:
        found, nearest = [(tool, 0.0) for tool in tools], []
    if arguments.json:
        print_json(
            [
                {
                    "name": tool.name,
                    "namespacedName": tool.known.tool.namespaced_name,
                    "server": tool.known.tool.server,
                    "description": first_sentence(tool.known.tool.description),
                    "score": score,
                }
                for tool, score in found
            ]
        )
        return 0
    shown = [tool for tool, _ in found]
    if not found:
        shown = nearest
        print_text("No tool seems to fit. The nearest ones:" if shown else "No tool fits.")
    print_table((tool.name, one_line(first_sentence(tool.known.tool.description))) for tool in shown)
    return 0


def _answer(
    home: Home, tools: Sequence[ServedTool], preferences: Preferences, arguments: argparse.Namespace
) -> FoundTools:
    meaning = Meaning(home)
    try:
        ask = partial(meaning.ask, seconds=_MODEL_SECONDS, is_patient=True)
        return SearchIndex(tools).answer(preferences, arguments.text, arguments.limit, ask)
    finally:
        meaning.close()


def budget(arguments: argparse.Namespace, home: Home) -> int:
    """Print what each toolset's list costs each assistant, and the tools that no assistant called for 30 days."""
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)
        snapshot = library.snapshot
    dialects = bundled_files.dialects(home)
    since = time.time() - UNUSED_DAYS * 86_400
    called = called_tools(home, since)
    rows, unused = [], {}
    for client, entry in snapshot.clients.items():
        dialect = choose_dialect(dialects, entry, (), client)
        used = snapshot.toolset_of(client)
        for name, toolset in snapshot.toolsets.items():
            rows.append((client, name, used is toolset, list_budget(snapshot, entry, toolset, dialect)))
    for name, toolset in snapshot.toolsets.items() if called is not None else ():
        served = served_tools(snapshot, toolset)
        unused[name] = unused_tools(snapshot, toolset, served, called or (), since, LIKELIEST_FAMILY)
    if arguments.json:
        lists = [
            {"client": client, "toolset": name, "inUse": in_use, **_budget_json(snapshot, client, one)}
            for client, name, in_use, one in rows
        ]
        left = {name: {"tools": _names_of(snapshot, one.entries), "tokens": one.tokens} for name, one in unused.items()}
        print_json({"lists": lists, "unused": left if called is not None else None})
        return 0
    print_table(
        (
            client,
            f"{name}{' (in use)' if in_use else ''}",
            *_against_limits(one),
            _state(one),
        )
        for client, name, in_use, one in rows
    )
    if not rows:
        print_text("No assistant is connected.")
    for name, one in unused.items():
        if one.entries:
            tools = count(len(one.entries), "tool")
            print_text(f"{name}: {tools} not called in {UNUSED_DAYS} days, {one.tokens:,} tokens. To turn them off:")
            names = shlex.join(_names_of(snapshot, one.entries))
            print_text(f"    toolnote tool set {names} --toolset {name} --off")
    return 0


def _budget_json(snapshot: Snapshot, client: str, one: ListBudget) -> JsonObject:
    """Return what a list costs a client, for JSON."""
    return {
        "discovery": discovery_of(snapshot.settings, snapshot.clients[client]),
        "searched": one.is_searched,
        "tools": one.tools,
        "listed": one.listed,
        "tokens": one.tokens,
        "tokensOfAll": one.whole,
        "ownTools": one.own,
        "ownTokens": one.own_tokens,
        "toolLimit": one.tool_limit,
        "contextTokens": one.context_tokens,
        "tooLarge": one.is_over,
    }


def _names_of(snapshot: Snapshot, entries: Iterable[ToolEntry]) -> list[str]:
    """Return the names of a toolset's tools as commands take them."""
    catalogue = snapshot.catalogue
    named = []
    for known in (known for entry in entries for known in catalogue.resolve(entry)):
        name = known.tool.namespaced_name
        is_shared = len(catalogue.by_namespaced_name.get(name, ())) > 1
        named.append(unambiguous_name(catalogue, known) if is_shared else name)
    return named


def _against_limits(budget: ListBudget) -> tuple[str, str]:
    """Return the tools and tokens of a list, of those that its assistant takes where that is known.

    Toolnote's own tools count as well where a limit is known, and their tokens always.
    """
    tools, tokens = count(budget.listed + budget.own, "tool"), f"{budget.list_tokens:,}"
    if budget.tool_limit is not None:
        tools = f"{budget.listed + budget.own} of {budget.tool_limit} tools"
    limits = [one for one in (budget.context_share, budget.token_limit) if one is not None]
    if limits and not budget.is_on_demand:
        tokens = f"{tokens} of {min(limits):,}"
    return tools, f"{tokens} tokens"


def _state(budget: ListBudget) -> str:
    if budget.is_searched:
        return f"searches {count(budget.tools, 'tool')}"
    if budget.is_on_demand:
        return "loads on demand"
    return "too large for it" if budget.is_over else ""


def _toolset(library: Library, client: str | None, named: str | None, of_run: str | None) -> Toolset:
    """Return the named toolset, else the one that the caller is served."""
    if named is None:
        named = ToolsetSelector(library, of_run).toolset_name(Principal(client), library.snapshot)
    return find_toolset(library.snapshot, named)


def _client(snapshot: Snapshot, name: str | None) -> str | None:
    """Return a client's id, which a name as shown in the window may stand for."""
    if name is None or name in snapshot.clients:
        return name
    return next((one for one, entry in snapshot.clients.items() if entry.name.casefold() == name.casefold()), name)


# --- preferences


def show_preferences(arguments: argparse.Namespace, home: Home) -> int:
    """Print the preferences in effect: for all assistants, or for one."""
    with open_library(home) as library:
        snapshot = library.snapshot
    preferences = snapshot.settings.preferences
    if arguments.client is not None:
        entry = snapshot.clients.get(_known_client(snapshot, arguments.client))
        preferences = entry.preferences.over(preferences) if entry is not None else preferences
    found = {key: value for key, value in preferences.to_json().items() if value not in (None, (), [])}
    found.setdefault("guideTokens", preferences.tokens)
    if arguments.json:
        print_json(found)
    else:
        print_table((key, ", ".join(one) if isinstance(one, (list, tuple)) else str(one)) for key, one in found.items())
    return 0


def set_preferences(arguments: argparse.Namespace, home: Home) -> int:
    """Set preferences for all assistants, or for one."""
    with open_library(home) as library:
        snapshot = library.snapshot
        raw: JsonObject = library.raw(SETTINGS) or {}
        client = None if arguments.client is None else _known_client(snapshot, arguments.client)
        entry: JsonObject = {}
        if client is not None:
            entry = ((library.raw(CLIENTS) or {}).get(CLIENT_ENTRIES) or {}).get(client) or {"name": client}
        before = (entry if client is not None else raw).get(PREFERENCES)
        changed = dict(before) if isinstance(before, dict) else {}
        if not _change(changed, arguments, snapshot):
            raise ToolnoteError(Code.SETTING_INVALID, setting="preferences set", reason="name at least one preference")
        try:
            Preferences.read({key: value for key, value in changed.items() if key in _KEYS})
        except InvalidEntryError as error:
            raise ToolnoteError(Code.SETTING_INVALID, setting=PREFERENCES, reason=str(error)) from error
        edit: Edit = SetFields(SETTINGS, {PREFERENCES: changed or ABSENT})
        if client is not None:
            kept = {key: value for key, value in entry.items() if key != PREFERENCES}
            edit = PutEntry(CLIENTS, CLIENT_ENTRIES, client, {**kept, PREFERENCES: changed} if changed else kept)
        save(library, edit)
    print_text("Set the preferences for all assistants." if client is None else f"Set the preferences for {client}.")
    return 0


_KEYS: Final = ("language", "detail", "always", "never", "askBeforeChanges", "guideTokens")


def _change(changed: JsonObject, arguments: argparse.Namespace, snapshot: Snapshot) -> bool:
    """Apply the options to preferences; return False if there are none."""
    given: dict[str, Any] = {
        "language": arguments.language,
        "detail": arguments.detail,
        "guideTokens": arguments.guide_tokens,
        "askBeforeChanges": None if arguments.ask_before_changes is None else arguments.ask_before_changes == "yes",
    }
    given = {key: value for key, value in given.items() if value is not None}
    if given.get("language") not in (None, *LANGUAGE_NAMES):
        raise ToolnoteError(
            Code.SETTING_INVALID, setting="--language", reason=f"expected one of {', '.join(LANGUAGE_NAMES)}"
        )
    listed = {key: [_name_of(tool, snapshot) for tool in getattr(arguments, key)] for key in ("always", "never")}
    changed.update(given)
    for both in set(listed["always"]).intersection(listed["never"]):
        raise ToolnoteError(Code.SETTING_INVALID, setting=both, reason="either --always or --never")
    for key, other in (("always", "never"), ("never", "always")):
        if names := listed[key]:
            changed[key] = list(dict.fromkeys([*_texts(changed.get(key)), *names]))
            if rest := [one for one in _texts(changed.get(other)) if one not in names]:
                changed[other] = rest
            else:
                changed.pop(other, None)
    for key in arguments.clear:
        changed.pop(key, None)
    return bool(given or any(listed.values()) or arguments.clear)


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _name_of(tool: str, snapshot: Snapshot) -> str:
    name = make_reference(snapshot, tool, None).namespaced_name
    if name is None:
        raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=tool)
    return name


def _known_client(snapshot: Snapshot, name: str) -> str:
    return _client(snapshot, name) or name


# --- dialects


def show_dialect(arguments: argparse.Namespace, home: Home) -> int:
    """Print the limits and sentences of a family of assistants, with their sources; without a name, list them."""
    dialects = bundled_files.dialects(home)
    if arguments.name is None:
        if arguments.json:
            print_json({name: one.title for name, one in dialects.items()})
        else:
            print_table((name, one.title) for name, one in dialects.items())
        return 0
    found = find_dialect(dialects, arguments.name)
    raw = bundled_files.raw_dialect(home, found.name)
    if arguments.json:
        print_json(raw)
        return 0
    print_text(f"{found.title}  ({found.name}{', yours' if found.name in bundled_files.own_dialects(home) else ''})")
    for figure, given in (raw.get("figures") or {}).items():
        print_text(
            f"  {figure}: {json.dumps(given.get('value'), ensure_ascii=False)}  ({given.get('source', 'yours')})"
        )
    for title, key in (("In the instructions and guides", "sentences"), ("After each description", "toolSentences")):
        if raw.get(key):
            print_text(f"\n{title}:")
            for sentence in raw[key]:
                print_text(f"  {sentence}")
    if raw.get("sentencesSource"):
        print_text(f"\nSource of the sentences, or why there are none: {raw['sentencesSource']}")
    return 0


def set_dialect(arguments: argparse.Namespace, home: Home) -> int:
    """Save the user's version of a dialect in the home, or remove it with ``--reset``."""
    name = find_dialect(bundled_files.dialects(home), arguments.name).name
    given = (arguments.sentence, arguments.tool_sentence, arguments.figure, arguments.notes)
    is_any_given = any(one is not None for one in given)
    if arguments.reset == is_any_given:
        reason = "--reset takes no other setting" if is_any_given else "name at least one setting"
        raise ToolnoteError(Code.SETTING_INVALID, setting="dialect set", reason=reason)
    if arguments.reset:
        bundled_files.remove_dialect(home, name)
        served_state(home)  # a running app reads the dialects anew
        print_text(f"The dialect {name} is the bundled one again.")
        return 0
    raw = bundled_files.raw_dialect(home, name)
    for key, texts in (("sentences", arguments.sentence), ("toolSentences", arguments.tool_sentence)):
        if texts is not None:
            raw[key] = [text for text in texts if text.strip()]
            raw["sentencesSource"] = "set by you"
    if arguments.notes is not None:
        raw["notes"] = arguments.notes
    figures = dict(raw.get("figures") or {})
    for figure, text in arguments.figure or ():
        try:
            value = json.loads(text)
        except ValueError as error:
            raise ToolnoteError(
                Code.SETTING_INVALID, setting=f"--figure {figure}", reason=f"not JSON: {text}"
            ) from error
        figures.pop(figure, None)
        if value is not None:
            figures[figure] = {"value": value, "source": "set by you"}
    raw["figures"] = figures
    saved = bundled_files.save_dialect(home, raw)
    served_state(home)  # a running app reads the dialects anew
    print_text(f"Saved the dialect {saved.name}.")
    return 0


RUN: Final[Mapping[str, Command]] = {
    "guide": guide,
    "search": search,
    "budget": budget,
    "show_preferences": show_preferences,
    "set_preferences": set_preferences,
    "show_dialect": show_dialect,
    "set_dialect": set_dialect,
}
