"""Each page of the window beside its drawing, in all variants: ``python3 packaging/dev.py look [PAGE …]``.

The drawings are in ``docs/look``. A page is drawn by a process for each variant (Qt asks for scale and direction once)
into ``test-artifacts/look/PAGE``; ``test-artifacts/look/PAGE.png`` shows them on one sheet.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from toolnote_desktop.desktop.models.note_offers import Offer
    from toolnote_desktop.desktop.window.window import MainWindow
    from toolnote_desktop.guidance.effects import NoteEffect

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "test-artifacts" / "look"
DRAWINGS = ROOT / "docs" / "look"
FONT = "Inter"
"""Used where it is installed; the app itself takes the system's font."""

CELL = (680, 420)
"""Size of a picture on the sheet, in pixels."""


LONG = "Creates a new issue in a team. State, labels, project and assignee can be names or IDs, which are looked up. "


class Variant(NamedTuple):
    """Conditions of a picture: a theme (and contrast), Qt's scale, a language, a library, and the window's size."""

    theme: str = "light"
    scale: str = "1"
    language: str = "en"
    library: str = "sample"
    size: tuple[int, int] = (1360, 840)


VARIANTS: Mapping[str, Variant] = {
    "light": Variant(),
    "dark": Variant(theme="dark"),
    "high-contrast-light": Variant(theme="light more"),
    "high-contrast-dark": Variant(theme="dark more"),
    "german": Variant(language="de"),
    "right-to-left": Variant(language="he"),
    "200": Variant(scale="2", size=(720, 450)),
    "1366x768": Variant(size=(1366, 768)),
    "800x600": Variant(size=(800, 600)),
    "full": Variant(library="full"),
    "empty": Variant(library="empty"),
}


def go(kind: str, owner: str = "", name: str = "") -> Callable[[MainWindow], None]:
    """A place."""

    def show(window: MainWindow) -> None:
        from toolnote_desktop.desktop.models.library_rows import Kind, RowKey

        window.go(RowKey(Kind(kind), owner, name))

    return show


def try_it(window: MainWindow) -> None:
    """A tool that was tried, with its result."""
    from PySide6.QtWidgets import QLineEdit

    from toolnote_desktop.model import json_text
    from toolnote_desktop.proxy.events import ToolAnswer

    tool(window)
    page = window.pages.tool_page
    page.try_tool()
    trial = page.trial
    if trial is None:
        return
    for name, text in (("title", "Export fails for contracts with two signatories"), ("team", "Engineering")):
        field = trial.fields.get(name)
        if isinstance(field, QLineEdit):
            field.setText(text)
    text = "Created ENG-482 “Export fails for contracts with two signatories” in Engineering, priority 3, label bug."
    trial._show_answer(ToolAnswer(json_text.dumps({"content": [{"type": "text", "text": text}]}), None, 1.1))


def exact_data(window: MainWindow) -> None:
    """The served bytes of a tool."""
    tool(window)
    window.show_exact_data()


def cut(window: MainWindow) -> None:
    """A tool whose text is longer than its assistant reads."""
    from toolnote_desktop.desktop.models.tool_document import Viewer
    from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, AddEntry
    from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
    from toolnote_desktop.model.tools.tool import Tool

    window._library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "claude-code", {"name": "Claude Code"}))
    catalogue = window.snapshot.catalogue
    listing = catalogue.servers.get("Linear")
    if listing is not None:
        known = listing.tools[0]
        longer = Tool("Linear", {**known.tool.definition, "description": LONG * 150})
        tools = (KnownTool(longer, longer), *listing.tools[1:])
        listings = {**catalogue.servers, "Linear": replace(listing, tools=tools)}
        names = {one.tool.key: one.tool.name for each in listings.values() for one in each.tools}
        window._library.publish_catalogue(Catalogue(listings, names))
    tool(window)
    if window.pages.view is not None:
        window.pages.tool_page.viewer_button.choose(Viewer("claude-code"))


