"""The icon in the tray and its menu, which is built when it is about to show.

A tray may appear after the app (at login it usually does) and it may go away (case C66): both are looked at now and
then. Qt keeps its first answer about a tray on D-Bus for ever, so that one is asked for only when a host is there, or
after a while, for desktops with a tray of the older kind.
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

LOOK_EVERY_MS = 2_000
PATIENCE_SECONDS = 8.0
"""How long a tray on D-Bus may take to appear before one of the older kind is asked for."""

MOST_PROBLEMS = 5


class Tray(QObject):
    """The tray icon, there whenever the desktop has a tray.

    Signals:
        open_requested: show the window.
        server_requested: show the window at this server (its id).
        quit_requested: end the app.
        went: the tray is gone; whoever is hidden in it must come out.
        failed: the ``ToolnoteError`` or ``OSError`` of what was chosen in the menu.
    """

    open_requested = Signal()
    server_requested = Signal(str)
    quit_requested = Signal()
    went = Signal()
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
        self._icon: QSystemTrayIcon | None = None
        self._picture = icon
        self.menu = QMenu()
        self.menu.aboutToShow.connect(self.build_menu)
        link.proxy_failed.connect(self._proxy_failed)
        link.endpoint_changed.connect(self._proxy_failed_no_more)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Look for a tray now and from now on."""
        self.look()
        self._timer.start(LOOK_EVERY_MS)

    def close(self) -> None:
        """Take the icon away."""
        self._timer.stop()
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
        self.menu.deleteLater()

    @property
    def is_shown(self) -> bool:
        """Whether the icon is in a tray, as far as is known."""
        return self._icon is not None

    def has_tray(self) -> bool:
        """Whether the window may hide: the icon is in a tray now."""
        self.look(at_once=True)
        return self.is_shown

    def look(self, *, at_once: bool = False) -> None:
        """Put the icon into a tray that is there, and notice one that has gone.

        ``at_once`` wants an answer now, and may miss a tray that is still to come.
        """
        if self._icon is None:
            if (at_once or self._may_ask_qt()) and QSystemTrayIcon.isSystemTrayAvailable():
                self._show_icon()
        elif not QSystemTrayIcon.isSystemTrayAvailable():
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
            self.went.emit()

    def build_menu(self) -> None:
        """Everything as it is now."""
        self.menu.clear()
        state = self.menu.addAction(self.state())
        state.setEnabled(False)
        self.menu.addSeparator()
        self.menu.addAction(self.tr("Open Toolnote"), self.open_requested.emit)
        self._add_toolsets()
        self._add_pause()
        self._add_problems()
        self._add_autostart()
        self.menu.addSeparator()
        self.menu.addAction(self._quit_text(), self.quit_requested.emit)

    def state(self) -> str:
        """How it is, in one line."""
        if self._problem is not None:
            return self.tr("Not answering: %1").replace("%1", messages.problem_text(self._problem))
        if self._link.endpoint is None:
            return self.tr("Starting")
        if self._library.snapshot.settings.notes_paused:
            return self.tr("On, your notes are paused")
        names = self._assistants()
        if not names:
            return self.tr("On, no assistant connected")
        return self.tr("On, %1 connected").replace("%1", messages.joined(names))

    def _show_icon(self) -> None:
        icon = QSystemTrayIcon(self._picture, self)
        icon.setToolTip(QCoreApplication.applicationName())
        icon.setContextMenu(self.menu)
        icon.activated.connect(self._activated)
        self.build_menu()  # some hosts ask for the menu once, before it is shown
        icon.show()
        self._icon = icon

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        clicks = (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick)
        if sys.platform != "darwin" and reason in clicks:  # on macOS a click opens the menu
            self.open_requested.emit()

    def _may_ask_qt(self) -> bool:
        if not sys.platform.startswith("linux") or time.monotonic() - self._began > PATIENCE_SECONDS:
            return True
        return status_host_is_there()

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
        troubled = [
            (server, listing.status.problem)
            for server, listing in self._library.snapshot.catalogue.servers.items()
            if listing.status.problem is not None
        ]
        if not troubled:
            return
        menu = self.menu.addMenu(self.tr("Recent problems"))
        for server, problem in troubled[:MOST_PROBLEMS]:
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

    def _proxy_failed_no_more(self, _endpoint: object) -> None:
        self._problem = None


def status_host_is_there() -> bool:
    """Whether something on the session's D-Bus shows status icons."""
    from PySide6.QtDBus import QDBusConnection

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    return bool(bus.interface().isServiceRegistered("org.kde.StatusNotifierWatcher").value())


def _plain(text: str) -> str:
    """Text for a menu, where an ampersand would mark a key."""
    return " ".join(text.split())[:80].replace("&", "&&")
