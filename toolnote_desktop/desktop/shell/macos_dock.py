"""macOS: Dock icon while the window is open, and none while the app is only in the menu bar.

That is the activation policy, set while the app runs: the bundle's own property list is signed and stays as it is.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

REGULAR, ACCESSORY = 0, 1
"""Values of NSApplicationActivationPolicy."""


class DockIconPolicy(QObject):
    """Switches the policy with one window's visibility."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Switch the policy when the window is shown or hidden (Qt)."""
        if event.type() == QEvent.Type.Show:
            set_activation_policy(REGULAR)
        elif event.type() == QEvent.Type.Hide:
            set_activation_policy(ACCESSORY)
        return super().eventFilter(watched, event)


def set_activation_policy(policy: int) -> None:
    """Call ``[NSApp setActivationPolicy: policy]``; does nothing on other systems."""
    if sys.platform == "darwin":
        import ctypes
        import ctypes.util

        objc = ctypes.CDLL(ctypes.util.find_library("objc"))
        objc.objc_getClass.restype = objc.sel_registerName.restype = ctypes.c_void_p
        objc.objc_getClass.argtypes = objc.sel_registerName.argtypes = [ctypes.c_char_p]
        send = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(("objc_msgSend", objc))
        send_long = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long)(
            ("objc_msgSend", objc)
        )
        application = send(objc.objc_getClass(b"NSApplication"), objc.sel_registerName(b"sharedApplication"))
        send_long(application, objc.sel_registerName(b"setActivationPolicy:"), policy)
