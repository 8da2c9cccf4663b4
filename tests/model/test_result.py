"""``Result``, by the scenarios of the tool-infrastructure specification (Result Pattern Implementation)."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, ValidationError

from toolnote_desktop.model.result import Result


def test_success_result_creation() -> None:
    result = Result.ok({"n": 1}, message="done", instruction="go on")
    assert result.success is True
    assert (result.value, result.message, result.instruction) == ({"n": 1}, "done", "go on")
    assert (result.error, result.error_type, result.exception) == (None, None, None)


def test_failure_result_creation() -> None:
    caught = ValueError("no good")
    result: Result[None] = Result.failure(
        "it failed", "invalid_note", exception=caught, message="sorry", instruction="do not try again"
    )
    assert result.success is False
    assert (result.error, result.error_type, result.exception) == ("it failed", "invalid_note", caught)
    assert (result.message, result.instruction) == ("sorry", "do not try again")


def test_json_of_a_success() -> None:
    assert json.loads(Result.ok([1, "é"]).to_json_str()) == {"success": True, "value": [1, "é"]}
    assert json.loads(Result.ok(None, message="m").to_json_str()) == {"success": True, "value": None, "message": "m"}


def test_json_serialization() -> None:
    result: Result[None] = Result.failure("it failed", "storage_failed", exception=OSError(28, "No space left"))
    wire = json.loads(result.to_json_str())
    assert wire == {
        "success": False,
        "error": "it failed",
        "error_type": "storage_failed",
        "exception_type": "OSError",
        "exception_message": "[Errno 28] No space left",
    }
    assert result.to_dict() == wire


def test_optional_fields_are_included_if_present() -> None:
    result: Result[None] = Result.failure("e", "t", exception=KeyError("k"), message="m", instruction="i")
    assert list(result.to_dict()) == [
        "success",
        "error",
        "error_type",
        "message",
        "instruction",
        "exception_type",
        "exception_message",
    ]


def test_instruction_field_for_agent_guidance() -> None:
    assert Result.ok(1, instruction="Ask the user.").to_dict() == {
        "success": True,
        "value": 1,
        "instruction": "Ask the user.",
    }


def test_a_model_as_value() -> None:
    class Value(BaseModel):
        number: int

    assert Result.ok(Value(number=3)).to_dict()["value"] == {"number": 3}
    assert json.loads(Result.ok([Value(number=3)]).to_json_str())["value"] == [{"number": 3}]


def test_a_result_is_frozen() -> None:
    result = Result.ok(1)
    with pytest.raises(ValidationError):
        result.success = False


def test_text_that_json_would_escape() -> None:
    assert Result.ok("• \ud800").to_json_str() == '{"success":true,"value":"• �"}'
