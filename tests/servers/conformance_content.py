"""Content that the conformance suite asks of a server: tools, prompts and resources, by the names that the suite uses.

A tool that needs something of its client says so with ``Questions``, whatever the era: ``conformance_server.py`` makes
results of the modern era of them, and requests in the handshake era.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="

_KEY = b"a key that only this server has"


@dataclass(frozen=True)
class Refusal(Exception):  # noqa: N818
    """A JSON-RPC error."""

    code: int
    message: str
    data: Any = None


@dataclass(frozen=True)
class Questions:
    """Questions before a result: key -> request. ``state`` comes back with the answers."""

    requests: Mapping[str, Json]
    state: str | None = None


@dataclass(frozen=True)
class Asked:
    """Answer a call. ``answers`` are the results of the questions asked so far; ``state`` is what they came with."""

    arguments: Json
    capabilities: Json
    answers: Json
    state: str | None
    modern: bool


def text(value: str) -> Json:
    """A text as content."""
    return {"type": "text", "text": value}


def result(*content: Json, **more: Any) -> Json:
    """A tool's result."""
    return {"content": list(content), **more}


def form(message: str, properties: Json, *, optional: bool = False) -> Json:
    """A question to the user."""
    schema: Json = {"type": "object", "properties": properties}
    if not optional:
        schema["required"] = list(properties)
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sampling(prompt: str, most: int = 100) -> Json:
    """A question to the model."""
    messages = [{"role": "user", "content": text(prompt)}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": most}}


ROOTS: Json = {"method": "roots/list", "params": {}}


def signed(state: str) -> str:
    """Return a state that no other program can make."""
    return f"{state}.{hmac.new(_KEY, state.encode(), hashlib.sha256).hexdigest()}"


def verified(state: str | None) -> str:
    """The state that was signed; "" before the first question."""
    if state is None:
        return ""
    plain, _, _ = state.rpartition(".")
    if not hmac.compare_digest(signed(plain), state):
        raise Refusal(-32602, "requestState was tampered with")
    return plain


STRING: Json = {"type": "string"}
_PERSON: Json = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}
_DEFAULTS: Json = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}


def _titled(kind: str) -> list[Json]:
    ordinals = ("First", "Second", "Third")
    return [{"const": f"value{n}", "title": f"{ordinal} {kind}"} for n, ordinal in enumerate(ordinals, 1)]


_OPTIONS = ["option1", "option2", "option3"]
_ENUMS: Json = {
    "untitledSingle": {"type": "string", "enum": _OPTIONS},
    "titledSingle": {"type": "string", "oneOf": _titled("Option")},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": _titled("Choice")}},
}


