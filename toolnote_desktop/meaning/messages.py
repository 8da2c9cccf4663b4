"""Messages between the app and the model's process: MessagePack with the length before it, over its pipes."""

from __future__ import annotations

from typing import BinaryIO, Final, TypeVar

import msgspec
from msgspec import Struct

LARGEST_MESSAGE: Final = 1_000_000
"""Bytes of a message; a larger one is not read."""
MOST_TEXTS: Final = 32
"""Texts of a message that adds some."""
MOST_INDEXES: Final = 4
"""Lists of tools whose vectors the process holds."""
MOST_TOOLS: Final = 20_000
"""Tools of a list that are compared; a longer one is searched by words alone."""
SCALE: Final = 10_000
"""Parts of 1 to which a cosine is rounded: the last digits differ from processor to processor."""
_LENGTH: Final = 4
_Message = TypeVar("_Message")


class Add(Struct, frozen=True, tag="add"):
    """Texts to add to a list. It is new if it has none yet; the one that was used longest ago is forgotten for it."""

    index: int
    texts: tuple[str, ...]


class Ask(Struct, frozen=True, tag="ask"):
    """Question to compare with each text of a list."""

    index: int
    question: str


class Added(Struct, frozen=True, tag="added"):
    """Number of texts that were added, from the first; the others are to be sent again."""

    count: int


class Similar(Struct, frozen=True, tag="similar"):
    """Cosines of a question and each text of a list, rounded to ``1 / SCALE``: of eight bytes, the low one first."""

    cosines: bytes


Request = Add | Ask
Response = Added | Similar

_REQUESTS: Final = msgspec.msgpack.Decoder(Request)
_RESPONSES: Final = msgspec.msgpack.Decoder(Response)


def write_message(stream: BinaryIO, message: Request | Response) -> None:
    """Write a message.

    Raises:
        OSError: the other side has ended.
    """
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(_LENGTH, "little") + data)
    stream.flush()


def read_request(stream: BinaryIO) -> Request | None:
    """Return the next request; None at the end.

    Raises:
        ValueError: it is too large, or no request.
    """
    data = _read(stream)
    request: Request | None = None if data is None else _decoded(_REQUESTS, data)
    return request


def read_response(stream: BinaryIO) -> Response:
    """Return the next response.

    Raises:
        EOFError: the process has ended.
        ValueError: it is too large, or no response.
    """
    data = _read(stream)
    if data is None:
        raise EOFError
    response: Response = _decoded(_RESPONSES, data)
    return response


def _decoded(decoder: msgspec.msgpack.Decoder[_Message], data: bytes) -> _Message:
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as error:
        raise ValueError("not a message") from error


def _read(stream: BinaryIO) -> bytes | None:
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    length = int.from_bytes(head, "little")
    if length > LARGEST_MESSAGE:
        raise ValueError(f"a message of {length} bytes")
    data = stream.read(length)
    return data if len(data) == length else None
