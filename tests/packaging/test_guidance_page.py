"""docs/guidance.md says what is so: it is what its command writes."""

from __future__ import annotations

import guidance_page


def test_the_page_is_what_its_command_writes() -> None:
    assert guidance_page.PAGE.read_text(encoding="utf-8") == guidance_page.page(), (
        "run python packaging/guidance_page.py"
    )


def test_guidance_page_shows_five_assistants_and_the_carriers() -> None:
    text = guidance_page.page()
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        *(
            "## Before",
            "## Claude Code",
            "## OpenAI models (Codex and others)",
            "## Gemini API (its own subset of schemas)",
            "## Cursor",
            "## Copilot CLI",
            "## In other carriers",
            "## How to use the tools of “Reading the web”",  # in the skill
            "## Guides to a task",
        )
    ]
    assert "mcp__toolnote__web_fetch" in text