def resource(uri: str, mime_type: str, value: str) -> Json:
    """An embedded resource as content."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": value}}


def _accepted(label: str, answer: Json) -> Json:
    return result(text(f"{label}action={answer.get('action')}, content={json.dumps(answer.get('content', {}))}"))


def _asking(key: str, question: Callable[[Json], Json], done: Callable[[Json], Json]) -> Callable[[Asked], Any]:
    def tool(asked: Asked) -> Any:
        answer = asked.answers.get(key)
        if not isinstance(answer, dict):
            return Questions({key: question(asked.arguments)})
        return done(answer)

    return tool


def _request_state(asked: Asked) -> Any:
    if verified(asked.state) != "asked" or "confirm" not in asked.answers:
        return Questions({"confirm": form("Please confirm", {"ok": {"type": "boolean"}})}, signed("asked"))
    return result(text("state-ok"))


def _multiple_inputs(asked: Asked) -> Any:
    questions = {
        "user_name": form("What is your name?", {"name": STRING}),
        "greeting": sampling("Generate a greeting", 50),
        "client_roots": ROOTS,
    }
    if verified(asked.state) == "asked" and questions.keys() <= asked.answers.keys():
        return result(text("Everything was answered"))
    return Questions(questions, signed("asked"))


def _multi_round(asked: Asked) -> Any:
    state = verified(asked.state)
    if state == "one" and "step1" in asked.answers:
        return Questions({"step2": form("Step 2: What is your favorite color?", {"color": STRING})}, signed("two"))
    if state == "two" and "step2" in asked.answers:
        return result(text("Both rounds are done"))
    return Questions({"step1": form("Step 1: What is your name?", {"name": STRING})}, signed("one"))


def _by_capability(asked: Asked) -> Any:
    possible = {"sampling": sampling("Hello?"), "elicitation": form("What is your name?", {"name": STRING})}
    questions = {name: question for name, question in possible.items() if name in asked.capabilities}
    return result(text("done")) if asked.answers or not questions else Questions(questions)


def _needs_sampling(asked: Asked) -> Any:
    if asked.modern and "sampling" not in asked.capabilities:
        missing: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise Refusal(-32021, "Missing required client capability: sampling", missing)
    return result(text("The client can sample"))


def _says(*content: Json, **more: Any) -> Callable[[Asked], Any]:
    return lambda asked: result(*content, **more)


def _hello(answer: Json) -> Json:
    return result(text(f"Hello, {(answer.get('content') or {}).get('name')}!"))


def _named(asked: Asked) -> Any:
    answer = asked.answers.get("user_name")
    if not isinstance(answer, dict) or not isinstance((answer.get("content") or {}).get("name"), str):
        return Questions({"user_name": form("What is your name?", {"name": STRING})})
    return _hello(answer)


def _sampled(answer: Json) -> Json:
    return result(text(f"LLM response: {(answer.get('content') or {}).get('text')}"))


def _rooted(answer: Json) -> Json:
    return result(text("Roots: " + ", ".join(root["uri"] for root in answer.get("roots", []))))


TOOLS: dict[str, Callable[[Asked], Any]] = {
    "test_simple_text": _says(text("This is a simple text response for testing.")),
    "test_image_content": _says({"type": "image", "data": PNG, "mimeType": "image/png"}),
    "test_audio_content": _says({"type": "audio", "data": WAV, "mimeType": "audio/wav"}),
    "test_embedded_resource": _says(
        resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": _says(
        text("Multiple content types test:"),
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
    "test_error_handling": _says(text("This tool intentionally returns an error for testing"), isError=True),
    "test_sampling": _asking("sampling", lambda arguments: sampling(str(arguments.get("prompt"))), _sampled),
    "test_elicitation": _asking(
        "person",
        lambda arguments: form(str(arguments.get("message")), _PERSON),
        lambda answer: _accepted("User response: ", answer),
    ),
    "test_elicitation_sep1034_defaults": _asking(
        "defaults",
        lambda _: form("Please look at the defaults", _DEFAULTS, optional=True),
        lambda answer: _accepted("Elicitation completed: ", answer),
    ),
    "test_elicitation_sep1330_enums": _asking(
        "enums",
        lambda _: form("Please choose", _ENUMS, optional=True),
        lambda answer: _accepted("Elicitation completed: ", answer),
    ),
    "test_streaming_elicitation": _named,
    "test_missing_capability": _needs_sampling,
    "test_input_required_result_elicitation": _named,
    "test_input_required_result_sampling": _asking(
        "capital_question", lambda _: sampling("What is the capital of France?"), _sampled
    ),
    "test_input_required_result_list_roots": _asking("client_roots", lambda _: ROOTS, _rooted),
    "test_input_required_result_request_state": _request_state,
    "test_input_required_result_multiple_inputs": _multiple_inputs,
    "test_input_required_result_multi_round": _multi_round,
    "test_input_required_result_tampered_state": _request_state,
    "test_input_required_result_capabilities": _by_capability,
    "json_schema_2020_12_tool": lambda asked: result(text(json.dumps(asked.arguments))),
    "test_custom_headers": lambda asked: result(text(json.dumps(asked.arguments))),
}
"""The tools that say nothing before their result; those that do are in ``conformance_server.py``."""

_EMPTY: Json = {"type": "object", "properties": {}}
_ADDRESS: Json = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": STRING, "city": STRING},
}
SCHEMAS: dict[str, Json] = {
    "test_sampling": {"type": "object", "properties": {"prompt": STRING}, "required": ["prompt"]},
    "test_elicitation": {"type": "object", "properties": {"message": STRING}, "required": ["message"]},
    "test_custom_headers": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
    },
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": _ADDRESS},
        "properties": {
            "name": STRING,
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": STRING,
            "email": STRING,
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
}


def tool_definition(name: str) -> Json:
    """Return the entry of a tool in ``tools/list``."""
    return {"name": name, "description": f"Conformance: {name}.", "inputSchema": SCHEMAS.get(name, _EMPTY)}


def _argument(name: str, description: str) -> Json:
    return {"name": name, "description": description, "required": True}


PROMPTS: list[Json] = [
    {"name": "test_simple_prompt", "description": "A text."},
    {
        "name": "test_prompt_with_arguments",
        "description": "Two arguments.",
        "arguments": [_argument("arg1", "First test argument"), _argument("arg2", "Second test argument")],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "A resource in it.",
        "arguments": [_argument("resourceUri", "URI of the resource to embed")],
    },
    {"name": "test_prompt_with_image", "description": "An image."},
    {"name": "test_input_required_result_prompt", "description": "Asks the user first."},
]


def prompt(name: str, asked: Asked) -> Any:
    """The result of ``prompts/get``, or ``Questions``."""
    arguments = asked.arguments
    match name:
        case "test_simple_prompt":
            content = [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            content = [text("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'".format(**arguments))]
        case "test_prompt_with_embedded_resource":
            embedded = resource(arguments["resourceUri"], "text/plain", "Embedded resource content for testing.")
            content = [embedded, text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            image = {"type": "image", "data": PNG, "mimeType": "image/png"}
            content = [image, text("Please analyze the image above.")]
        case "test_input_required_result_prompt":
            answer = asked.answers.get("user_context")
            if not isinstance(answer, dict):
                return Questions({"user_context": form("What context should the prompt use?", {"context": STRING})})
            content = [text(f"Context: {answer.get('content')}")]
        case _:
            raise Refusal(-32602, f"Unknown prompt: {name}")
    return {"messages": [{"role": "user", "content": part} for part in content]}


RESOURCES: list[Json] = [
    {"uri": "test://static-text", "name": "text", "description": "A text.", "mimeType": "text/plain"},
    {"uri": "test://static-binary", "name": "binary", "description": "An image.", "mimeType": "image/png"},
    {"uri": "test://watched-resource", "name": "watched", "description": "It changes.", "mimeType": "text/plain"},
]
TEMPLATES: list[Json] = [
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "Anything.",
        "mimeType": "application/json",
    }
]


def read(uri: str) -> Json:
    """The result of ``resources/read``."""
    content: Json = {"uri": uri, "mimeType": "text/plain"}
    if uri == "test://static-text":
        content["text"] = "This is the content of the static text resource."
    elif uri == "test://static-binary":
        content |= {"mimeType": "image/png", "blob": PNG}
    elif uri == "test://watched-resource":
        content["text"] = "Nothing has happened yet."
    elif uri.startswith("test://template/") and uri.endswith("/data"):
        name = uri.removeprefix("test://template/").removesuffix("/data")
        data = {"id": name, "templateTest": True, "data": f"Data for ID: {name}"}
        content |= {"mimeType": "application/json", "text": json.dumps(data)}
    else:
        raise Refusal(-32602, "Resource not found", {"uri": uri})
    return {"contents": [content]}
