"""The desktop app, from its first line to its last: what is made, in which order, and how it is taken down again.

A person waits for the first picture of the window, so what is imported and made before it is what can be seen in it.
Everything else comes right after: the proxy in its thread, and ``desktop/around_window.py``.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from toolnote_desktop import gc_policy
from toolnote_desktop.desktop.editing.default_toolset import is_first_run, make_my_tools
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.application import Application, make_application
from toolnote_desktop.desktop.shell.crash_reporter import CrashReport, CrashReporter, secrets_of
from toolnote_desktop.desktop.shell.first_paint import wait_until_painted
from toolnote_desktop.desktop.shell.take_ownership import ends, own_home
from toolnote_desktop.desktop.shell.unix_signals import UnixSignals
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.crash_marker import CrashMarker
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.store.library import Library

if TYPE_CHECKING:
    from toolnote_desktop.desktop.window.after_first_paint import DesktopServices

log = logging.getLogger(__name__)

QUIT_PATIENCE_SECONDS = 10.0

SETTLED_SECONDS = 5.0
"""An app that ends this long after its start was through, however it ends, has started."""

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
    """``toolnote gui`` (docs/contract.md 4), on a system with a display. Gives the exit status.

    ``safe`` starts no server and does not look at how the window was left: the way out where one of these keeps the app
    from starting. Where it does not start, the user is told why and offered that way; after a start that was killed or
    aborted, at the next one that is not in the background.

    Raises:
        ToolnoteError: ``home-owned``, where another Toolnote has this home and keeps it; ``file-not-written``.
    """
    application = make_application()
    if quit_running:
        return quit_the_running_one(home)
    reporter = CrashReporter(home)
    reporter.install()
    interrupts = UnixSignals()
    theme = Theme(application)
    try:
        owner = _own(home, target, background=background)
        if owner is None:
            return 0
        mark = CrashMarker(home)
        if not (safe or background) and mark.tells_of_trouble():
            how = _how_to_start()
            if not how:
                owner.release()
                return 0
            safe = how == "safe"
        interrupts.begin()
        mark.put()
        try:
            app = DesktopApp(application, theme, home, owner, reporter, demo=demo, safe=safe)
        except ToolnoteError as error:
            mark.take_away()
            owner.release()
            _say_why_not(error.problem)
            raise
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            mark.take_away()
            owner.release()
            return _start_failed(home, reporter.report_of(error, "at the start"), was_safe=safe)
        interrupts.asked_to_end.connect(app.end)
        app.settled.connect(mark.take_away)
        try:
            app.live(background=background, first_page=not demo and target is None, target=target)
        finally:
            mark.take_away()
            app.close()
    finally:
        interrupts.close()
        reporter.uninstall()
    if app.start_problem is not None:
        return _start_failed(home, app.start_problem, was_safe=safe)
    if app.starts_again:
        from toolnote_desktop.desktop.shell.updater import start_again

        start_again(app.starts_again)
    return 0


def _own(home: Home, target: str | None, *, background: bool) -> HomeOwner | None:
    """Own the home; None where another window does. What stands in the way is told in a dialog, too."""
    declined = background

    def may_take_over(problem: Problem) -> bool:
        nonlocal declined
        if not background:
            from toolnote_desktop.desktop.dialogs import take_over

            declined = not take_over.may_take_over(problem)
        return not declined

    try:
        return own_home(home, lambda: _what_we_were_started_for(target, background=background), may_take_over)
    except ToolnoteError as error:
        if not (declined and error.problem.code is Code.HOME_OWNED):  # the user knows, or another one is there for them
            _say_why_not(error.problem)
        raise


def _how_to_start() -> str:
    from toolnote_desktop.desktop.dialogs.start_problems import how_to_start

    return how_to_start()


def _say_why_not(problem: Problem) -> None:
    from toolnote_desktop.desktop.dialogs.start_problems import say_why_not

    say_why_not(problem)


def _start_failed(home: Home, report: CrashReport, *, was_safe: bool) -> int:
    """Tell of it, and go on in safe mode where the user wants that; else the exit status."""
    from toolnote_desktop.desktop.dialogs.start_failed import StartFailed
    from toolnote_desktop.desktop.shell.updater import start_again
    from toolnote_desktop.desktop.window.dialog_opener import login_command

    if StartFailed(report, was_safe=was_safe).exec() == StartFailed.DialogCode.Accepted:
        start_again([*login_command(home), "--safe"])
    return 1


def quit_the_running_one(home: Home) -> int:
    """``--quit``: ask the window that runs to end, and wait until it has."""
    from toolnote_desktop.desktop.shell.single_instance import QUIT, message, tell

    pid = tell(home, message(QUIT))
    if pid is None or ends(pid, QUIT_PATIENCE_SECONDS):
        return 0  # also where nobody was there: it is as it shall be
    print(f"toolnote: the running app (process {pid}) has not ended", file=sys.stderr)
    return 1


class DesktopApp(QObject):
    """Everything that lives while the window does.

    Signals:
        settled: it has started, and goes on.
    """

    settled = Signal()

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
        self.starts_again: list[str] = []
        """The command that this process goes on as when it has ended; none: it ends for good."""
        self._home = home
        self._owner = owner
        self._theme = theme
        self._application = application
        self._ended = False
        self._to_open: list[str] = []
        application.quit_asked.connect(self.end)
        application.file_dropped.connect(self.open)
        self.library = Library.open(home, watch=False)  # the first picture shows it as it was read
        self.first_run = is_first_run(self.library.snapshot)
        if demo:
            self.add_demo()
        elif self.first_run:
            make_my_tools(self.library, self.tr("My tools"))
        application.languages.speak(self.library.snapshot.settings.language)
        self._dress()
        self.link = ProxyLink(self.library, home, owner, self)
        self.link.changed.connect(lambda _change: self._dress())
        with theme.style_sheet_suspended():
            self.window = MainWindow(self.library, self.link, fresh=safe)
        self.window.quit_requested.connect(self.end)
        if sys.platform == "darwin":
            from toolnote_desktop.desktop.shell.macos_dock import DockIconPolicy

            DockIconPolicy(self.window)
        reporter.know_secrets(lambda: secrets_of(self.library.snapshot.servers.values()))
        self.around: DesktopServices | None = None
        """What is made after the first picture."""

    def live(self, *, background: bool, first_page: bool, target: str | None) -> None:
        """From the first picture of the window until somebody asks the app to end."""
        try:
            self._start(background=background, first_page=first_page, target=target)
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            self.start_problem = self._reporter.report_of(error, "at the start")
            return
        QTimer.singleShot(round(SETTLED_SECONDS * 1000), self, self.settled.emit)
        if not self._ended:
            self._application.exec()

    def _start(self, *, background: bool, first_page: bool, target: str | None) -> None:
        if not background:
            self.window.show()
            painted = wait_until_painted(self.window)
            log.info("the window has its first picture" if painted else "the window has not been painted yet")
        from toolnote_desktop.desktop.shell.single_instance import forget_activation
        from toolnote_desktop.desktop.window.after_first_paint import DesktopServices

        self.library.watch()
        self._owner.introduce()
        forget_activation()
        if not self._safe:
            self.link.start()
        around = DesktopServices(self.window, self.library, self.link, self._home, self.add_demo)
        around.quit_requested.connect(self.end)
        around.restart_requested.connect(self._restart)
        self._reporter.reported.connect(around.dialogs.show_crash)
        self.around = around
        around.start(background=background, safe=self._safe)
        gc_policy.start_after_startup()
        if first_page and self.first_run and not background:
            around.dialogs.first_run()
        for wanted in (target, *self._to_open):
            if wanted is not None:
                around.open(wanted)

    def _dress(self) -> None:
        settings = self.library.snapshot.settings
        self._theme.choose(settings.theme, settings.contrast, settings.motion)

    def open(self, target: str) -> None:
        """Show what a file or link holds."""
        if self.around is None:
            self._to_open.append(target)
        else:
            self.around.open(target)

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
        self._application.exit()

    def _restart(self, command: list[str]) -> None:
        self.starts_again = command
        self.end()

    def close(self) -> None:
        """Take everything down, what was made last first: within five seconds, whatever a server does (case C67)."""
        if self.around is not None:
            self.around.close()
        self.window.close()  # what is being typed is submitted here
        self.library.stop_watching()
        self.link.stop()
        try:
            self.library.close(SAVE_SECONDS)
        finally:
            self._owner.release()
            self.window.deleteLater()
            self._application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if self.around is not None:
            self.around.updates.install()


def _what_we_were_started_for(target: str | None, *, background: bool) -> dict[str, Any]:
    """What is told to the window that has this home already."""
    from toolnote_desktop.desktop.shell.single_instance import NOTHING, OPEN, SHOW, message

    if target is None:
        return message(NOTHING if background else SHOW)
    return message(OPEN, target if "://" in target else str(Path(target).resolve()))
