"""Records of Toolnote's built-in tools (docs/contract.md 7, docs/requirements.md 1): names, descriptions and groups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.names import DEFAULT_NAME_LIMIT, exposed_text
from toolnote_desktop.model.settings import EVERY_BUILT_IN, Settings
from toolnote_desktop.model.tools.tool_records import Requirement, ToolRecord, ToolRecords

TOOLSETS: Final = "toolsets"
NOTES: Final = "notes"
GUIDE: Final = "guide"
LAZY: Final = "lazy"

GROUPS: Final = (TOOLSETS, NOTES, GUIDE, LAZY)
"""Categories of built-in tools, in order; ``hiddenBuiltInGroups`` refers to them."""


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - lupdate knows this name
    """Mark a text for translation; the window translates it when shown."""
    return text


CONTEXT: Final = "built-in tools"
"""Translation context of the display names and descriptions."""


def _record(
    name: str, title: str, description: str, category: str, *needs: Requirement, always: bool = False
) -> ToolRecord:
    return ToolRecord(name, title, description, category, always_enabled=always, requirements=frozenset(needs))


BUILT_IN: Final = ToolRecords(
    [
        _record(
            "list-available-tools",
            QT_TRANSLATE_NOOP("built-in tools", "List available tools"),
            QT_TRANSLATE_NOOP("built-in tools", "Shows the assistant every tool there is, in the toolset or not."),
            TOOLSETS,
        ),
        _record(
            "build-toolset",
            QT_TRANSLATE_NOOP("built-in tools", "Build a toolset"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant put a new toolset together."),
            TOOLSETS,
            Requirement.OWN_CHOICE,
        ),
        _record(
            "list-saved-toolsets",
            QT_TRANSLATE_NOOP("built-in tools", "List toolsets"),
            QT_TRANSLATE_NOOP("built-in tools", "Shows the assistant which toolsets there are."),
            TOOLSETS,
        ),
        _record(
            "equip-toolset",
            QT_TRANSLATE_NOOP("built-in tools", "Use a toolset"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant change to another of your toolsets."),
            TOOLSETS,
            Requirement.OWN_CHOICE,
        ),
        _record(
            "delete-toolset",
            QT_TRANSLATE_NOOP("built-in tools", "Delete a toolset"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant delete a toolset; you can undo it."),
            TOOLSETS,
            Requirement.OWN_CHOICE,
        ),
        _record(
            "unequip-toolset",
            QT_TRANSLATE_NOOP("built-in tools", "Put the toolset away"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant go on without a toolset."),
            TOOLSETS,
            Requirement.OWN_CHOICE,
        ),
        _record(
            "get-active-toolset",
            QT_TRANSLATE_NOOP("built-in tools", "Show the toolset in use"),
            QT_TRANSLATE_NOOP("built-in tools", "Tells the assistant which toolset it has."),
            TOOLSETS,
        ),
        _record(
            "add-tool-annotation",
            QT_TRANSLATE_NOOP("built-in tools", "Add notes"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant write down what it learned about a tool."),
            NOTES,
            Requirement.WRITES_NOTES,
        ),
        _record(
            "update-tool-annotation",
            QT_TRANSLATE_NOOP("built-in tools", "Change its notes"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant correct notes that it wrote itself."),
            NOTES,
            Requirement.WRITES_NOTES,
        ),
        _record(
            "remove-tool-annotation",
            QT_TRANSLATE_NOOP("built-in tools", "Remove its notes"),
            QT_TRANSLATE_NOOP("built-in tools", "Lets the assistant remove notes that it wrote itself."),
            NOTES,
            Requirement.WRITES_NOTES,
        ),
        _record(
            "list-tool-annotations",
            QT_TRANSLATE_NOOP("built-in tools", "List notes"),
            QT_TRANSLATE_NOOP("built-in tools", "Shows the assistant the notes on its tools."),
            NOTES,
        ),
        _record(
            "get-tool-guide",
            QT_TRANSLATE_NOOP("built-in tools", "Tool guide"),
            QT_TRANSLATE_NOOP("built-in tools", "Gives the assistant a guide to its tools, for the task at hand."),
            GUIDE,
        ),
        _record(
            "search-tools",
            QT_TRANSLATE_NOOP("built-in tools", "Search tools"),
            QT_TRANSLATE_NOOP("built-in tools", "Finds tools that are not listed one by one."),
            LAZY,
            Requirement.SEARCH,
            always=True,
        ),
        _record(
            "call-tool",
            QT_TRANSLATE_NOOP("built-in tools", "Call a tool"),
            QT_TRANSLATE_NOOP("built-in tools", "Uses a tool that was found by searching."),
            LAZY,
            Requirement.SEARCH,
            always=True,
        ),
    ]
)
"""All built-in tools in serving order, including those not served at the moment.

Searching cannot work without its two tools: they depend on the client's discovery alone.
"""


SEARCH_TOOLS: Final = frozenset(record.id for record in BUILT_IN if Requirement.SEARCH in record.requirements)
"""Built-in tools for clients that search, which are served to no others."""


def built_in_records(settings: Settings) -> ToolRecords:
    """Return the records with the user's instructions."""
    own = settings.built_in_instructions
    return ToolRecords(replace(one, instructions=own[one.id].strip()) if one.id in own else one for one in BUILT_IN)


def enabled_built_in(settings: Settings) -> frozenset[str]:
    """Return the ids of the built-in tools that the user left enabled."""
    hidden, groups = settings.hidden_built_in_tools, settings.hidden_built_in_groups
    if EVERY_BUILT_IN in (*hidden, *groups):
        return frozenset()
    chosen: Iterable[str] = (one.id for one in BUILT_IN if one.id not in hidden and one.category not in groups)
    return frozenset(chosen)


def met_requirements(client: Client | None, *, is_assigned: bool, is_searched: bool) -> frozenset[Requirement]:
    """Return the requirements of built-in tools that are met for a client; None is the run's own token.

    Args:
        is_assigned: the user chose its toolset.
        is_searched: it finds its tools by searching.
    """
    found = {
        Requirement.SEARCH: is_searched,
        Requirement.OWN_CHOICE: not is_assigned and (client is None or client.may_choose_toolset),
        Requirement.WRITES_NOTES: client is None or client.may_write_notes,
    }
    return frozenset(requirement for requirement, holds in found.items() if holds)


def own_tools(settings: Settings, client: Client | None, *, is_searched: bool) -> tuple[ToolRecord, ...]:
    """Return the built-in tools that a client of ``clients.json`` is served; None: the run's own token."""
    assigned = client is not None and client.toolset_assigned
    met = met_requirements(client, is_assigned=assigned, is_searched=is_searched)
    return built_in_records(settings).enabled(enabled_built_in(settings), met)


def built_in_prefix(setting: str, variable: str | None = None) -> str:
    """Return the prefix of built-in tool names, normalized as an exposed name (docs/contract.md 1).

    ``MCP_TOOL_PREFIX`` wins over the setting, empty too; None: it is not set. The prefix is cut to leave room for the
    longest name.
    """
    wanted = setting if variable is None else variable
    room = DEFAULT_NAME_LIMIT - max(len(record.id) for record in BUILT_IN)
    return exposed_text(wanted)[:room]


def built_in_names(prefix: str) -> tuple[str, ...]:
    """Return the names reserved for built-in tools, with the prefix; no upstream tool gets one of them."""
    return tuple(f"{prefix}{record.id}" for record in BUILT_IN)
