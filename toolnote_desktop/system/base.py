"""Interface to the differences between operating systems, implemented by ``toolnote_desktop.system.current()``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct, field


class Autostart(Protocol):
    """Start of the app in the background with the user's session."""

    def enabled(self) -> bool:
        """Return True if it is enabled according to the system's current records."""

    def enable(self, command: Iterable[str]) -> None:
        """Enable it: ``command`` with ``--background``. A second call replaces the command.

        Raises:
            OSError: the record could not be written.
        """

    def disable(self) -> None:
        """Disable it; if it is disabled already, nothing happens.

        Raises:
            OSError: the record could not be removed.
        """


class ChildGuard(Protocol):
    """Kills child processes when this process dies without cleaning up (``kill -9``, a crash).

    Attributes:
        pid: id of the guard's own process, if it has one.
    """

    @property
    def pid(self) -> int | None: ...

    def add(self, pid: int) -> None:
        """Guard a child (leader of its own process group, if the system has these) that must not outlive this
        process.
        """

    def remove(self, pid: int) -> None:
        """Stop guarding a child; its group has ended."""

    def close(self) -> None:
        """Stop; guarded children that are left are killed."""


class Launch(Struct, frozen=True):
    """Parameters to start a child process.

    Attributes:
        command: full path of the program and its arguments, each passed literally.
        shell_line: for Windows batch files only (``npx.cmd``): the equivalent line for ``cmd.exe``; else None.
        options: keyword arguments of ``subprocess.Popen`` that give the child its own group.
    """

    command: tuple[str, ...]
    shell_line: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Platform(Protocol):
    """Operating system."""

    @property
    def name(self) -> str:
        """``linux``, ``macos`` or ``windows``."""

    @property
    def autostart(self) -> Autostart:
        """Autostart with the user's session."""

    def environment(self, timeout: float = 5.0) -> dict[str, str]:
        """Return the user's environment, from which ``${VAR}`` and the variables of children are taken.

        It is that of this process; for an app started from a desktop, whose environment is minimal, updated by the
        login shell's. Runs the shell once, for up to ``timeout`` seconds: call it in a thread that may block.
        """

    def child_environment(
        self, environment: Mapping[str, str], entry: Mapping[str, str], inherit: Collection[str] | None = None
    ) -> dict[str, str]:
        """Return a child's environment: selected variables of ``environment`` (never all) and all of ``entry``.

        Args:
            inherit: see ``environment.withhold``.
        """

    def find_program(self, command: str, environment: Mapping[str, str], folder: str) -> str | None:
        """Return the full path of the program that ``command`` means for a child with this environment and folder.

        None if not found. An existing path is returned even if it is not executable.
        """

    def launch(self, program: str, arguments: Iterable[str]) -> Launch:
        """Return the parameters to start ``program`` (a full path) in its own process group, without a window."""

    def child_guard(self) -> ChildGuard:
        """Create a guard; close it when all children have ended."""
