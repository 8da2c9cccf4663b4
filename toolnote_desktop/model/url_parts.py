"""Parts of URLs that other programs wrote."""

from __future__ import annotations

from typing import Final
from urllib.parse import SplitResult, urlsplit

_LONGEST_HOST: Final = 1_000
"""Characters of a host, with user and port, that are not all ASCII; DNS has 253."""

_IGNORED: Final = str.maketrans("", "", "\t\n\r")
_ENDS: Final = str.maketrans("?#", "//")


def split_url(url: str) -> SplitResult:
    """Return the parts of a URL as ``urllib.parse.urlsplit`` does, in linear time: that normalizes a host, which takes
    quadratic time for combining marks (``hidden_characters.normalized``).

    Raises:
        ValueError: the URL is invalid, or its host is too long.
    """
    if len(url) > _LONGEST_HOST and not url.isascii():
        host = url.translate(_IGNORED).partition("//")[2].translate(_ENDS).partition("/")[0]
        if len(host) > _LONGEST_HOST and not host.isascii():
            raise ValueError("the host is too long")
    return urlsplit(url)