def tool(window: MainWindow) -> None:
    """A tool with notes and settings of each kind, and its last calls."""
    from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
    from toolnote_desktop.model.toolsets.notes import Scope
    from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings

    record_calls(window)
    found = window.snapshot.catalogue.tools
    key = ("Linear", "create_issue") if ("Linear", "create_issue") in found else next(iter(found), ("", ""))
    name = found[key].tool.namespaced_name if key in found else ""
    if name:
        language = {"name": "language", "note": "Write titles and descriptions in English, even when I write German."}
        window._library.submit(
            AddNote(NoteTarget.everywhere(Scope.SERVER, key[0]), language),
            SetToolSettings(name, {"whenToUse": "For new work only. To change an issue, use Update issue."}),
            SetToolSettings(name, {"readOnlyHint": False, "destructiveHint": False}, ("hints",)),
            SetToolSettings(name, {"note": "One of Engineering, Design, Product."}, ("parameters", "team")),
            SetToolSettings(name, {"default": 3}, ("parameters", "priority")),
        )
    go("tool", *key)(window)


def changed_tool(window: MainWindow) -> None:
    """A tool whose text, hint and parameters changed, with a note that mentions one of them and one that does not."""
    from toolnote_desktop.model.tools.catalogue import KnownTool
    from toolnote_desktop.model.tools.review import reviewed_tool
    from toolnote_desktop.model.tools.tool import Tool
    from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
    from toolnote_desktop.model.toolsets.notes import Scope
    from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings

    catalogue = window.snapshot.catalogue
    github, name = catalogue.servers.get("GitHub"), "merge_pull_request"
    if github is not None:
        method = {"type": "string", "enum": ["merge", "squash", "rebase"]}
        text = "Merges a pull request into its base branch."
        before = {
            "name": name,
            "description": text,
            "inputSchema": {"type": "object", "properties": {"merge_method": method}},
            "annotations": {"destructiveHint": False},
        }
        keep = {"type": "boolean", "description": "Keep the head branch."}
        now = {
            **before,
            "description": f"{text} Deletes the head branch afterwards unless keep_branch is set.",
            "inputSchema": {
                "type": "object",
                "properties": {"merge_method": {**method, "enum": [*method["enum"], "queue"]}, "keep_branch": keep},
            },
            "annotations": {"destructiveHint": True},
        }
        changed = reviewed_tool(KnownTool(Tool("GitHub", now), Tool("GitHub", before)), "show", None)
        tools = tuple(changed if one.tool.name == name else one for one in github.tools)
        servers = {**catalogue.servers, "GitHub": replace(github, tools=tools)}
        target = NoteTarget.everywhere(Scope.TOOL, f"GitHub.{name}")
        window._library.publish_catalogue(replace(catalogue, servers=servers))
        window._library.submit(
            AddNote(target, {"name": "squash-only", "note": "Always use merge_method “squash”."}),
            AddNote(target, {"name": "release-branch", "note": "Name the release branch that you are merging into."}),
            SetToolSettings(f"GitHub.{name}", {"approval": "ask"}),
        )
    go("changed", "GitHub", name)(window)


def search(window: MainWindow) -> None:
    """The search over a tool."""
    go("tool", "Linear", "create_issue")(window)
    window.open_search()
    assert window.search.panel is not None
    window.search.panel.field.setText("team")


def record_calls(window: MainWindow) -> None:
    """Record calls of five days."""
    from toolnote_desktop.store.activity import ActivityLog
    from toolnote_desktop.store.activity_database import Call

    log = ActivityLog(window._link.home)
    tools = list(window.snapshot.catalogue.tools)[:6]
    clients = ("claude-desktop", "cursor", "vscode")
    now = time.time()
    for number in reversed(range(50 if tools else 0)):
        error = "error" if number % 7 == 3 else None
        client, tool = clients[number % 3], tools[number % len(tools)]
        log.record_call(Call(now - number * 9_000, client, *tool, 0.3 + number % 5, error))
    log.close()


def activity(window: MainWindow) -> None:
    """Calls of five days, as they are recorded, and the details of a failed one."""
    from PySide6.QtCore import QCoreApplication

    from toolnote_desktop.model.calls.outcome import Outcome, ReadNote
    from toolnote_desktop.store.activity import ActivityLog
    from toolnote_desktop.store.activity_database import Call

    log = ActivityLog(window._link.home)
    tools = list(window.snapshot.catalogue.tools)[:6]
    clients = ("claude-desktop", "cursor", "vscode")
    now = time.time()
    read = (ReadNote("toolset", "changelog-first", "1", "user", "2026-05-08T10:00:00Z"),)
    for number in reversed(range(50 if tools else 0)):
        client, tool = clients[number % 3], tools[number % len(tools)]
        call = Call(now - number * 9_000, client, *tool, 0.3 + number % 5, notes=read, behind=2 * (number % 3 == 1))
        if number % 7 == 3:
            message = "Validation failed: tag_name already exists"
            call = replace(call, outcome=Outcome.FAILED, error=message, message=message)
        elif number % 11 == 1:
            call = replace(call, outcome=Outcome.REFUSED, error="toolnote:consent-missing")
        log.record_call(call)
    log.close()
    go("activity")(window)
    page = window.pages.activity_page

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 5
        while not condition() and time.monotonic() < deadline:
            QCoreApplication.processEvents()

    wait(lambda: bool(page.second.text()) and not page._loading.is_running)
    if page.model.rowCount() > 3:
        page.table.selectRow(3)
        wait(lambda: not page._opening.is_running)
        if page.details.use_button.isVisible():
            page.details.use_button.click()
            page.details.editor.text.insertPlainText("List the releases first and use the next free number.")


