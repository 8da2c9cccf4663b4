"""Lock state of a keychain, found without a prompt: reading a locked one through ``keyring`` would open one.

A prompt that comes unasked grabs mouse and keys, and comes again with each attempt to start a server.
"""

from __future__ import annotations

from contextlib import closing
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend


class LockState(StrEnum):
    """State of a keychain."""

    OPEN = "open"
    LOCKED = "locked"
    EMPTY = "empty"
    """It does not exist yet: there are no values, and writing one creates it."""


def lock_state(backend: KeyringBackend) -> LockState:
    """Return the lock state. ``OPEN`` where it cannot be found out: macOS and Windows unlock theirs at login."""
    from keyring.backends import SecretService, chainer, kwallet

    probe = getattr(backend, "is_locked", None)
    if callable(probe):
        return LockState.LOCKED if probe() else LockState.OPEN
    if isinstance(backend, chainer.ChainerBackend):
        states = [lock_state(one) for one in backend.backends]
        return next((state for state in states if state is not LockState.OPEN), LockState.OPEN)
    if isinstance(backend, SecretService.Keyring):
        return _secret_service_state(backend)
    if isinstance(backend, kwallet.DBusKeyring):
        return _wallet_state(backend)
    return LockState.OPEN


def _secret_service_state(backend: Any) -> LockState:
    import secretstorage

    with closing(secretstorage.dbus_init()) as bus:
        chosen = getattr(backend, "preferred_collection", None)
        try:
            collection = secretstorage.Collection(bus, chosen) if chosen else secretstorage.Collection(bus)
            return LockState.LOCKED if collection.is_locked() else LockState.OPEN
        except secretstorage.exceptions.ItemNotFoundException:
            return LockState.EMPTY


def _wallet_state(backend: Any) -> LockState:
    import dbus  # type: ignore[import-not-found]  # a system package, which ``keyring`` needs for this backend

    remote = dbus.SessionBus().get_object(backend.bus_name, backend.object_path)
    wallet = dbus.Interface(remote, "org.kde.KWallet")
    return LockState.OPEN if wallet.isOpen(wallet.networkWallet()) else LockState.LOCKED
