"""Write the client ID metadata document of a release: ``python packaging/client_document.py FILE``.

Publish FILE at the address that ``clientDocument`` in resources/release.json names, before the builds that have it.
Without an address nothing is written: such a build registers itself where it signs in.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from toolnote_desktop.proxy.oauth.client_document import client_document, document_address


def main(file: Path) -> int:
    """Write the document; return the exit status."""
    address = document_address()
    if address is None:
        print("resources/release.json names no clientDocument: nothing to write")
        return 0
    file.write_text(json.dumps(client_document(address), indent=2) + "\n", encoding="utf-8")
    print(f"{file}: publish it at {address}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
