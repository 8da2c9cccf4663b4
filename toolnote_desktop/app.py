"""The desktop app: start-up, event loop and shutdown.

The user waits for the first paint, so only what is visible in it is imported and created before it. Afterwards follow
qasync's event loop, the proxy in its thread, and the services in ``desktop/window/after_first_paint.py``.
"""

from __future__ import annotations

import contextlib
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
from toolnote_desktop.desktop.shell.take_ownership import own_home, wait_for_exit
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
    import asyncio

    from toolnote_desktop.desktop.window.after_first_paint import DesktopServices
    from toolnote_desktop.publishing.keeper import PublicationKeeper

log = logging.getLogger(__name__)

QUIT_PATIENCE_SECONDS = 10.0

SETTLED_SECONDS = 5.0
"""Running time after which the start counts as successful, however the app ends."""

KEEPER_SECONDS = 0.3
"""Time limit for finishing a published file on exit."""

SAVE_SECONDS = 1.0
"""Time limit for writing the last changes on exit; less than five with ``proxy_link.STOP_SECONDS``."""


def run(
    home: Home,
    *,
    background: bool = False,
    demo: bool = False,
    quit_running: bool = False,
    safe: bool = False,
    target: str | None = None,
) -> int:
    """Run ``toolnote gui`` (docs/contract.md 4) on a system with a display; return the exit status.

    ``safe`` starts no server and ignores the saved state of the window: the remedy where one of these keeps the app
    from starting. A start that fails offers it, and so does the next start in the foreground after a crash.

    Raises:
        ToolnoteError: ``home-owned``, where another Toolnote keeps this home; ``file-not-written``.
    """
    application = make_application()
    if quit_running:
        return quit_running_app(home)
    with CrashReporter(home) as reporter, contextlib.closing(UnixSignals()) as signals:
        theme = Theme(application)
        owner = _own_home(home, target, background=background)
        if owner is None:
            return 0
        marker = CrashMarker(home)
        mode = "safe" if safe else "normal" if background else _choose_mode(marker)
        if not mode:
            owner.release()
            return 0
        safe = mode == "safe"
        signals.begin()
        marker.write()
        try:
            app = DesktopApp(application, theme, home, owner, reporter, demo=demo, safe=safe)
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            marker.clear()
            owner.release()
            return _handle_failed_start(home, error, reporter, was_safe=safe)
        signals.quit_requested.connect(app.quit)
        app.settled.connect(marker.clear)
        try:
            app.live(background=background, first_page=not demo and target is None, target=target)
        finally:
            marker.clear()
            app.close()
    if app.start_problem is not None:
        return _offer_safe_mode(home, app.start_problem, was_safe=safe)
    if app.restart_command:
        from toolnote_desktop.desktop.shell.updater import start_again

        start_again(app.restart_command)
    return 0


def _own_home(home: Home, target: str | None, *, background: bool) -> HomeOwner | None:
    """Own the home; return None where a running window has taken over what this start is for.

    A refusal is shown in a dialog, unless the user has just made it or there is no user (``background``).
    """
    declined = background

    def may_take_over(problem: Problem) -> bool:
        nonlocal declined
        if not background:
            from toolnote_desktop.desktop.dialogs import take_over

            declined = not take_over.may_take_over(problem)
        return not declined

    try:
        return own_home(home, lambda: _start_message(target, background=background), may_take_over)
    except ToolnoteError as error:
        if not (declined and error.problem.code is Code.HOME_OWNED):
            _show_refusal(error.problem)
        raise


def _choose_mode(marker: CrashMarker) -> str:
    """Return ``normal``, ``safe``, or "" to quit: the user's choice if the last start crashed."""
    if not marker.indicates_crash():
        return "normal"
    from toolnote_desktop.desktop.dialogs.start_problems import choose_start_mode

    return choose_start_mode()


def _show_refusal(problem: Problem) -> None:
    from toolnote_desktop.desktop.dialogs.start_problems import show_refusal

    show_refusal(problem)


def _handle_failed_start(home: Home, error: Exception, reporter: CrashReporter, *, was_safe: bool) -> int:
    """Show a problem that the user can solve, and raise it; for any other error offer safe mode."""
    if isinstance(error, ToolnoteError):
        _show_refusal(error.problem)
        raise error
    return _offer_safe_mode(home, reporter.report_of(error, "at the start"), was_safe=was_safe)


def _offer_safe_mode(home: Home, report: CrashReport, *, was_safe: bool) -> int:
    """Show the report; restart in safe mode if the user wants that, else return the exit status."""
    from toolnote_desktop.desktop.dialogs.start_failed import StartFailed
    from toolnote_desktop.desktop.shell.updater import start_again
    from toolnote_desktop.desktop.window.dialog_opener import login_command

    if StartFailed(report, was_safe=was_safe).exec() == StartFailed.DialogCode.Accepted:
        start_again([*login_command(home), "--safe"])
    return 1


def quit_running_app(home: Home) -> int:
    """Quit the running app (``--quit``) and wait until its process has ended; return the exit status."""
    from toolnote_desktop.desktop.shell.single_instance import QUIT, message, send

    pid = send(home, message(QUIT))
    if pid is None or wait_for_exit(pid, QUIT_PATIENCE_SECONDS):
        return 0  # also where none was running
    print(f"toolnote: the running app (process {pid}) has not ended", file=sys.stderr)
    return 1


