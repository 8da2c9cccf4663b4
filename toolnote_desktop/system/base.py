"""What differs by operating system, as one interface. ``toolnote_desktop.system.current()`` picks the one at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct, field


class Autostart(Protocol):
    """Whether the app starts with the user's session, in the background."""

    def enabled(self) -> bool:
        """Whether it does, by what the system has on record just now."""

    def enable(self, command: Iterable[str]) -> None:
        """Have it start: ``command`` with ``--background``. Again with another command replaces the first.

        Raises:
            OSError: the record could not be written.
        """

    def disable(self) -> None:
        """Have it not start; nothing to do is fine.

        Raises:
            OSError: the record could not be taken away.
        """


class ChildGuard(Protocol):
    """Ends child processes when this one dies without a chance to do so itself (``kill -9``, a crash)."""

    def add(self, pid: int) -> None:
        """A child (leader of its own process group where there are such) that must not outlive this process."""

    def remove(self, pid: int) -> None:
        """That child and its group are gone."""

    def close(self) -> None:
        """No more children; whatever is still under guard is ended."""


class Launch(Struct, frozen=True):
    """How a child process is started.

    Attributes:
        command: the program's full path and its arguments, each handed over literally.
        shell_line: Windows batch files only (``npx.cmd``): the line for ``cmd.exe`` that does the same; else None.
        options: keyword arguments of ``subprocess.Popen`` that give the child a group of its own.
    """

    command: tuple[str, ...]
    shell_line: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Platform(Protocol):
    """One operating system."""

    @property
    def name(self) -> str:
        """``linux``, ``macos`` or ``windows``."""

    @property
    def autostart(self) -> Autostart:
        """Start with the user's session."""

    def environment(self, timeout: float = 5.0) -> dict[str, str]:
        """The user's environment: what ``${VAR}`` is looked up in and what children's variables are chosen from.

        That of this process, and for an app started from a desktop, whose environment is poor, the login shell's over
        it. Asks the shell once, for at most ``timeout`` seconds: call it in a thread that may block.
        """

    def child_environment(self, environment: Mapping[str, str], entry: Mapping[str, str]) -> dict[str, str]:
        """What a child gets: a choice from ``environment`` (never all of it) and all of ``entry``."""

    def find_program(self, command: str, environment: Mapping[str, str], folder: str) -> str | None:
        """The full path of the program that ``command`` means for a child with this environment in this folder.

        None where there is none. A path that exists is given back even if it cannot be run.
        """

    def launch(self, program: str, arguments: Iterable[str]) -> Launch:
        """How to start ``program`` (a full path) in a process group of its own, with no window."""

    def child_guard(self) -> ChildGuard:
        """A new guard; close it when all children are gone."""
