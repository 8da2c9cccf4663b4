"""The frozen program on Linux: one file is both programs, and its name decides which was started."""

import os
import sys

from toolnote_desktop.__main__ import main, main_window

if __name__ == "__main__":
    sys.exit(main_window() if os.path.basename(sys.argv[0]) == "toolnote-desktop" else main())