class DesktopApp(QObject):
    """The running app: library, proxy link, window, and the services created after the first paint.

    Signals:
        settled: the app has been running for ``SETTLED_SECONDS``.
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
        """Report of the error that ended the start; None where it succeeded."""
        self.restart_command: list[str] = []
        """Command to replace this process with once the app has ended; empty: exit."""
        self._home = home
        self._owner = owner
        self._theme = theme
        self._application = application
        self._is_quitting = False
        self._quit_event: asyncio.Event | None = None
        self._window_is_closed = False
        self._pending_targets: list[str] = []
        application.quit_requested.connect(self.quit)
        application.file_opened.connect(self.open)
        self.library = Library.open(home, watch=False)  # the first paint shows it as it was read
        self.first_run = is_first_run(self.library.snapshot)
        if demo:
            self.add_demo()
        elif self.first_run:
            make_my_tools(self.library, self.tr("My tools"))
        application.languages.use(self.library.snapshot.settings.language)
        self._apply_theme()
        self.link = ProxyLink(self.library, home, owner, self)
        self.link.changed.connect(lambda _change: self._apply_theme())
        with theme.style_sheet_suspended():
            self.window = MainWindow(self.library, self.link, fresh=safe, has_settings=True)
        self.window.quit_requested.connect(self.quit)
        if sys.platform == "darwin":
            from toolnote_desktop.desktop.shell.macos_dock import DockIconPolicy

            DockIconPolicy(self.window)
        reporter.set_secrets(lambda: secrets_of(self.library.snapshot.servers.values()))
        self._keeper: PublicationKeeper | None = None
        self.services: DesktopServices | None = None
        """Created after the first paint."""

    def live(self, *, background: bool, first_page: bool, target: str | None) -> None:
        """Show the window and run its event loop until :meth:`quit`."""
        try:
            if not background:
                self.window.show()
                painted = wait_until_painted(self.window)
                log.info("the window has been painted" if painted else "the window has not been painted yet")
            from toolnote_desktop.desktop.async_tasks import new_event_loop  # brings asyncio: not before the paint

            loop = new_event_loop(self._application)
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            self.start_problem = self._reporter.report_of(error, "at the start")
            return
        loop.set_exception_handler(self._reporter.handle_loop_exception)
        with contextlib.closing(loop):
            loop.run_until_complete(self._run(background=background, first_page=first_page, target=target))

    async def _run(self, *, background: bool, first_page: bool, target: str | None) -> None:
        from asyncio import Event

        from toolnote_desktop.desktop.async_tasks import cancel_all

        self._quit_event = Event()
        try:
            self._start_services(background=background, first_page=first_page, target=target)
            QTimer.singleShot(round(SETTLED_SECONDS * 1000), self, self.settled.emit)
            if not self._is_quitting:
                await self._quit_event.wait()
        except Exception as error:  # noqa: BLE001 - the supervising boundary of the start
            self.start_problem = self._reporter.report_of(error, "at the start")
        finally:
            self._close_window()
            await cancel_all()

    def _start_services(self, *, background: bool, first_page: bool, target: str | None) -> None:
        from toolnote_desktop.desktop.shell.single_instance import clear_activation_token
        from toolnote_desktop.desktop.window.after_first_paint import DesktopServices

        self.library.watch()
        self._owner.announce()
        clear_activation_token()
        if not self._safe:
            self.link.start()
        services = DesktopServices(self.window, self.library, self.link, self._home, self.add_demo)
        services.quit_requested.connect(self.quit)
        services.restart_requested.connect(self._restart)
        self._reporter.reported.connect(services.dialogs.show_crash)
        self.services = services
        services.start(background=background, safe=self._safe)
        if not self._safe:
            self._start_keeper()
        gc_policy.start_after_startup()
        if first_page and self.first_run and not background and not self._safe:
            services.show_first_run()
        for wanted in (target, *self._pending_targets):
            if wanted is not None:
                services.open(wanted)

    def _start_keeper(self) -> None:
        from toolnote_desktop.publishing.keeper import PublicationKeeper  # not before the first paint

        self._keeper = PublicationKeeper(self.library)
        self._keeper.start()

    def _apply_theme(self) -> None:
        settings = self.library.snapshot.settings
        self._theme.choose(settings.theme, settings.contrast, settings.motion)

    def open(self, target: str) -> None:
        """Show a preview of a file or link, as soon as there are dialogs."""
        if self.services is None:
            self._pending_targets.append(target)
        else:
            self.services.open(target)

    def add_demo(self) -> None:
        """Add the demo servers and toolset; use that toolset if the one in use has no tools."""
        from toolnote_desktop.demo.library import add_demo

        name = add_demo(self.library)
        used = self.library.snapshot.shared_toolset
        if used is None or not used.tools:
            self.library.submit(SetFields(SETTINGS, {"equippedToolset": name}))

    def quit(self) -> None:
        """Let :meth:`live` return."""
        self._is_quitting = True
        if self._quit_event is not None:
            self._quit_event.set()

    def _restart(self, command: list[str]) -> None:
        self.restart_command = command
        self.quit()

    def _close_window(self) -> None:
        """Close dialogs, tray and window, which submits what is being typed."""
        if self._window_is_closed:
            return
        self._window_is_closed = True
        if self.services is not None:
            self.services.close()
        self.window.close()

    def close(self) -> None:
        """Stop the proxy and its servers, save, and release the home: within five seconds in all (case C67)."""
        self._close_window()
        self.library.stop_watching()
        if self._keeper is not None:
            self._keeper.stop(KEEPER_SECONDS)
        self.link.stop()
        try:
            self.library.close(SAVE_SECONDS)
        finally:
            self._owner.release()
            self.window.deleteLater()
            self._application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if self.services is not None:
            self.services.updates.install()


def _start_message(target: str | None, *, background: bool) -> dict[str, Any]:
    """Return the message of this start to a window that has this home already."""
    from toolnote_desktop.desktop.shell.single_instance import NOTHING, OPEN, SHOW, message

    if target is None:
        return message(NOTHING if background else SHOW)
    return message(OPEN, target if "://" in target else str(Path(target).resolve()))
