"""What a server's address and headers may hold. No reason repeats a value: a secret may stand in any part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # a token (RFC 9110, 5.6.2)


def why_unusable(url: str) -> str | None:
    """Why nothing can be sent to a url, or None.

    Raises:
        ValueError: it cannot be taken apart.
    """
    if any(ord(c) < 0x20 or ord(c) == 0x7F for c in url):  # which urlsplit leaves out without a word
        return "it has a line break or another control character"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "not an http or https url"
    if any(c.isspace() for c in parts.netloc):
        return "the name of its host has a space"
    try:
        port = parts.port
    except ValueError:
        port = 0
    return "its port is no number from 1 to 65535" if port == 0 else None


def why_no_header(name: str, value: str) -> str | None:
    """Why HTTP cannot carry a header, or None. A value with a line break would be a second header."""
    if not _NAME.fullmatch(name):
        return "a header's name is made of letters, digits and -"
    if "\r" in value or "\n" in value:
        return "its value has a line break"
    if not value.isascii():
        return "its value has a letter that is not ASCII"
    if not value.replace("\t", " ").isprintable():
        return "its value has a control character"
    return None


def first_bad_header(headers: Mapping[str, str]) -> tuple[str, str] | None:
    """The first header that cannot be sent, as its field in an entry, and why."""
    for name, value in headers.items():
        reason = why_no_header(name, value)
        if reason is not None:
            return f"headers.{name}", reason
    return None
