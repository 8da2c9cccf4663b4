"""What was made of the lists of a server is dropped with it, also of clients that never ask again."""

from __future__ import annotations

import gc

from tests.proxy.running import raw_server, running
from tests.waiting import wait_until
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, RemoveEntry
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.paths import Home


def catalogues_with(server: str) -> int:
    """Return the number of catalogues in the memory that have a server."""
    gc.collect()
    return sum(isinstance(one, Catalogue) and server in one.servers for one in gc.get_objects())


def test_nothing_holds_the_tools_of_a_removed_server(home: Home) -> None:
    """Seen red with the guides, and with the views and instructions of a silent client, kept."""
    with running(home, {"a": raw_server(), "b": raw_server()}) as proxy:
        silent = proxy.bridge("silent")
        silent.initialize()
        assert silent.call("search-tools", {"query": "counter"}).status == 200
        assert silent.call("get-tool-guide", {}).status == 200
        proxy.library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "b"))
        proxy.wait(lambda snapshot: "b" not in snapshot.catalogue.servers)
        wait_until(lambda: catalogues_with("b") == 0)