def home(window: MainWindow) -> None:
    """Home with a week of calls."""
    from datetime import UTC, datetime, timedelta

    from toolnote_desktop.desktop.home.page import Activity
    from toolnote_desktop.store.activity_queries import Day

    go("home")(window)
    if window.snapshot.servers:
        today = datetime.now(UTC).astimezone().date()
        counts = ((64, 9), (71, 7), (88, 6), (52, 2), (6, 0), (0, 0), (43, 3))
        days = [Day(today - timedelta(days=6 - number), *count) for number, count in enumerate(counts)]
        now = time.time()
        calls = {"cursor": now - 60, "claude-desktop": now - 7_200}
        window.pages.home_page.show_activity(Activity(tuple(days), calls, _effects(window), _offers(window)))


def _effects(window: MainWindow) -> tuple[NoteEffect, ...]:
    """Effects of three notes, one of which made it worse."""
    from toolnote_desktop.guidance.effects import effect_of
    from toolnote_desktop.model.calls.effect import Rate
    from toolnote_desktop.model.calls.outcome import ReadNote

    figures = ((Rate(30, 60), Rate(1, 48)), (Rate(18, 31), Rate(0, 27)), (Rate(1, 40), Rate(16, 22)))
    keys = list(window.snapshot.catalogue.tools)[: len(figures)]
    names = ("team-selection", "label-ids", "ask-for-matter")
    return tuple(
        effect_of(key, (ReadNote("toolset", name, "1"),), before, since, {}, 0.0)
        for key, name, (before, since) in zip(keys, names, figures, strict=False)
    )


def _offers(window: MainWindow) -> tuple[Offer, ...]:
    """An offer against failures of a tool."""
    from toolnote_desktop.desktop.models.note_offers import Offer, failure_on, language, ready_note
    from toolnote_desktop.guidance.failure_notes import failure_text

    for key, known in list(window.snapshot.catalogue.tools.items())[:1]:
        failure = failure_on(known, "bad", ("/priority maximum",))
        note = ready_note(failure)
        if note is not None:
            return (Offer(key, known.tool.title, failure_text(failure, 14, language()), note),)
    return ()


