"""A tray, as desktops on Linux have it: the service that status icons register with. Runs until killed.

Prints a line for each icon that registers.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import ClassInfo, Property, QCoreApplication, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection

SERVICE = "org.kde.StatusNotifierWatcher"


@ClassInfo({"D-Bus Interface": SERVICE})  # type: ignore[call-arg]
class Watcher(QObject):  # type: ignore[operator]
    """As much of the service as Qt asks for."""

    StatusNotifierItemRegistered = Signal(str)
    StatusNotifierHostRegistered = Signal()

    @Slot(str)
    def RegisterStatusNotifierItem(self, item: str) -> None:
        print("icon", item, flush=True)
        self.StatusNotifierItemRegistered.emit(item)

    def _yes(self) -> bool:
        return True

    def _version(self) -> int:
        return 0

    IsStatusNotifierHostRegistered = Property(bool, _yes)
    ProtocolVersion = Property(int, _version)


if __name__ == "__main__":
    application = QCoreApplication([])
    watcher = Watcher()
    bus = QDBusConnection.sessionBus()
    exported = bus.registerObject("/StatusNotifierWatcher", watcher, QDBusConnection.RegisterOption.ExportAllContents)
    if not exported or not bus.registerService(SERVICE):
        sys.exit(bus.lastError().message())
    print("ready", flush=True)
    sys.exit(application.exec())
