"""The frozen `toolnote`: the console program."""

import sys

from toolnote_desktop.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
