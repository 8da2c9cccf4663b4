"""A second start tells the first one what it was started for (docs/contract.md 4, ``gui``).

``run/app.lock`` decides who is first (docs/architecture.md, decision 5); the socket here only passes the message on. Only the user
can connect to it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from toolnote_desktop.paths import Home

log = logging.getLogger(__name__)

SHOW = "show"
QUIT = "quit"
NOTHING = "nothing"
"""A start in the background: it is enough that somebody is there."""
OPEN = "open"
"""With a target: a ``toolnote://`` URL or the absolute path of a file."""

_LONGEST_SOCKET_PATH = 100  # sun_path holds 104 bytes on macOS, 108 on Linux
_LARGEST_MESSAGE = 64 * 1024


def socket_name(home: Home) -> str:
    """Where the first start listens: in the home's ``run`` folder, or by its path's hash where that is too long."""
    path = os.path.join(os.path.realpath(home.run), "window.sock")
    if sys.platform != "win32" and len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    canonical = os.path.normcase(os.path.realpath(home.root))
    return "toolnote-" + hashlib.sha256(os.fsencode(canonical)).hexdigest()[:24]


def message(kind: str, target: str | None = None) -> dict[str, Any]:
    """What a second start has to say, with what the desktop gave it to bring a window to the front."""
    said: dict[str, Any] = {"message": kind}
    if target is not None:
        said["target"] = target
    token = os.environ.get("XDG_ACTIVATION_TOKEN")
    if token:
        said["activation"] = token
    return said


def tell(home: Home, said: Mapping[str, Any], *, timeout: float = 3.0) -> int | None:
    """Give the running window a message: its process id when it took it, else None. ``timeout`` in seconds, each step.

    The first one greets with its process id before it is told anything: on Windows only the program that the user has
    just started may pass on the right to come to the front, and it must name to whom.
    """
    milliseconds = int(timeout * 1000)
    socket = QLocalSocket()
    socket.connectToServer(socket_name(home))
    try:
        if not socket.waitForConnected(milliseconds):
            return None
        greeting = _read(socket, milliseconds)
        pid = greeting.get("pid") if greeting is not None else None
        if not isinstance(pid, int):
            return None
        _allow_to_front(pid)
        socket.write(_line(said))
        answer = _read(socket, milliseconds)
        return pid if answer is not None and answer.get("ok") is True else None
    finally:
        socket.abort()


class SingleInstance(QObject):
    """The first start's ear.

    Signals:
        told: a message of a later start, a dictionary with ``message`` and perhaps ``target``.
    """

    told = Signal(object)

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = socket_name(home)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)

    def listen(self) -> bool:
        """Begin to listen; False where it cannot be, which later starts will say and nothing else suffers from.

        Call it as the owner of ``app.lock`` only: what stands at the address then was left by a start that was killed.
        """
        QLocalServer.removeServer(self._name)
        if self._server.listen(self._name):
            return True
        log.warning("cannot listen for later starts: %s", self._server.errorString())
        return False

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _greet(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            _Visitor(socket, self)


class _Visitor(QObject):
    """One later start, connected; goes when it goes."""

    def __init__(self, socket: QLocalSocket, instance: SingleInstance) -> None:
        super().__init__(instance)
        self._instance = instance
        self._socket = socket
        socket.setParent(self)
        socket.disconnected.connect(self.deleteLater)
        socket.readyRead.connect(self._read)
        socket.write(_line({"pid": os.getpid()}))
        if socket.bytesAvailable():
            self._read()

    def _read(self) -> None:
        if not self._socket.canReadLine():
            if self._socket.bytesAvailable() > _LARGEST_MESSAGE:
                self._socket.abort()
            return
        said = _parse(bytes(self._socket.readLine().data()))
        if said is None or not isinstance(said.get("message"), str):
            self._socket.abort()
            return
        self._socket.write(_line({"ok": True}))
        self._socket.flush()
        token = said.get("activation")
        if isinstance(token, str) and token:
            # Where Qt looks for it when a window is activated (Wayland). It takes it out again itself.
            os.environ["XDG_ACTIVATION_TOKEN"] = token
        self._instance.told.emit(said)


def forget_activation() -> None:
    """Take the activation token out of the environment: it was for one window, once, and not for servers we start."""
    os.environ.pop("XDG_ACTIVATION_TOKEN", None)
    os.environ.pop("DESKTOP_STARTUP_ID", None)


def _line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said).encode("utf-8") + b"\n"


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _read(socket: QLocalSocket, milliseconds: int) -> dict[str, Any] | None:
    while not socket.canReadLine():
        if not socket.waitForReadyRead(milliseconds):
            return None
    return _parse(bytes(socket.readLine().data()))


def _allow_to_front(pid: int) -> None:
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(pid)
