"""The window (Qt)."""

import builtins


def undo_pyside_import_hook() -> None:
    """Import PySide6 and restore ``builtins.__import__``, which PySide6 replaces.

    Its function reads the source of each module imported later, to find ``from __feature__ import …`` (PYSIDE-2029,
    ``shibokensupport/feature.py``), which neither this app nor its dependencies use. Without it the first paint is 35
    of 640 ms earlier, the proxy answers 60 ms earlier, and 20 MB of source are not kept.
    """
    python_import = builtins.__import__
    import PySide6.QtCore  # noqa: F401

    builtins.__import__ = python_import


undo_pyside_import_hook()
