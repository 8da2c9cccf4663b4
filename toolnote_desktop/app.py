"""The desktop app, from its first line to its last: what is made, in which order, and how it is taken down again."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import qasync
from PySide6.QtCore import QEvent, QObject, QTimer

from toolnote_desktop.desktop import single_instance
from toolnote_desktop.desktop.application import Application, make_application
from toolnote_desktop.desktop.closing import Closing
from toolnote_desktop.desktop.crash import CrashReport, CrashReporter, secrets_of
from toolnote_desktop.desktop.dialogs.opening import Dialogs, login_command
from toolnote_desktop.desktop.dock import DockIcon
from toolnote_desktop.desktop.first_paint import painted
from toolnote_desktop.desktop.icons import app_icon, tray_icon
from toolnote_desktop.desktop.interrupts import Interrupts
from toolnote_desktop.desktop.link import Link
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.my_tools import is_first_run, make_my_tools
from toolnote_desktop.desktop.ownership import ends, own_home
from toolnote_desktop.desktop.shown import Shown
from toolnote_desktop.desktop.single_instance import NOTHING, OPEN, QUIT, SHOW, SingleInstance
from toolnote_desktop.desktop.theme import Theme
from toolnote_desktop.desktop.tray import PATIENCE_SECONDS, Tray
from toolnote_desktop.desktop.update_notices import UpdateNotices
from toolnote_desktop.desktop.updating import Updates, start_again
from toolnote_desktop.desktop.window import Window
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import Problem, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.owner import HomeOwner
from toolnote_desktop.system import current
from toolnote_desktop.updates.build import this_build

# Imported when they are opened: no first picture needs them.
if TYPE_CHECKING:
    from toolnote_desktop.assistants.client import KnownClient

QUIT_PATIENCE_SECONDS = 10.0

SAVE_SECONDS = 1.0
"""How long the last changes may take to be written when the app ends; with ``link.STOP_SECONDS`` less than five."""


def run(
    home: Home,
    *,
    background: bool = False,
    demo: bool = False,
    quit_running: bool = False,
    safe: bool = False,
    target: str | None = None,
) -> int:
    """``toolnote gui`` (CONTRACT 4), on a system with a display. Gives the exit status.

    ``safe`` starts no server and does not look at how the window was left: the way out where one of these keeps the app
    from starting. Where it does not start, the user is told why and offered that way.

    Raises:
        ToolnoteError: ``home-owned``, where another Toolnote has this home and keeps it; ``file-not-written``.
    """
    application = make_application()
    application.setWindowIcon(app_icon())
    if quit_running:
        return quit_the_running_one(home)
    reporter = CrashReporter(home)
    reporter.install()
    interrupts = Interrupts()
    theme = Theme(application)
    try:
        said = _what_we_were_started_for(target, background=background)
        owner = own_home(home, said, lambda problem: not background and _may_take_over(problem))
        if owner is None:
            return 0
        interrupts.begin()
        try:
            app = DesktopApp(application, theme, home, owner, reporter, demo=demo, safe=safe)
        except ToolnoteError:
            raise  # a person can act on it: it is told as it is
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            owner.release()
            return _start_failed(home, reporter.report_of(error, "at the start"), was_safe=safe)
        interrupts.asked_to_end.connect(app.end)
        loop = qasync.QEventLoop(application)
        loop.set_exception_handler(reporter.loop_exception)
        try:
            with loop:
                loop.run_until_complete(
                    app.live(background=background, first_page=not demo and target is None, target=target)
                )
        finally:
            app.close()
    finally:
        interrupts.close()
        reporter.uninstall()
    if app.start_problem is not None:
        return _start_failed(home, app.start_problem, was_safe=safe)
    if app.starts_again:
        start_again(app.starts_again)
    return 0


def _may_take_over(problem: Problem) -> bool:
    from toolnote_desktop.desktop.dialogs.take_over import may_take_over

    return may_take_over(problem)


def _start_failed(home: Home, report: CrashReport, *, was_safe: bool) -> int:
    """Tell of it, and go on in safe mode where the user wants that; else the exit status."""
    from toolnote_desktop.desktop.dialogs.start_failed import StartFailed

    if StartFailed(report, was_safe=was_safe).exec() == StartFailed.DialogCode.Accepted:
        start_again([*login_command(home), "--safe"])
    return 1


def quit_the_running_one(home: Home) -> int:
    """``--quit``: ask the window that runs to end, and wait until it has."""
    pid = single_instance.tell(home, single_instance.message(QUIT))
    if pid is None or ends(pid, QUIT_PATIENCE_SECONDS):
        return 0  # also where nobody was there: it is as it shall be
    print(f"toolnote: the running app (process {pid}) has not ended", file=sys.stderr)
    return 1


class DesktopApp(QObject):
    """Everything that lives while the window does."""

    def __init__(
        self,
        application: Application,
        theme: Theme,
        home: Home,
        owner: HomeOwner,
        reporter: CrashReporter,
        *,
        demo: bool = False,
        safe: bool = False,
    ) -> None:
        super().__init__()
        self._safe = safe
        self._reporter = reporter
        self.start_problem: CrashReport | None = None
        """Why the start did not come to its end."""
        self._home = home
        self._owner = owner
        self._theme = theme
        self._application = application
        self._ended = False
        self._waiting: asyncio.Event | None = None
        self.instance = SingleInstance(home, self)
        self.instance.listen()
        self.library = Library.open(home)
        self.first_run = is_first_run(self.library.snapshot)
        if demo:
            self.add_demo()
        elif self.first_run:
            make_my_tools(self.library, self.tr("My tools"))
        application.languages.speak(self.library.snapshot.settings.language)
        self._dress()
        self.link = Link(self.library, home, owner, self)
        with theme.without_style_sheet():
            self.window = Window(self.library, self.link, fresh=safe)
        Shown(self.window, self.link)
        self.dialogs = Dialogs(self.window, self.library, self.link, home, self.add_demo)
        self.tray = Tray(self.library, self.link, tray_icon(), current().autostart, login_command(home), self)
        self.updates = Updates(this_build(), self.library, home, self)
        self.update_notices = UpdateNotices(self.updates, self.window, self.dialogs, self.library, home)
        self.starts_again: list[str] = []
        """The command that this process goes on as when it has ended; none: it ends for good."""
        if sys.platform == "darwin":
            DockIcon(self.window)
        self.closing = Closing(self.window, self.library, self.tray.has_tray)
        reporter.know_secrets(lambda: secrets_of(self.library.snapshot.servers.values()))
        reporter.reported.connect(self.dialogs.show_crash)
        self._connect()

    def _connect(self) -> None:
        self.window.add_tools_requested.connect(self.dialogs.add_tools)
        self.window.connect_requested.connect(self.dialogs.connect_assistant)
        self.window.edit_server_requested.connect(self.dialogs.edit_server)
        self.window.secret_requested.connect(self.dialogs.set_secret)
        self.window.settings_requested.connect(self.dialogs.settings)
        self.dialogs.note_wanted.connect(self._write_first_note)
        self.dialogs.assistants_connected.connect(self._tell_next_steps)
        self.window.menu.find_requested.connect(self.dialogs.find_tools)
        self.window.menu.file_requested.connect(self.dialogs.choose_file)
        self.window.menu.hand_on_requested.connect(self._hand_on)
        self.window.row_menu.hand_on_requested.connect(self.dialogs.hand_on)
        self.window.notes_pane.toolset_page.hand_on_requested.connect(self.dialogs.hand_on)
        for source in (self.window.quit_requested, self.closing.quit_requested, self.tray.quit_requested):
            source.connect(self.end)
        self.update_notices.restart_requested.connect(self._restart)
        self.tray.open_requested.connect(self.show)
        self.tray.went.connect(self.show)
        self.tray.server_requested.connect(self._show_server)
        self.tray.failed.connect(self.dialogs.say_error)
        self.link.changed.connect(lambda _change: self._dress())
        self.instance.told.connect(self._told)
        self._application.quit_asked.connect(self.end)
        self._application.file_dropped.connect(self.open)

    async def live(self, *, background: bool, first_page: bool, target: str | None) -> None:
        """From the first picture of the window until somebody asks the app to end."""
        self._waiting = asyncio.Event()
        try:
            await self._start(background=background, first_page=first_page, target=target)
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            self.start_problem = self._reporter.report_of(error, "at the start")
            return
        if not self._ended:
            await self._waiting.wait()

    async def _start(self, *, background: bool, first_page: bool, target: str | None) -> None:
        self.tray.start()
        if background:
            QTimer.singleShot(round(PATIENCE_SECONDS * 1000), self, self.be_reachable)
        else:
            self.window.show()
            single_instance.forget_activation()
            await painted(self.window)
        _collect_from_now_on()
        if self._safe:
            self.window.say_safe_mode(self._restart_normally)
        else:
            self.link.start()
            self.updates.start()
        if first_page and self.first_run and not background:
            self.dialogs.first_run()
        if target is not None:
            self.open(target)

    def _dress(self) -> None:
        settings = self.library.snapshot.settings
        self._theme.choose(settings.theme, settings.contrast, settings.motion)

    def _restart_normally(self) -> None:
        self._restart()

    def be_reachable(self) -> None:
        """Started in the background, where no tray has come: a minimised window is the way in (CASES C66)."""
        if not self.tray.has_tray() and not self.window.isVisible():
            self.window.showMinimized()

    def show(self) -> None:
        """Bring the window to the front."""
        if self.window.isMinimized():
            self.window.showNormal()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        single_instance.forget_activation()

    def _show_server(self, server: str) -> None:
        self.show()
        self.window.go(RowKey(Kind.SERVER, server))

    def _tell_next_steps(self, clients: Sequence[KnownClient]) -> None:
        from toolnote_desktop.desktop.dialogs.next_steps import in_one_sentence, is_something_left

        action = self.tr("What to do") if is_something_left(clients) else ""
        self.window.message_bar.say(in_one_sentence(clients), action, lambda: self.dialogs.next_steps(clients))

    def _hand_on(self) -> None:
        row = self.window.library_pane.selected
        self.dialogs.hand_on(row.owner if row is not None and row.kind in (Kind.TOOLSET, Kind.ENTRY) else "")

    def _write_first_note(self, row: RowKey) -> None:
        self.window.go(row)
        self.window.add_note()

    def open(self, target: str) -> None:
        """Show what a file or link holds: a preview, never more (CONTRACT 3)."""
        self.show()
        self.dialogs.preview(target)

    def add_demo(self) -> None:
        """The demo servers and the demo toolset, in use where no toolset with a tool in it is."""
        from toolnote_desktop.demo.adding import add_demo

        name = add_demo(self.library)
        used = self.library.snapshot.shared_toolset
        if used is None or not used.tools:
            self.library.submit(SetFields(SETTINGS, {"equippedToolset": name}))

    def end(self) -> None:
        """Let :meth:`live` return."""
        self._ended = True
        if self._waiting is not None:
            self._waiting.set()

    def _restart(self) -> None:
        hidden = not self.window.isVisible() or self.window.isMinimized()
        self.starts_again = [*login_command(self._home), *(["--background"] if hidden else [])]
        self.end()

    def close(self) -> None:
        """Take everything down, what was made last first: within five seconds, whatever a server does (CASES C67)."""
        self.instance.close()
        self.updates.stop()
        self.closing.let_go()
        self.tray.close()
        self.dialogs.close()
        self.window.close()  # what is being typed is submitted here
        self.link.stop()
        try:
            self.library.close(SAVE_SECONDS)
        finally:
            self._owner.release()
            self.window.deleteLater()
            self._application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self.updates.install()

    def _told(self, said: dict[str, object]) -> None:
        match said.get("message"), said.get("target"):
            case ("quit", _):
                self.end()
            case ("open", str(target)):
                self.open(target)
            case ("nothing", _):
                pass
            case _:
                self.show()


def _collect_from_now_on() -> None:
    """End what ``commands/programs.py`` began. What is there by now stays for good: it is not looked through again."""
    gc.freeze()
    gc.enable()


def _what_we_were_started_for(target: str | None, *, background: bool) -> dict[str, object]:
    if target is None:
        return single_instance.message(NOTHING if background else SHOW)
    return single_instance.message(OPEN, target if "://" in target else str(Path(target).resolve()))
