"""Base class of values that contain secrets."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class SecretStruct(Struct, frozen=True):
    """Frozen struct whose ``secret_fields`` are omitted from ``repr()``."""

    secret_fields: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        shown = (name for name in self.__struct_fields__ if name not in self.secret_fields)
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
