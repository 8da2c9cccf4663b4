"""The window (Qt)."""

import builtins

# PySide6 puts a function of its own in the place of `__import__`. It reads the source of each module that is imported
# from then on, in case that asks for `from __feature__ import …`; none of ours does, and none that we use. Without it
# the first picture is 35 of 640 ms earlier, the proxy answers 60 ms earlier, and 20 MB of source are not kept.
_import = builtins.__import__
import PySide6.QtCore  # noqa: E402, F401

builtins.__import__ = _import
