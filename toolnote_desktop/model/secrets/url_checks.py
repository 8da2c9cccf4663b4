"""Checks of a server's URL and headers. Reasons never contain a value, any part of which may be secret."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolnote_desktop.model.url_parts import split_url

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # a token (RFC 9110, 5.6.2)


def url_problem(url: str) -> str | None:
    """Return the reason why no request can be sent to a URL, or None.

    Raises:
        ValueError: the URL cannot be parsed.
    """
    if any(ord(c) < 0x20 or ord(c) == 0x7F for c in url):  # removed silently by urlsplit
        return "it has a line break or another control character"
    parts = split_url(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "not an http or https url"
    if any(c.isspace() for c in parts.netloc):
        return "the name of its host has a space"
    try:
        port = parts.port
    except ValueError:
        port = 0
    return "its port is no number from 1 to 65535" if port == 0 else None


def header_problem(name: str, value: str) -> str | None:
    """Return the reason why HTTP cannot carry a header, or None. A value with a line break would be a second header."""
    if not _NAME.fullmatch(name):
        return "a header's name is made of letters, digits and -"
    if "\r" in value or "\n" in value:
        return "its value has a line break"
    if value != value.strip():
        return "its value begins or ends with a space: a variable in it may be empty"
    if not value.isascii():
        return "its value has a letter that is not ASCII"
    if not value.replace("\t", " ").isprintable():
        return "its value has a control character"
    return None


def first_header_problem(headers: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the field and the problem of the first header that cannot be sent, or None."""
    for name, value in headers.items():
        reason = header_problem(name, value)
        if reason is not None:
            return f"headers.{name}", reason
    return None
