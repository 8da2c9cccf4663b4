"""The operating system at hand."""

from __future__ import annotations

import functools
import sys

from toolnote_desktop.system.base import Platform


@functools.cache
def current() -> Platform:
    """The platform that this process runs on; always the same object, so that the login shell is asked once."""
    if sys.platform == "win32":
        from toolnote_desktop.system.windows import Windows

        return Windows()
    if sys.platform == "darwin":
        from toolnote_desktop.system.macos import MacOS

        return MacOS()
    from toolnote_desktop.system.linux import Linux

    return Linux()
