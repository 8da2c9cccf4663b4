"""Server instructions of a toolset: a few sentences that clients put before everything else (docs/requirements.md 3).

They are short: Claude Code cuts them at 2,048 characters, and each session pays for them.
"""

from __future__ import annotations

from typing import Final

from toolnote_desktop.guidance.notes_section import SECTION_TITLE
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset

_USUAL_LIMIT: Final = 2000
"""Maximum characters if the dialect has no limit of its own."""


def missing_toolset_instructions(name: str) -> str:
    """Return the instructions for a client whose toolset does not exist: misspelt or deleted."""
    return (
        f'The toolset "{name}", which was chosen for you, does not exist, so no tool of the user\'s is on offer. '
        "Tell the user so when one of them is needed: the name may be misspelt where you were set up."
    )


def server_instructions(toolset: Toolset | None, guide_tool: str | None, dialect: Dialect = PLAIN) -> str | None:
    """Return the instructions for the toolset in use; None without one.

    Args:
        guide_tool: final name of ``get-tool-guide``; None if it is not served.
    """
    if toolset is None:
        return None
    heading = SECTION_TITLE.lstrip("# ")
    parts = [
        f'These are the tools of "{" ".join(toolset.title.split())}", chosen by the user. Where a description has '
        f'"{heading}", they are the user\'s own words: follow them.'
    ]
    if guide_tool is not None:
        parts.append(
            f"{guide_tool} gives a guide to these tools; with the kind of task, or with what the user said, only to "
            "those that matter."
        )
    parts += [sentence for sentence in dialect.sentences if sentence.strip()]
    limit = min(dialect.instructions_limit or _USUAL_LIMIT, _USUAL_LIMIT)
    text = "\n\n".join(parts)
    left = limit - len(text) - 2
    guidelines = toolset.guidelines
    if guidelines and len(guidelines) > left:
        guidelines = f"{guidelines[: left - 1].rstrip()}…" if left > 1 else ""
    return f"{text}\n\n{guidelines}"[:limit] if guidelines else text[:limit]
