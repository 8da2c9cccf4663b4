"""JSON Schemas in docs/schemas/: up to date, and true of what is sent and imported."""

from __future__ import annotations

from typing import Any

import pytest
import schemas
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from toolnote_desktop.model.result import Result


def test_schemas_are_what_their_command_writes() -> None:
    assert schemas.outdated() == [], "run python packaging/schemas.py"


def test_schemas_are_valid() -> None:
    for schema in schemas.schemas().values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    "result",
    [
        Result.ok({"a": [1]}, message="m", instruction="i"),
        Result.ok(None),
        Result.failure("e", "not_found", exception=ValueError("x"), message="m", instruction="i"),
    ],
)
def test_result_schema_holds_for_results(result: Result[Any]) -> None:
    Draft202012Validator(schemas.RESULT).validate(result.to_dict())


@pytest.mark.parametrize("raw", [{"success": True}, {"success": False, "value": 1}, {}])
def test_result_schema_refuses_others(raw: dict[str, Any]) -> None:
    assert not Draft202012Validator(schemas.RESULT).is_valid(raw)
