"""The base of values that hold secrets."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class SecretStruct(Struct, frozen=True):
    """A frozen value that may be shown to those who look for a fault: its secrets are not in what it says of itself."""

    secret_fields: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        shown = (name for name in self.__struct_fields__ if name not in self.secret_fields)
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
