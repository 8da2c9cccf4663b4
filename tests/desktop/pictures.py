"""Pictures of the window without a screen, to look at: ``python -m tests.desktop.pictures [NAME …]``.

Each is drawn by a process of its own (Qt asks for the scale once), into ``test-artifacts/pictures``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from toolnote_desktop.desktop.window.window import MainWindow

FOLDER = Path(__file__).parent.parent.parent / "test-artifacts" / "pictures"
FONT = "Inter"
"""Used for the pictures where it is installed; the app itself takes the system's font."""


def choose_tool(window: MainWindow) -> None:
    """A tool with notes, its second note being written."""
    from toolnote_desktop.desktop.models.library_rows import Kind, RowKey

    window.sidebar.view.open_keys({RowKey(Kind.SERVER, "Linear")})
    window.go(RowKey(Kind.TOOL, "Linear", "create_issue"))
    window.pages.tool_page.notes.cards[1].start_writing()


def choose(kind: str, owner: str, name: str = "") -> Callable[[MainWindow], None]:
    """A row of the library."""

    def show(window: MainWindow) -> None:
        from toolnote_desktop.desktop.models.library_rows import Kind, RowKey

        window.go(RowKey(Kind(kind), owner, name))

    return show


def say_undo(window: MainWindow) -> None:
    """A note was removed: the message bar offers it back."""
    choose_tool(window)
    window.pages.tool_page.notes.remove(window.pages.tool_page.notes.cards[0])


def search(window: MainWindow) -> None:
    """Ctrl+K."""
    choose_tool(window)
    window.open_search()
    assert window.search.panel is not None
    window.search.panel.field.setText("issue")


def search_nothing(window: MainWindow) -> None:
    """Words that are nowhere."""
    search(window)
    assert window.search.panel is not None
    window.search.panel.field.setText("xyzzy")


def several(window: MainWindow) -> None:
    """Several tools are selected."""
    from PySide6.QtCore import QItemSelectionModel

    from toolnote_desktop.desktop.models.library_rows import Kind, RowKey

    choose_tool(window)
    view = window.sidebar.view
    for name in ("search_projects", "list_teams"):
        index = view.model().find(RowKey(Kind.TOOL, "Linear", name))  # type: ignore[attr-defined]
        view.selectionModel().select(index, QItemSelectionModel.SelectionFlag.Select)


def fold(*parts: str) -> Callable[[MainWindow], None]:
    """Parts of a tool's settings, opened."""

    def show(window: MainWindow) -> None:
        from PySide6.QtCore import QCoreApplication

        choose("tool", "Linear", "create_issue")(window)
        page = window.pages.tool_page
        for part in parts:
            page.panel.open(part)
        for _ in range(10):
            QCoreApplication.processEvents()
        inside = page.widget()
        assert inside is not None
        page.verticalScrollBar().setValue(page.panel.mapTo(inside, page.panel.rect().topLeft()).y() - 60)

    return show


def templates(window: MainWindow) -> None:
    """Notes to start from."""
    choose_tool(window)
    window.pages.tool_page.notes.open_templates()


def _note_menu(window: MainWindow, begins: str) -> None:
    choose_tool(window)
    notes = window.pages.tool_page.notes
    notes.fill_menu(notes.cards[1])
    next(one for one in notes.cards[1].menu.actions() if one.text().startswith(begins)).trigger()


def save_template(window: MainWindow) -> None:
    """A note becomes a template."""
    _note_menu(window, "Save as")


def choose_place(window: MainWindow) -> None:
    """Where a note goes."""
    _note_menu(window, "Move to")


def toolset_part(part: str) -> Callable[[MainWindow], None]:
    """A part of a toolset's page."""

    def show(window: MainWindow) -> None:
        choose("toolset", "my-tools")(window)
        page = window.pages.toolset_page
        page.show_part(part)
        if part == "instructions":
            page.told.work["debug"].fold.open()

    return show


def settings_page(page: str) -> Callable[[MainWindow], None]:
    """A page of the settings."""

    def show(window: MainWindow) -> None:
        from toolnote_desktop.desktop.dialogs.settings import SettingsDialog
        from toolnote_desktop.system import current

        dialog = SettingsDialog(window._library, current().autostart, [], window)
        dialog.show_page(page)
        dialog.tools.folds["notes"].open()
        dialog.open()

    return show


