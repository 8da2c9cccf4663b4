"""The frozen `toolnote-desktop`: the app with no console behind it."""

import sys

from toolnote_desktop.__main__ import main_window

if __name__ == "__main__":
    sys.exit(main_window())
