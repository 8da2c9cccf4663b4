"""What is kept of a sign-in: tokens, and what it takes to have them renewed. It lives in the keychain as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from msgspec import field
from msgspec.structs import asdict, replace

from toolnote_desktop.log import hide
from toolnote_desktop.model.secrets.secret_repr import SecretStruct

SOON: Final = 60.0
"""Seconds before its end at which a token is renewed; a fifth of its life where that is less."""


class SignInRecord(SecretStruct, frozen=True):
    """One server's sign-in.

    Attributes:
        url: the server's address that it was made for: its tokens are sent nowhere else.
        access_token: "" where nobody is signed in (any more), and only the registration is kept.
        expires_at: seconds since the epoch; None: nobody said.
        lifetime: the seconds that the token was good for in all.
        client: how we are registered: ``client_id``, and perhaps a secret and how it is sent.
        redirect_port: the port of the address that the registration names.
    """

    secret_fields: ClassVar = frozenset({"access_token", "refresh_token", "client"})

    url: str
    access_token: str = ""
    refresh_token: str | None = None
    scope: str | None = None
    expires_at: float | None = None
    lifetime: float | None = None
    token_endpoint: str = ""
    revocation_endpoint: str | None = None
    resource: str | None = None
    client: Mapping[str, Any] = field(default_factory=dict)
    redirect_port: int = 0

    @classmethod
    def read(cls, text: str) -> SignInRecord | None:
        """A record as it is kept; None for what is none."""
        try:
            raw = json.loads(text)
            record = cls(**{name: raw[name] for name in cls.__struct_fields__ if name in raw})
        except (ValueError, TypeError):
            return None
        record.hide_secrets()
        return record

    def text(self) -> str:
        """As it is kept."""
        return json.dumps({key: value for key, value in asdict(self).items() if value is not None})

    def hide_secrets(self) -> None:
        """None of its secrets is in any log from now on."""
        secrets = (self.access_token, self.refresh_token, self.client.get("client_secret"))
        hide(secret for secret in secrets if secret)

    def is_for(self, url: str) -> bool:
        """Whether this is a sign-in to the server at ``url``, whatever its query."""
        one, other = urlsplit(self.url), urlsplit(url)
        return (one.scheme, one.netloc.lower(), one.path) == (other.scheme, other.netloc.lower(), other.path)

    def ends_soon(self) -> bool:
        """Whether the token should be renewed before it is used again."""
        if self.expires_at is None:
            return False
        return time.time() >= self.expires_at - min(SOON, (self.lifetime or SOON * 5) / 5)

    def has_ended(self) -> bool:
        """Whether the token is certainly good for nothing any more."""
        return self.expires_at is not None and time.time() >= self.expires_at

    def with_tokens(self, access: str, refresh: str | None, scope: str | None, lifetime: float | None) -> SignInRecord:
        """With newer tokens; what a server leaves out stays as it was (RFC 6749, 6)."""
        expires_at = time.time() + lifetime if lifetime is not None else None
        newer = replace(
            self,
            access_token=access,
            refresh_token=refresh or self.refresh_token,
            scope=scope or self.scope,
            lifetime=lifetime,
            expires_at=expires_at,
        )
        newer.hide_secrets()
        return newer

    def signed_out(self) -> SignInRecord:
        """Without tokens."""
        return replace(self, access_token="", refresh_token=None, expires_at=None, lifetime=None)