def try_it(window: MainWindow) -> None:
    """A tool's form, and the question before it runs."""
    choose_tool(window)
    window.pages.tool_page.try_button.click()
    from PySide6.QtWidgets import QLineEdit


    tried = window.pages.tool_page.trial
    assert tried is not None
    for name in ("title", "team"):
        field = tried.fields[name]
        assert isinstance(field, QLineEdit)
        field.setText("Design")
    tried.run_button.click()


def secrets(window: MainWindow) -> None:
    """A tool source that wants two secrets, has one, and is being signed in to."""
    from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SetEntryFields
    from toolnote_desktop.store.secrets.store import SecretLocation

    wanted = {"headers": {"X-Key": "${secret:LINEAR_KEY}", "X-Team": "${secret:TEAM_TOKEN}"}}
    window._library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "Linear", wanted))
    window._link.secrets.write("Linear", "TEAM_TOKEN", "not a real one", place=SecretLocation.RUN)
    choose("server", "Linear")(window)
    window._link.sign_in_progress.emit("Linear", "in-browser", "about:blank", None)
    _look_at_secrets(window)


def _look_at_secrets(window: MainWindow) -> None:
    from PySide6.QtTest import QTest

    QTest.qWait(300)
    assert window.pages.server_page.access.isVisible()


def secret_value(window: MainWindow) -> None:
    """A secret is typed, and there is no keychain."""
    from PySide6.QtTest import QTest

    from toolnote_desktop.desktop.server_page.secret_dialog import SecretDialog

    dialog = SecretDialog(window._library, window._link.secrets, "Linear", "LINEAR_KEY", window)
    dialog.open()
    dialog.field.setText("not a real one")
    dialog.save()
    while not dialog.places.isVisible():
        QTest.qWait(50)


def keyboard(window: MainWindow) -> None:
    """Where the focus is when the keyboard moves it."""
    from PySide6.QtCore import Qt

    choose_tool(window)
    window.pages.tool_page.notes.add_button.setFocus(Qt.FocusReason.TabFocusReason)


def narrow(window: MainWindow) -> None:
    """Too narrow for three panes."""
    choose_tool(window)
    window.resize(900, 700)


PICTURES: Mapping[str, tuple[str, str, str, Callable[[MainWindow], None]]] = {
    # name: theme (and contrast), scale, library, what to do first
    "light": ("light", "1", "sample", choose_tool),
    "dark": ("dark", "1", "sample", choose_tool),
    "high-contrast-light": ("light more", "1", "sample", choose_tool),
    "high-contrast-dark": ("dark more", "1", "sample", choose_tool),
    "high-contrast-settings": ("dark more", "1", "sample", settings_page("general")),
    "light-200": ("light", "2", "sample", choose_tool),
    "dark-200": ("dark", "2", "sample", choose_tool),
    "long": ("light", "1", "long", choose("tool", "Linear", "create_issue")),
    "empty": ("light", "1", "empty", lambda window: None),
    "empty-dark": ("dark", "1", "empty", lambda window: None),
    "chosen-nothing": ("light", "1", "sample", lambda window: window.go(None)),
    "search": ("light", "1", "sample", search),
    "search-dark": ("dark", "1", "sample", search),
    "several": ("dark", "1", "sample", several),
    "server-dark": ("dark", "1", "sample", choose("server", "Postgres")),
    "toolset-200": ("light", "2", "sample", choose("toolset", "my-tools")),
    "right-to-left-dark": ("dark", "1", "right-to-left", choose("toolset", "planning-week")),
    "search-nothing": ("light", "1", "sample", search_nothing),
    "server": ("light", "1", "sample", choose("server", "Linear")),
    "server-sign-in": ("dark", "1", "sample", choose("server", "Notion")),
    "server-failed": ("light", "1", "sample", choose("server", "Postgres")),
    "server-off": ("light", "1", "sample", choose("server", "Jira (old)")),
    "toolset": ("light", "1", "sample", choose("toolset", "planning-week")),
    "toolset-dark": ("dark", "1", "sample", choose("toolset", "release-day")),
    "outside": ("light", "1", "sample", choose("entry", "release-day", "Deploys.start_rollout")),
    "changed": ("light", "1", "sample", choose("changed", "GitHub", "merge_pull_request")),
    "no-notes": ("light", "1", "sample", choose("tool", "Slack", "post_message")),
    "lost-notes": ("light", "1", "sample", choose("lost-notes", "")),
    "message": ("light", "1", "sample", say_undo),
    "message-dark": ("dark", "1", "sample", say_undo),
    "hints": ("light", "1", "guided", choose("tool", "Linear", "create_issue")),
    "hints-dark-200": ("dark", "2", "guided", choose("tool", "Linear", "create_issue")),
    "hints-right-to-left": ("light", "1", "right-to-left", choose("tool", "Linear", "create_issue")),
    "behaviour": ("light", "1", "guided", fold("behaviour", "consent")),
    "behaviour-dark": ("dark", "1", "guided", fold("behaviour", "consent")),
    "arguments": ("light", "1", "guided", fold("arguments")),
    "arguments-200": ("light", "2", "guided", fold("arguments")),
    "purpose": ("light", "1", "guided", fold("purpose")),
    "templates": ("light", "1", "sample", templates),
    "save-template-dark": ("dark", "1", "sample", save_template),
    "choose-place": ("light", "1", "sample", choose_place),
    "guide": ("light", "1", "guided", toolset_part("guide")),
    "guide-dark": ("dark", "1", "guided", toolset_part("guide")),
    "told": ("light", "1", "guided", toolset_part("instructions")),
    "settings": ("light", "1", "sample", settings_page("general")),
    "settings-assistants-dark": ("dark", "1", "sample", settings_page("assistants")),
    "settings-tools": ("light", "1", "sample", settings_page("tools")),
    "try": ("light", "1", "sample", try_it),
    "secrets": ("light", "1", "sample", secrets),
    "secrets-dark": ("dark", "1", "sample", secrets),
    "secrets-200": ("light", "2", "sample", secrets),
    "secret-value": ("light", "1", "sample", secret_value),
    "secret-value-dark": ("dark", "2", "sample", secret_value),
    "keyboard": ("light", "1", "sample", keyboard),
    "narrow": ("light", "1", "sample", narrow),
    "full": ("light", "1", "full", lambda window: None),
    "right-to-left": ("light", "1", "right-to-left", choose_tool),
}


