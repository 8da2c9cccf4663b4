"""``Result``: return value of all built-in tools (docs/requirements.md 4.1)."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

Value = TypeVar("Value")


class Result(BaseModel, Generic[Value]):
    """Success with a value, or failure with an error; ``instruction`` guides the agent, ``message`` is for the user.

    Created by :meth:`ok` or :meth:`failure`.
    """

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, defer_build=True)

    success: bool
    value: Value | None = None
    error: str | None = None
    error_type: str | None = None
    exception: Exception | None = None
    message: str | None = None
    instruction: str | None = None

    @classmethod
    def ok(cls, value: Value, *, message: str | None = None, instruction: str | None = None) -> Result[Value]:
        """Create a success."""
        return cls(success=True, value=value, message=message, instruction=instruction)

    @classmethod
    def failure(
        cls,
        error: str,
        error_type: str,
        *,
        exception: Exception | None = None,
        message: str | None = None,
        instruction: str | None = None,
    ) -> Result[Value]:
        """Create a failure; ``error_type`` is one of those in docs/contract.md 7."""
        return cls(
            success=False,
            error=error,
            error_type=error_type,
            exception=exception,
            message=message,
            instruction=instruction,
        )

    def to_dict(self) -> JsonObject:
        """Return the wire format: optional fields only if set, the exception as type and message; U+FFFD for lone
        surrogates.
        """
        wire: JsonObject = {"success": self.success}
        if self.success:
            wire["value"] = _plain(self.value)
        optional: dict[str, Any] = {
            "error": self.error,
            "error_type": self.error_type,
            "message": self.message,
            "instruction": self.instruction,
        }
        if self.exception is not None:
            optional["exception_type"] = type(self.exception).__name__
            optional["exception_message"] = str(self.exception)
        wire.update((key, _plain(value)) for key, value in optional.items() if value is not None)
        return wire

    def to_json_str(self) -> str:
        """Return the wire format as a JSON string, for the text of an MCP response."""
        return json_text.dumps(self.to_dict()).decode("utf-8")


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return json_text.without_surrogates(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
