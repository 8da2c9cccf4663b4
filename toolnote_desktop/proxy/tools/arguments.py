"""``ToolArguments``: base of built-in tools' arguments, and registry of declared tools (docs/requirements.md 4)."""

from __future__ import annotations

import inspect
import json
import threading
import types
from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

from toolnote_desktop.model.json_text import JsonObject

Declared = TypeVar("Declared", bound=Callable[..., Any])


class ToolArguments(BaseModel):
    """Base of a tool's arguments. Unknown arguments are refused, assignments validated.

    Subclasses set ``input_schema`` to the JSON Schema that clients are served.
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True, defer_build=True)

    input_schema: ClassVar[JsonObject] = {"type": "object", "properties": {}, "additionalProperties": False}

    prefix: ClassVar[str | None] = None
    """Prefix of this tool's name in place of the usual one; "" for none (docs/requirements.md 4.9)."""

    _declared: ClassVar[dict[str, Callable[..., Any]]] = {}
    _declared_lock: ClassVar[threading.Lock] = threading.Lock()

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        """Leave out optional arguments that are ``null``, which count as absent (docs/contract.md 7)."""
        if not isinstance(given, dict) or None not in given.values():
            return given
        optional = {field.alias or name for name, field in cls.model_fields.items() if not field.is_required()}
        return {key: value for key, value in given.items() if value is not None or key not in optional}

    @classmethod
    def declare(cls, function: Declared) -> Declared:
        """Register a function as a tool (decorator), and return it unchanged."""
        with cls._declared_lock:
            cls._declared[tool_name(function)] = function
        return function

    @classmethod
    def get_declared_tools(cls) -> dict[str, Callable[..., Any]]:
        """Return the tools declared since the last call by name, and clear them, so that none is registered twice.

        Guarded by a thread lock (docs/requirements.md 4.7), because modules are imported outside of any loop.
        """
        with cls._declared_lock:
            declared = dict(cls._declared)
            cls._declared.clear()
        return declared

    @classmethod
    def to_schema_markdown(cls) -> str:
        """Return the arguments as a Markdown list: name, type, required or optional, description."""
        lines = []
        for name, field in cls.model_fields.items():
            kind = _type_text(field.annotation)
            need = "required" if field.is_required() else "optional"
            text = f": {field.description}" if field.description else ""
            lines.append(f"- `{field.alias or name}` ({kind}, {need}){text}{_default_text(field)}")
        return "\n".join(lines)

    @classmethod
    def build_tool_description(cls, function: Callable[..., Any]) -> str:
        """Return the description for clients: the function's docstring, followed by the arguments."""
        text = inspect.cleandoc(function.__doc__ or "")
        arguments = cls.to_schema_markdown()
        return f"{text}\n\n**Arguments:**\n{arguments}".strip() if arguments else text


def tool_name(function: Callable[..., Any]) -> str:
    """Return a tool's name without prefix: that of its function, with hyphens."""
    return function.__name__.replace("_", "-")


def arguments_of(function: Callable[..., Any]) -> type[ToolArguments]:
    """Return the ``ToolArguments`` class of a tool's first parameter."""
    first = next(iter(inspect.signature(function).parameters))
    alone = types.SimpleNamespace(__annotations__={first: function.__annotations__[first]})
    hint = get_type_hints(alone, function.__globals__)[first]  # of all, `Result[…]` would be built, and take 1.5 MB
    if not (isinstance(hint, type) and issubclass(hint, ToolArguments)):
        raise TypeError(f"the first parameter of {function.__name__} is not a ToolArguments")
    return hint


def _default_text(field: FieldInfo) -> str:
    if field.is_required() or field.default is None or field.default_factory is not None:
        return ""
    return f" (default: {json.dumps(field.default, default=str)})"


def _type_text(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(json.dumps(argument) for argument in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(_type_text(argument) for argument in arguments if argument is not types.NoneType)
    if origin in (list, tuple):
        return f"array of {_type_text(arguments[0])}"
    if origin is dict or (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        return "object"
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return names.get(annotation, getattr(annotation, "__name__", str(annotation)))


def first_invalid_argument(error: ValidationError) -> str:
    """Return the error of the first invalid argument, with its name but not its value, which may be a secret."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    text = first["msg"].removeprefix("Value error, ")  # pydantic's prefix for errors of our validators
    if first["type"] == "model_type":
        text = "Input should be an object"  # pydantic would name the Python class
    return f"{field}: {text}" if field else text