def draw(name: str, folder: Path) -> Path:
    """Draw one picture in this process, which must have no QApplication yet."""
    theme_name, _scale, library_name, prepare = PICTURES[name]
    from PySide6.QtCore import QEvent, QLocale, Qt
    from PySide6.QtGui import QFont, QFontDatabase
    from PySide6.QtWidgets import QApplication

    from tests.desktop import sample
    from toolnote_desktop.desktop.async_tasks import new_event_loop
    from toolnote_desktop.desktop.proxy_link import ProxyLink
    from toolnote_desktop.desktop.theme.theme import Theme
    from toolnote_desktop.desktop.window.window import MainWindow
    from toolnote_desktop.paths import Home

    application = QApplication([])
    loop = new_event_loop(application, already_running=True)
    if FONT in QFontDatabase.families():
        font = QFont(FONT)
        font.setPixelSize(13)
        application.setFont(font)
    if library_name == "right-to-left":
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    Theme(application).choose(*theme_name.split())
    with tempfile.TemporaryDirectory(prefix="toolnote-") as temporary:
        home = Home(Path(temporary))
        with sample.open_library(home, library_name) as library:
            link = ProxyLink(library, home)
            window = MainWindow(library, link)
            window.resize(1360, 840)
            window.show()
            window.activateWindow()
            settle(application)
            prepare(window)
            settle(application)
            sample.pretend_to_serve(window)
            settle(application)
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{name}.png"
            _grab(window).save(str(path))
            window.close()
            link.stop()
            window.deleteLater()
            application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            settle(application)
    loop.stop()
    loop.close()
    return path


def _grab(window: MainWindow) -> QPixmap:
    """The window, or a dialog that is open over it."""
    from PySide6.QtWidgets import QDialog

    open_dialogs = [one for one in window.findChildren(QDialog) if one.isVisible()]
    return (open_dialogs[0] if open_dialogs else window).grab()


def settle(application: object, turns: int = 40) -> None:
    """Let layouts, queued signals and counting come to rest."""
    from PySide6.QtCore import QCoreApplication

    for _ in range(turns):
        QCoreApplication.processEvents()


def main(names: list[str]) -> int:
    """Draw the pictures named, or all."""
    failed = 0
    for name in names or list(PICTURES):
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": PICTURES[name][1]}
        code = f"from tests.desktop.pictures import *; print(draw({name!r}, FOLDER))"
        failed += subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode != 0
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
