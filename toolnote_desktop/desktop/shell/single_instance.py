"""Messages of later starts to the running window, over a local socket (docs/contract.md 4, ``gui``).

The lock ``run/app.lock`` decides which process is the first (docs/architecture.md, decision 5). Only the same user can
connect to the socket.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import socket
import stat
import struct
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from toolnote_desktop.paths import Home, belongs_to_user

log = logging.getLogger(__name__)

SHOW = "show"
QUIT = "quit"
NOTHING = "nothing"
"""A start in the background needs nothing but a running app."""
OPEN = "open"
"""With a target: a ``toolnote://`` URL or the absolute path of a file."""

_LONGEST_SOCKET_PATH = 100  # sun_path holds 104 bytes on macOS, 108 on Linux
_LOCAL_PEERCRED = 1  # macOS, sys/un.h
_LARGEST_MESSAGE = 64 * 1024


def socket_name(home: Home) -> str | None:
    """Return the socket's path in the home's ``run`` folder.

    Where that is too long, the path in the user's runtime folder (XDG Base Directory Specification), or in a private
    folder of the user's among the temporary files. None if there is no folder that belongs to the user alone.
    """
    canonical = os.path.normcase(os.path.realpath(home.root))
    name = "toolnote-" + hashlib.sha256(os.fsencode(canonical)).hexdigest()[:24]
    if sys.platform == "win32":
        return name
    path = os.path.join(os.path.realpath(home.run), "window.sock")
    if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    return next((os.path.join(folder, name) for folder in _runtime_folders() if _is_private(folder)), None)


def _runtime_folders() -> Iterator[str]:
    if sys.platform == "win32":
        return
    user = os.geteuid()
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(given):
        yield given
    yield f"/run/user/{user}"
    private = os.path.join(tempfile.gettempdir(), f"toolnote-{user}")
    with contextlib.suppress(OSError):
        os.mkdir(private, 0o700)
    yield private


def _is_private(folder: str) -> bool:
    """Return True if a folder, itself and no link, belongs to the user, and no other user may write to it."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and belongs_to_user(folder)
        and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        and len(os.fsencode(folder)) + 40 <= _LONGEST_SOCKET_PATH
    )


def _is_same_user(peer: QLocalSocket) -> bool:
    """Return True if the other end belongs to the user of this process, by the credentials that the system reports."""
    if sys.platform == "win32":
        return True  # the pipe's access rights decide
    descriptor = int(peer.socketDescriptor())
    if descriptor < 0:
        return False
    with socket.socket(fileno=os.dup(descriptor)) as connection:
        try:
            if sys.platform == "linux":
                _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            else:  # struct xucred: version, user, …
                _, user = struct.unpack("II", connection.getsockopt(0, _LOCAL_PEERCRED, 76)[:8])
        except OSError:
            return False
    return bool(user == os.geteuid())


def message(kind: str, target: str | None = None) -> dict[str, Any]:
    """Return a message, with the activation token that lets the running window come to the front."""
    content: dict[str, Any] = {"message": kind}
    if target is not None:
        content["target"] = target
    token = os.environ.get("XDG_ACTIVATION_TOKEN")
    if token:
        content["activation"] = token
    return content


def send(home: Home, content: Mapping[str, Any], *, timeout: float = 3.0) -> int | None:
    """Send a message to the running window; return its process id, or None if it did not acknowledge.

    The window first sends its process id: on Windows the process that the user has just started passes on the right
    to come to the front, and must name to which process.

    Args:
        timeout: seconds for each step.
    """
    milliseconds = int(timeout * 1000)
    name = socket_name(home)
    if name is None:
        return None
    local = QLocalSocket()
    local.connectToServer(name)
    try:
        if not local.waitForConnected(milliseconds):
            return None
        if not _is_same_user(local):
            log.warning("%s belongs to another user: nothing was sent", name)
            return None
        greeting = _read(local, milliseconds)
        pid = greeting.get("pid") if greeting is not None else None
        if not isinstance(pid, int):
            return None
        _allow_to_front(pid)
        local.write(_line(content))
        answer = _read(local, milliseconds)
        return pid if answer is not None and answer.get("ok") is True else None
    finally:
        local.abort()


class SingleInstance(QObject):
    """Server of the local socket.

    Signals:
        message_received: a message of a later start, a dictionary with ``message`` and perhaps ``target``.
    """

    message_received = Signal(object)

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = socket_name(home)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)

    def listen(self) -> bool:
        """Start listening; return False if that is impossible, which only later starts notice.

        Call it as the owner of ``app.lock`` only: a socket found at the address was left by a killed process.
        """
        if self._name is None:
            log.warning("cannot listen for later starts: there is no folder for the socket")
            return False
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
            if _is_same_user(socket):
                _Connection(socket, self)
            else:
                socket.abort()
                socket.deleteLater()


class _Connection(QObject):
    """Connection of one later start; deleted when it disconnects."""

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
        content = _parse(bytes(self._socket.readLine().data()))
        if content is None or not isinstance(content.get("message"), str):
            self._socket.abort()
            return
        self._socket.write(_line({"ok": True}))
        self._socket.flush()
        token = content.get("activation")
        if isinstance(token, str) and token and token.isprintable() and token.isascii():
            # Qt reads and removes it when a window is activated (Wayland).
            os.environ["XDG_ACTIVATION_TOKEN"] = token
        self._instance.message_received.emit(content)


def clear_activation_token() -> None:
    """Remove the activation token from the environment: it is valid once, and not for servers started later."""
    os.environ.pop("XDG_ACTIVATION_TOKEN", None)
    os.environ.pop("DESKTOP_STARTUP_ID", None)


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content).encode("utf-8") + b"\n"


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _read(socket: QLocalSocket, milliseconds: int) -> dict[str, Any] | None:
    while not socket.canReadLine():
        if not socket.waitForReadyRead(milliseconds):
            return None
    return _parse(bytes(socket.readLine().data()))


def _allow_to_front(pid: int) -> None:
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(pid)
