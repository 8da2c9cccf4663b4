"""Keys of models' endpoints, in the keychain, and the endpoint that the user chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol
from urllib.parse import urlsplit

from toolnote_desktop.bench.model_endpoint import Api, check_endpoint, standard_endpoint
from toolnote_desktop.model.settings import Settings

OWNER: Final = "Toolnote bench"
"""Name under which the keys are stored, in place of a server's id."""


class Secrets(Protocol):
    """Store of secrets (``store.secrets.store.SecretStore``)."""

    def names(self, server: str) -> Mapping[str, object]:
        """Return the known secrets by name."""

    def read(self, server: str, name: str) -> str | None:
        """Return a secret; None if it does not exist."""


def endpoint_of(settings: Settings, endpoint: str | None = None, api: str | None = None) -> tuple[str, Api]:
    """Return the address and kind of the chosen endpoint: the given ones, else those of the settings.

    Raises:
        ToolnoteError: ``bench-endpoint``.
    """
    kind: Api = "anthropic" if (api or settings.bench_api) == "anthropic" else "openai"
    url = endpoint or settings.bench_endpoint or standard_endpoint(kind)
    check_endpoint(url)
    return url, kind


def key_name(url: str) -> str:
    """Return the name of an endpoint's key: its host, with its port where it has one."""
    return urlsplit(url).netloc.rpartition("@")[2].casefold()


def read_key(secrets: Secrets, url: str) -> str | None:
    """Return the key of an endpoint; None if none was stored: the keychain is not called then."""
    name = key_name(url)
    return secrets.read(OWNER, name) if name in secrets.names(OWNER) else None
