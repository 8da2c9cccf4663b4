"""Stored catalogue: known before any server is connected, and used by commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolnote_desktop.model.servers import Server
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.tools.catalogue_document import (
    CATALOG_ENTRIES,
    build_catalogue,
    initial_status,
    parse_listing,
)


def load_catalogue(
    raw_catalog: Mapping[str, Any] | None, servers: Mapping[str, Server], reserved_names: Iterable[str] = ()
) -> Catalogue:
    """Load the catalogue of ``catalog.json``: servers are starting, or disabled if the user disabled them."""
    entries = (raw_catalog or {}).get(CATALOG_ENTRIES)
    known = entries if isinstance(entries, dict) else {}
    listings = {
        server: parse_listing(server, known.get(server), initial_status(entry)) for server, entry in servers.items()
    }
    return build_catalogue(servers, listings, reserved_names)