def _with_programs(found: Mapping[str, str]) -> None:
    """Let the first run find these programs of other makers, by their files: path in the home folder to content."""
    from toolnote_desktop.assistants.environment import Environment
    from toolnote_desktop.desktop.first_run import page

    folder = Path(tempfile.mkdtemp(prefix="toolnote-look-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    vars(page)["current_environment"] = lambda: Environment(home=folder, platform="linux", variables={})


def first_run(window: MainWindow) -> None:
    """Three assistants, two of which have tool sources, as in the drawing."""
    git = {"command": "uvx", "args": ["mcp-server-git"]}
    linear = {"url": "https://mcp.linear.app/mcp"}
    key = {"command": "npx", "args": ["-y", "matter-files"], "env": {"MATTER_FILES_KEY": "sk-live-0123456789abcdef"}}
    claude = {"git": git, "linear": linear, "matter-files": key}
    cursor = {"git": git, "linear": linear, "github": {"command": "npx", "args": ["-y", "server-github"]}}
    _with_programs(
        {
            ".config/Claude/claude_desktop_config.json": json.dumps({"mcpServers": claude}),
            ".cursor/mcp.json": json.dumps({"mcpServers": {**cursor, "notion": {"url": "https://mcp.notion.com/mcp"}}}),
            ".config/Code/User/mcp.json": json.dumps({"servers": {}}),
        }
    )
    go("first-run")(window)


def first_run_nothing_found(window: MainWindow) -> None:
    """A computer without assistants."""
    _with_programs({})
    go("first-run")(window)


def ticked(window: MainWindow) -> None:
    """A toolset with three ticked tools."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    window.actions_.give_toolset("claude-desktop", "release-day")
    go("toolset", "release-day")(window)
    view = window.pages.toolset_page.list
    view.setFocus()
    for row in (5, 6, 8):
        if row < view.model().rowCount():
            view.go_to(row)
            QTest.keyClick(view, Qt.Key.Key_Space)
    view.clearFocus()


def file(window: MainWindow) -> None:
    """A toolset that came as a file, before anything of it is added."""
    note = {"name": "release-notes", "note": "Ask for the ticket number first.", "enabled": True, "author": "user"}
    reference = {"namespacedName": "tracker.create_release"}
    content = {
        "name": "team",
        "title": "Our releases",
        "tools": [reference, {"namespacedName": "tracker.list_releases"}],
        "toolNotes": [{"toolRef": reference, "notes": [note]}],
        "mcpServers": {"tracker": {"command": "npx", "args": ["-y", "@example/tracker"], "env": {"KEY": "${KEY}"}}},
    }
    folder = Path(tempfile.mkdtemp(prefix="toolnote-look-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "team.toolnote").write_text(json.dumps(content), encoding="utf-8")
    go("file", str(folder / "team.toolnote"))(window)


def source(window: MainWindow) -> None:
    """A source with a fault, a note on all its tools, and lines in its log."""
    from toolnote_desktop.model.toolsets.note_edits import NoteTarget
    from toolnote_desktop.model.toolsets.notes import Scope

    moment = time.time() - 90
    lines = (
        *((moment, "connecting to localhost:5432"), (moment, "error: connection refused")),
        *((moment + 2, "[trying again in 30 s]"), (moment + 32, "could not connect to localhost:5432")),
    )
    if window.snapshot.servers:
        place = NoteTarget.everywhere(Scope.SERVER, "Postgres")
        window.actions_.add_note(place, "read-only", "Never write to this database.", None, merge=None)
        window.pages.server_page.log._log_of = lambda _server: lines
    go("server", "Postgres" if "Postgres" in window.snapshot.servers else "source-0")(window)


def toast(window: MainWindow) -> None:
    """A toast over the foot of Home."""
    home(window)
    window.toast.show_message("Note “team-selection” deleted", "Undo", window.undo)


ONLY: Mapping[str, tuple[str, ...]] = {
    "tool-dark": ("dark",),
    "tool-narrow": ("800x600",),
    "tool-at-200-percent": ("200",),
    "home-dark": ("dark",),
    "first-run-nothing-found": ("empty",),
}
"""Variants of drawings that show one themselves; the page in all of them is another drawing's."""


def decisions(window: MainWindow) -> None:
    """What was decided, by the names that the window shows."""
    activity(window)
    tool(window)
    window.actions_.make_toolset("Release week")
    window._library.audit.flush()
    go("activity")(window)
    window.pages.activity_page.tabs.setCurrentIndex(2)


def settings(window: MainWindow) -> QWidget:
    """The settings of the app."""
    from tests.desktop.helpers import MemoryAutostart
    from toolnote_desktop.desktop.dialogs.settings import SettingsDialog

    dialog = SettingsDialog(window._library, MemoryAutostart(), ["toolnote"], window)
    dialog.open()
    return dialog


def edit_source(window: MainWindow) -> QWidget | None:
    """A source that is renamed where it is edited."""
    from toolnote_desktop.desktop.server_page.edit_dialog import EditServerDialog

    names = list(window.snapshot.servers)
    if not names:
        return None
    dialog = EditServerDialog(window._library, names[-1], window, window._link.try_server)
    dialog.open()
    dialog.name.setText("The warehouse")
    return dialog


def controls(window: MainWindow) -> None:
    """The controls of the window, one look for each meaning, over Home."""
    from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

    from toolnote_desktop.desktop.models.library_rows import Mark
    from toolnote_desktop.desktop.widgets.banner import Dot
    from toolnote_desktop.desktop.widgets.basics import Button, column, label
    from toolnote_desktop.desktop.widgets.check_box import CheckBox
    from toolnote_desktop.desktop.widgets.combo_box import ComboBox
    from toolnote_desktop.desktop.widgets.controls import (
        Choice,
        FilterChips,
        IconButton,
        MenuButton,
        Switch,
        Tabs,
        Tile,
    )

    over = QFrame(window)
    over.setAutoFillBackground(True)
    rows = column(over, (40, 40, 40, 40), 20)
    field, combo, tick = QLineEdit("mcp-server-git"), ComboBox(), CheckBox("Turn off its own copies")
    combo.addItem("Same as system")
    tick.setChecked(True)
    menu, boxed = MenuButton("Scope"), MenuButton("Toolset", boxed=True)
    for one in (menu, boxed):
        one.set_choices([Choice("Every toolset", 1), Choice("Release day only", 2)], 1)
    on, off = Switch("On", "On", "On"), Switch("Ask me first", "Ask me first", "Ask me first")
    on.show_state(True)
    chips = FilterChips("Outcome", [Choice("All", 1), Choice("Worked", 2), Choice("Failed", 3)])
    kinds = [Button("Add a note", "primary"), Button("Try it…", "plain"), Button("Keep", "text")]
    kinds += [Button("Disconnect", "destructive"), Button("All calls", "link")]
    icons = [Tile("C"), Tile("Cu", 32), IconButton("more", "More"), IconButton("plus", "Add")]
    signs = [Dot(mark) for mark in (Mark.GOOD, Mark.WAITING, Mark.ATTENTION, Mark.WRONG)]
    for name, parts in (
        ("Tabs", [Tabs("Views", ("Text", "Exact data", "Details"))]),
        ("Switches", [on, off]),
        ("Menus", [menu, boxed, combo]),
        ("Chips", [chips]),
        ("Buttons", kinds),
        ("Fields", [field, tick]),
        ("Signs, tiles, icons", [*signs, *icons]),
    ):
        row = QHBoxLayout()
        row.setSpacing(16)
        caption = label(name, "second")
        caption.setFixedWidth(160)
        row.addWidget(caption)
        for part in parts:
            assert isinstance(part, QWidget)
            row.addWidget(part)
        row.addStretch(1)
        rows.addLayout(row)
    rows.addStretch(1)
    over.setGeometry(window.rect())
    over.show()


def approval(window: MainWindow) -> QWidget:
    """The window that asks before a call, once its buttons work."""
    from PySide6.QtCore import QCoreApplication

    from toolnote_desktop.desktop.dialogs.approval_window import ApprovalWindow, Argument, Details, Question
    from toolnote_desktop.desktop.models.library_rows import Mark

    asking = ApprovalWindow(lambda: 0.0)
    arguments = (Argument("Repository", "brandt-lowe/client-portal"), Argument("Branch", "release/2.3-hotfix"))
    notes = ("Only delete branches that are merged. Never one that starts with “release/”.",)
    effect = QCoreApplication.translate("ApprovalPrompts", "Can delete data on {0}").format("GitHub")
    details = Details(effect, Mark.ATTENTION, arguments, notes)
    asking.ask([Question(1, "Claude Desktop", "Delete branch", lambda: details, 48.0, 60.0)])
    while not asking.deny_button.isEnabled():
        QCoreApplication.processEvents()
    return asking


PAGES: Mapping[str, tuple[str, Callable[[MainWindow], QWidget | None]]] = {
    # name: its drawing in docs/look, what to show; a top-level window of its own is returned
    "home": ("01-home.png", home),
    "tool": ("02-tool-light.png", tool),
    "tool-dark": ("03-tool-dark.png", tool),
    "tool-exact-data": ("04-tool-exact-data.png", exact_data),
    "tool-cut": ("05-tool-cut.png", cut),
    "tool-narrow": ("14-tool-narrow.png", tool),
    "tool-at-200-percent": ("20-tool-at-200-percent.png", tool),
    "try-it": ("16-try-it.png", try_it),
    "home-dark": ("18-home-dark.png", home),
    "assistant": ("06-assistant.png", go("assistant", "cursor")),
    "toolset": ("07-toolset.png", ticked),
    "source": ("08-source-fault.png", source),
    "activity": ("09-activity.png", activity),
    "approval": ("10-approval.png", approval),
    "change-review": ("11-change-review.png", changed_tool),
    "first-run": ("12-first-run.png", first_run),
    "first-run-nothing-found": ("19-first-run-nothing-found.png", first_run_nothing_found),
    "file": ("13-add-tools.png", file),
    "add-tools": ("13-add-tools.png", go("add-tools")),
    "decisions": ("09-activity.png", decisions),
    "bench": ("07-toolset.png", go("bench", "release-day")),
    "lost-notes": ("08-source-fault.png", go("lost-notes")),
    "settings": ("17-controls.png", settings),
    "edit-source": ("08-source-fault.png", edit_source),
    "search": ("15-search.png", search),
    "toast": ("01-home.png", toast),
    "controls": ("17-controls.png", controls),
}


def draw(page: str, name: str) -> Path:
    """Draw one variant of a page in this process, which must have no QApplication yet."""
    from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt
    from PySide6.QtGui import QFont, QFontDatabase
    from PySide6.QtWidgets import QApplication

    from tests.desktop import sample
    from toolnote_desktop.desktop.async_tasks import new_event_loop, running_tasks
    from toolnote_desktop.desktop.proxy_link import ProxyLink
    from toolnote_desktop.desktop.shell.languages import Languages
    from toolnote_desktop.desktop.theme.theme import Theme
    from toolnote_desktop.desktop.window.window import MainWindow
    from toolnote_desktop.paths import Home

    variant = VARIANTS[name]
    application = QApplication([])
    loop = new_event_loop(application, already_running=True)
    asyncio._set_running_loop(loop)
    if FONT in QFontDatabase.families():
        font = QFont(FONT)
        font.setPixelSize(13)
        application.setFont(font)
    if variant.language == "he":
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    german = variant.language == "de"
    QLocale.setDefault(QLocale("de_DE" if german else "en_US"))
    if german:
        Languages(application).use("de")
    Theme(application).choose(*variant.theme.split())
    with tempfile.TemporaryDirectory(prefix="toolnote-") as temporary:
        folder = Home(Path(temporary))
        with sample.open_library(folder, variant.library) as library:
            link = ProxyLink(library, folder)
            window = MainWindow(library, link, has_settings=True)
            window.resize(*variant.size)
            window.show()
            window.activateWindow()

            def settle() -> None:
                for _ in range(40):
                    QCoreApplication.processEvents()

            settle()
            if variant.library == "sample":
                sample.pretend_to_serve(window)
            shown = PAGES[page][1](window) or window
            settle()
            while running_tasks():
                QCoreApplication.processEvents()
            settle()
            target = FOLDER / page / f"{name}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            shown.grab().save(str(target))
            shown.close()
            window.close()
            link.stop()
            window.deleteLater()
            application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            settle()
    loop.stop()
    loop.close()
    return target


def sheet(page: str) -> Path:
    """Put a page's drawing and all its variants on one picture."""
    from PySide6.QtCore import QRect, Qt
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

    application = QGuiApplication.instance() or QGuiApplication(["look"])
    cells = [("drawing", DRAWINGS / PAGES[page][0])]
    cells += [(name, FOLDER / page / f"{name}.png") for name in ONLY.get(page, VARIANTS)]
    wide, high = CELL
    columns, rows = 2, (len(cells) + 1) // 2
    picture = QImage(columns * (wide + 16) + 16, rows * (high + 40) + 16, QImage.Format.Format_RGB32)
    picture.fill(QColor("#9aa0aa"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for number, (name, path) in enumerate(cells):
        left, top = 16 + number % columns * (wide + 16), 8 + number // columns * (high + 40)
        painter.drawText(QRect(left, top, wide, 24), Qt.AlignmentFlag.AlignVCenter, f"{page}: {name}")
        image = QImage(str(path))
        if not image.isNull():
            fitted = image.scaled(
                wide, high, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            painter.drawImage(left, top + 24, fitted)
    painter.end()
    target = FOLDER / f"{page}.png"
    picture.save(str(target))
    del application
    return target


def _run(page: str, name: str) -> bool:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": VARIANTS[name].scale}
    code = f"from tests.desktop.look import *; draw({page!r}, {name!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"{page}, {name}: {done.stderr.strip().splitlines()[-1:]}")
    return done.returncode == 0


def main(names: list[str]) -> int:
    """Draw the pages named, or all, and write their sheets; return 1 if one could not be drawn."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    pages = names or list(PAGES)
    with ThreadPoolExecutor(max_workers=2) as pool:
        drawn = list(
            pool.map(lambda one: _run(*one), [(page, name) for page in pages for name in ONLY.get(page, VARIANTS)])
        )
    for page in pages:
        print(sheet(page))
    return int(not all(drawn))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
