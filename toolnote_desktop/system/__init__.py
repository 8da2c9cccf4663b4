"""Operating system in use."""

from __future__ import annotations

import functools
import sys

from toolnote_desktop.system.base import Platform


@functools.cache
def current() -> Platform:
    """Return the platform of this process; always the same object, so that the login shell is run once."""
    if sys.platform == "win32":
        from toolnote_desktop.system.windows import Windows

        return Windows()
    if sys.platform == "darwin":
        from toolnote_desktop.system.macos import MacOS

        return MacOS()
    from toolnote_desktop.system.linux import Linux

    return Linux()
