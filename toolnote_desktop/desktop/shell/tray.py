"""Tray icon and its menu, which is built when it is about to show.

A tray may appear after the app (usual at login) and may disappear (case C66): both are polled. Qt caches its first
answer about a D-Bus tray for the life of the process, so Qt is called only once a status host is registered, or after
``PATIENCE_SECONDS``, for desktops with an XEmbed tray.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.model.edits import ABSENT, SETTINGS, SetFields
from toolnote_desktop.model.problem import Problem, ToolnoteError
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.base import Autostart

POLL_MS = 2_000
PATIENCE_SECONDS = 8.0
"""How long to wait for a D-Bus tray before trying an XEmbed tray."""

MOST_PROBLEMS = 5
MOST_QUESTIONS = 5


class Tray(QObject):
    """Tray icon, shown while the desktop has a tray.

    Signals:
        open_requested: show the window.
        server_requested: show the window at this server (its id).
        quit_requested: end the app.
        question_requested: show the calls that wait for an answer.
        tray_lost: the tray has disappeared, so that a window hidden in it must be shown.
        failed: the ``ToolnoteError`` or ``OSError`` of what was chosen in the menu.
    """

    open_requested = Signal()
    server_requested = Signal(str)
    question_requested = Signal()
    quit_requested = Signal()
    tray_lost = Signal()
    failed = Signal(object)

    def __init__(
        self,
        library: Library,
        link: ProxyLink,
        icon: QIcon,
        autostart: Autostart,
        command: Sequence[str],
        parent: QObject | None = None,
    ) -> None:
        """``command`` starts the app at login."""
        super().__init__(parent)
        self._library = library
        self._link = link
        self._autostart = autostart
        self._command = tuple(command)
        self._began = time.monotonic()
        self._problem: Problem | None = None
        self._is_safe = False
        self._questions: tuple[str, ...] = ()
        self._icon: QSystemTrayIcon | None = None
        self._image = icon
        self.menu = QMenu()
        self.menu.aboutToShow.connect(self.build_menu)
        link.proxy_failed.connect(self._proxy_failed)
        link.endpoint_changed.connect(self._clear_problem)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.refresh)

    def show_safe_mode(self) -> None:
        """Say that the app runs in safe mode."""
        self._is_safe = True
        self.refresh()

    def show_questions(self, questions: Sequence[str]) -> None:
        """Show which calls wait for the user's answer, in words; the first is announced beside the icon."""
        if tuple(questions) == self._questions:
            return
        if questions and not self._questions:
            self.announce(questions[0])
        self._questions = tuple(questions)
        self.build_menu()  # some hosts read the menu once, before it is shown

    def start(self) -> None:
        """Check for a tray now and periodically."""
        self.refresh()
        self._timer.start(POLL_MS)

    def close(self) -> None:
        """Remove the icon."""
        self._timer.stop()
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
        self.menu.deleteLater()

    @property
    def is_shown(self) -> bool:
        """True if the icon was in a tray at the last check."""
        return self._icon is not None

    def has_tray(self) -> bool:
        """Return True if the window may hide because the icon is in a tray now."""
        self.refresh(at_once=True)
        return self.is_shown

    def refresh(self, *, at_once: bool = False) -> None:
        """Show the icon if a tray has appeared; emit ``tray_lost`` if it has disappeared.

        ``at_once`` does not wait for a D-Bus tray, and so may miss one that appears later.
        """
        if self._icon is None:
            if (at_once or self._may_call_qt()) and QSystemTrayIcon.isSystemTrayAvailable():
                self._show_icon()
        elif not QSystemTrayIcon.isSystemTrayAvailable():
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
            self.tray_lost.emit()

    def build_menu(self) -> None:
        """Rebuild the menu from the current state."""
        self.menu.clear()
        state = self.menu.addAction(self.state())
        state.setEnabled(False)
        self._add_questions()
        self.menu.addSeparator()
        self.menu.addAction(self.tr("Open Toolnote"), self.open_requested.emit)
        self._add_toolsets()
        self._add_pause()
        self._add_problems()
        self._add_autostart()
        self.menu.addSeparator()
        self.menu.addAction(self._quit_text(), self.quit_requested.emit)

    def say_still_running(self) -> None:
        """Say, where the window has gone to, that assistants keep their tools."""
        if self._icon is not None:
            title = self.tr("Toolnote keeps running")
            self._icon.showMessage(title, self.tr("Your assistants keep their tools. Quit Toolnote from this icon."))

    def state(self) -> str:
        """Return the state of the app in one line."""
        if self._problem is not None:
            return self.tr("Not answering: %1").replace("%1", messages.problem_text(self._problem))
        if self._is_safe:
            return self.tr("In safe mode: no tool source runs")
        if self._link.endpoint is None:
            return self.tr("Starting")
        if self._library.snapshot.settings.notes_paused:
            return self.tr("On, your notes are paused")
        names = self._assistants()
        if not names:
            return self.tr("On, no assistant running")
        return self.tr("On, %1 running").replace("%1", messages.joined(names))

    def _show_icon(self) -> None:
        icon = QSystemTrayIcon(self._image, self)
        icon.setToolTip(QCoreApplication.applicationName())
        icon.setContextMenu(self.menu)
        icon.activated.connect(self._activated)
        icon.messageClicked.connect(self.open_requested)
        self.build_menu()  # some hosts read the menu once, before it is shown
        icon.show()
        self._icon = icon

    def announce(self, text: str) -> None:
        """Show a text beside the icon, where the system can; pressing it opens the window."""
        if self._icon is not None and self._icon.supportsMessages():
            self._icon.showMessage(QCoreApplication.applicationName(), text, self._image)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        clicks = (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick)
        if sys.platform != "darwin" and reason in clicks:  # on macOS a click opens the menu
            self.open_requested.emit()

    def _may_call_qt(self) -> bool:
        if not sys.platform.startswith("linux") or time.monotonic() - self._began > PATIENCE_SECONDS:
            return True
        return has_status_host()

    def _add_questions(self) -> None:
        if self._questions:
            self.menu.addSeparator()
        for question in self._questions[:MOST_QUESTIONS]:
            self.menu.addAction(_plain(f"{question}…"), self.question_requested.emit)

    def _add_toolsets(self) -> None:
        snapshot = self._library.snapshot
        if not snapshot.toolsets:
            return
        menu = self.menu.addMenu(self.tr("Toolset"))
        equipped = snapshot.settings.equipped_toolset
        for toolset in sorted(snapshot.toolsets.values(), key=lambda one: one.title.casefold()):
            action = menu.addAction(_plain(toolset.title))
            action.setCheckable(True)
            action.setChecked(toolset.name == equipped)
            action.triggered.connect(lambda _checked=False, name=toolset.name: self._set("equippedToolset", name))

    def _add_pause(self) -> None:
        action = self.menu.addAction(self.tr("Pause notes"))
        action.setCheckable(True)
        action.setChecked(self._library.snapshot.settings.notes_paused)
        action.triggered.connect(lambda paused: self._set("notesPaused", True if paused else ABSENT))

    def _add_problems(self) -> None:
        failing = [
            (server, listing.status.problem)
            for server, listing in self._library.snapshot.catalogue.servers.items()
            if listing.status.problem is not None
        ]
        if not failing:
            return
        menu = self.menu.addMenu(self.tr("Recent problems"))
        for server, problem in failing[:MOST_PROBLEMS]:
            action = menu.addAction(_plain(messages.problem_text(problem)))
            action.triggered.connect(lambda _checked=False, server=server: self.server_requested.emit(server))

    def _add_autostart(self) -> None:
        action = self.menu.addAction(self.tr("Start at login"))
        action.setCheckable(True)
        action.setChecked(self._autostart.enabled())
        action.triggered.connect(self._set_autostart)

    def _set_autostart(self, enabled: bool) -> None:
        try:
            if enabled:
                self._autostart.enable(self._command)
            else:
                self._autostart.disable()
        except OSError as error:
            self.failed.emit(error)

    def _set(self, key: str, value: object) -> None:
        try:
            self._library.submit(SetFields(SETTINGS, {key: value}))
        except ToolnoteError as error:
            self.failed.emit(error)

    def _quit_text(self) -> str:
        names = self._assistants()
        if not names:
            return self.tr("Quit")
        return self.tr("Quit (%1 will lose these tools)").replace("%1", messages.joined(names))

    def _assistants(self) -> list[str]:
        return [client.name or client.id for client in self._link.clients() if client.sessions]

    def _proxy_failed(self, problem: Problem) -> None:
        self._problem = problem

    def _clear_problem(self, _endpoint: object) -> None:
        self._problem = None


def has_status_host() -> bool:
    """Return True if a status icon host is registered on the session's D-Bus."""
    from PySide6.QtDBus import QDBusConnection

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    return bool(bus.interface().isServiceRegistered("org.kde.StatusNotifierWatcher").value())


def _plain(text: str) -> str:
    """Return text for a menu, where a single ampersand would mark a key."""
    return " ".join(text.split())[:80].replace("&", "&&")
