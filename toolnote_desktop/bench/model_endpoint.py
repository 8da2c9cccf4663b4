"""Model's endpoint: OpenAI's chat completions or Anthropic's messages, with bounded answers and patience.

Addresses are https, or http on this computer. A redirect is not followed: the key would go along.
"""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from toolnote_desktop.guidance.schema_subset import schema_subset
from toolnote_desktop.http_body import BodyTooLong, failure_text, read_body
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.secrets.url_checks import header_problem, url_problem
from toolnote_desktop.model.tools.dialect import Dialect

if TYPE_CHECKING:
    import httpx2

Api = Literal["openai", "anthropic"]

MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
"""Bytes of one answer of a model."""

MAX_RETRY_SECONDS: Final = 120.0
"""Longest wait that a 429 or 503 may ask for."""

MAX_RETRIES: Final = 5
"""Times that a request is repeated after a 429, 5xx or a broken connection."""

SECONDS: Final = 120.0
_CONNECT_SECONDS: Final = 10.0
_MOST_OUTPUT: Final = 8_192
"""Tokens of an answer, which Anthropic's API wants to be told; a model that thinks spends them on that first."""

_GIVEN_BACK: Final = ("reasoning_content", "reasoning_details")
"""Keys of a message that endpoints which send them want back with its calls: DeepSeek (api-docs.deepseek.com,
guides/thinking_mode) and OpenRouter (guides/best-practices/reasoning-tokens).
"""

NOT_RUN: Final = "Not run: this is a test of which tools you choose. Go on as if it had worked."
"""Result that a model is given for each call."""

_VERSION: Final = "2023-06-01"
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_CUT: Final = ("length", "content_filter", "error", "max_tokens", "model_context_window_exceeded", "refusal")
"""Reasons for which an answer ended before its model had said what it wanted."""
_REPEATED: Final = (408, 429, 500, 502, 503, 504, 529)
_STANDARD: Final = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}


class ModelCall(Struct, frozen=True):
    """Call of a tool that a model wants: its name as offered, and its arguments; None if they are no object."""

    name: str
    arguments: JsonObject | None
    id: str = ""


class Answer(Struct, frozen=True):
    """Answer of a model: its calls, in order, and the tokens that its endpoint counted.

    ``message`` is the answer as it is sent back, for the next step of the conversation. ``is_cut``: its endpoint ended
    it before the model had (at a limit of tokens), or refused it.
    """

    calls: tuple[ModelCall, ...]
    tokens_in: int = 0
    tokens_out: int = 0
    message: Any = None
    is_cut: bool = False


def standard_endpoint(api: Api) -> str:
    """Return the vendor's own endpoint."""
    return _STANDARD[api]


def check_endpoint(url: str) -> None:
    """Check that a key may be sent to an address.

    Raises:
        ToolnoteError: ``bench-endpoint``: it is neither https nor http on this computer.
    """
    try:
        reason = url_problem(url)
        parts = urlsplit(url)
        if reason is None and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            reason = "only https is allowed, or http on this computer"
        if reason is None and (parts.username or parts.password):
            reason = "the key belongs into the keychain, not into the address"
    except ValueError:
        reason = "it is no address"
    if reason is not None:
        raise ToolnoteError(Code.BENCH_ENDPOINT, reason=reason)


class ModelEndpoint:
    """Endpoint of one model. Its coroutines run in one thread; cancelling one closes its request."""

    def __init__(self, url: str, api: Api, model: str, key: str | None = None, *, seconds: float = SECONDS) -> None:
        check_endpoint(url)
        if key and header_problem("Authorization", key) is not None:
            raise ToolnoteError(Code.BENCH_ENDPOINT, reason="the key has a character that HTTP cannot carry")
        self._api, self._model, self._key, self._seconds = api, model, key, seconds
        path = "/chat/completions" if api == "openai" else "/messages"
        parts = urlsplit(url)
        base = parts.path.rstrip("/")
        self._url = parts._replace(path=base if base.endswith(path) else base + path, fragment="").geturl()
        self._client: httpx2.AsyncClient | None = None

    async def __aenter__(self) -> ModelEndpoint:
        self._client = await asyncio.to_thread(self._new_client)
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def answer(
        self, prompt: str, tools: list[JsonObject], system: str = "", before: Sequence[Answer] = ()
    ) -> Answer:
        """Return a model's next answer.

        Args:
            tools: definitions as clients are served them.
            before: its answers so far, each with calls: their results are ``NOT_RUN``.

        Raises:
            ToolnoteError: ``bench-endpoint``: no usable answer.
        """
        body = self._body(prompt, tools, system, before)
        for attempt in range(MAX_RETRIES + 1):
            status, data, wait = await self._post(body)
            if status == 200 and (status := _status_in(data)) == 200:
                return self._read(data)
            if attempt == MAX_RETRIES or status not in (0, *_REPEATED):
                raise _failed(self._reason(status, data))
            await asyncio.sleep(min(2.0**attempt if wait is None else wait, MAX_RETRY_SECONDS))
        raise AssertionError

    async def _post(self, body: bytes) -> tuple[int, bytes, float | None]:
        """Return status (0 without an answer), body, and the seconds that the endpoint asks to wait."""
        import httpx2

        assert self._client is not None
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._client.stream("POST", self._url, content=body, headers=self._headers()) as response,
            ):
                wait = retry_seconds(response.headers.get("retry-after"))
                return response.status_code, await read_body(response, MAX_ANSWER_BYTES), wait
        except BodyTooLong as error:
            raise _failed("its answer is too large") from error
        except (httpx2.TransportError, TimeoutError) as error:
            return 0, failure_text(error).encode(), None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise _failed("its answer cannot be understood") from error

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._api == "anthropic":
            headers["anthropic-version"] = _VERSION
            if self._key:
                headers["x-api-key"] = self._key
        elif self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return headers

    def _body(self, prompt: str, tools: list[JsonObject], system: str, before: Sequence[Answer]) -> bytes:
        messages: list[JsonObject] = [{"role": "user", "content": prompt}]
        body: JsonObject = {"model": self._model}
        if self._api == "anthropic":
            for answer in before:
                results = [{"type": "tool_result", "tool_use_id": one.id, "content": NOT_RUN} for one in answer.calls]
                messages += [{"role": "assistant", "content": answer.message}, {"role": "user", "content": results}]
            body |= {"max_tokens": _MOST_OUTPUT, "messages": messages, **({"system": system} if system else {})}
            offered = [
                {"name": one["name"], "description": one.get("description", ""), "input_schema": _schema(one)}
                for one in tools
            ]
        else:
            for answer in before:
                results = [{"role": "tool", "tool_call_id": one.id, "content": NOT_RUN} for one in answer.calls]
                messages += [answer.message, *results]
            body["messages"] = [*([{"role": "system", "content": system}] if system else []), *messages]
            offered = [
                {
                    "type": "function",
                    "function": {
                        "name": one["name"],
                        "description": one.get("description", ""),
                        "parameters": _schema(one),
                    },
                }
                for one in tools
            ]
        if offered:
            body["tools"] = offered
        return json_text.dumps(body)

    def _read(self, data: bytes) -> Answer:
        try:
            raw = json_text.loads(data)
            return _anthropic_answer(raw) if self._api == "anthropic" else _openai_answer(raw)
        except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError) as error:
            said = self._said(data)
            raise _failed(f"its answer cannot be understood{f': {said}' if said else ''}") from error

    def _reason(self, status: int, data: bytes) -> str:
        if status == 0:
            return data.decode()
        said = self._said(data)
        return f"it answers with status {status}{f': {said}' if said else ''}"

    def _said(self, data: bytes) -> str:
        """Return the words of an answer that is an error, without the key; "" if it has none."""
        try:
            raw = json_text.loads(data)
        except (ValueError, RecursionError):
            return ""
        if isinstance(raw, list) and raw:  # Gemini's
            raw = raw[0]
        error = (_error_in(raw) or raw) if isinstance(raw, dict) else None
        message = error.get("message", error.get("detail", "")) if isinstance(error, dict) else error
        if not message:
            return ""
        said = " ".join((message if isinstance(message, str) else json_text.dumps(message).decode()).split())
        return (said.replace(self._key, "…") if self._key else said)[:200]

    def _new_client(self) -> httpx2.AsyncClient:
        import httpx2

        from toolnote_desktop.system.network_proxy import environment_proxy, proxy_problem

        parts = urlsplit(self._url)
        # a proxy of the user's network cannot reach this computer, and would get the key in plain text
        has_proxy = parts.hostname not in _LOOPBACK
        if has_proxy and (reason := proxy_problem(self._url)) is not None:
            raise _failed(reason)
        proxy = environment_proxy(self._url) if has_proxy else None
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(self._seconds, connect=_CONNECT_SECONDS),
            # reading the certificates takes a third of a second, which http on this computer does not need
            verify=False if parts.scheme == "http" else httpx2.create_ssl_context(),
            proxy=proxy.url if proxy is not None else None,
            trust_env=False,
            follow_redirects=False,
        )


def retry_seconds(value: str | None) -> float | None:
    """Return the seconds of a ``Retry-After`` (RFC 9110, 10.2.3), a number or a date; None if there is none."""
    if not value:
        return None
    try:
        return max(float(value), 0.0) if value.strip()[:1].isdigit() else _until(value)
    except (ValueError, TypeError, OverflowError):
        return None


def _until(date: str) -> float:
    return max(email.utils.parsedate_to_datetime(date).timestamp() - time.time(), 0.0)


_VENDORS: Final = Dialect("", "", refused_at_top=("allOf", "anyOf", "oneOf"))


def _schema(tool: JsonObject) -> JsonObject:
    """Return a tool's schema as the vendors' APIs take it: for one that combines others at its top
    (makenotion/notion-mcp-server#340), or is without ``properties`` (openai/openai-agents-python#449), they refuse all.
    """
    schema = schema_subset(tool["inputSchema"], _VENDORS)[0]
    return schema if "properties" in schema else {**schema, "properties": {}}


def _error_in(raw: Any) -> Any:
    """Return the error of an answer, or of its choice (OpenRouter, api-reference/errors); None if it has none."""
    choices = raw.get("choices") if isinstance(raw, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    found = (one.get("error") for one in (raw, first) if isinstance(one, dict))
    return next(filter(None, found), None)


def _status_in(data: bytes) -> int:
    """Return the status of an answer with status 200: that of the error in it where the request is to be repeated."""
    try:
        error = _error_in(json_text.loads(data))
    except (ValueError, RecursionError):
        return 200
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and code in _REPEATED else 200


def _openai_answer(raw: Any) -> Answer:
    if _error_in(raw) is not None:
        raise ValueError("it has an error")
    message = raw["choices"][0]["message"]
    calls: list[ModelCall] = []
    sent_back: list[JsonObject] = []
    for one in message.get("tool_calls") or ():
        function = one["function"]
        given = function.get("arguments") or "{}"
        try:
            arguments = json_text.loads(given) if isinstance(given, str) else given
        except ValueError:
            arguments = None
        arguments = arguments if isinstance(arguments, dict) else None
        call = ModelCall(str(function["name"]), arguments, str(one.get("id", "")))
        calls.append(call)
        text = given if isinstance(given, str) else json_text.dumps(given).decode()
        if arguments is None:  # vLLM reads them, and refuses what is no JSON (entrypoints/chat_utils.py)
            text = "{}"
        # what else a call has goes back as it came: Gemini refuses one without its signature (in extra_content)
        others = {key: value for key, value in one.items() if key != "index"}
        sent = {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": text}}
        sent_back.append({**others, **sent})
    usage = _usage(raw)
    tokens = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    # other keys of a message are for the reader of an answer, and some endpoints refuse them in a request
    kept = {key: message[key] for key in _GIVEN_BACK if message.get(key) is not None}
    back = {"role": "assistant", "content": message.get("content"), **kept, "tool_calls": sent_back}
    return Answer(tuple(calls), *tokens, back, raw["choices"][0].get("finish_reason") in _CUT)


def _anthropic_answer(raw: Any) -> Answer:
    calls = []
    for block in raw["content"]:
        if block["type"] == "tool_use":
            arguments = block.get("input")
            arguments = arguments if isinstance(arguments, dict) else None
            calls.append(ModelCall(str(block["name"]), arguments, str(block.get("id", ""))))
    usage = _usage(raw)
    cached = sum(_count(usage.get(f"cache_{one}_input_tokens")) for one in ("creation", "read"))
    tokens = _count(usage.get("input_tokens")) + cached, _count(usage.get("output_tokens"))
    return Answer(tuple(calls), *tokens, raw["content"], raw.get("stop_reason") in _CUT)


def _usage(raw: JsonObject) -> JsonObject:
    usage = raw.get("usage")
    return usage if isinstance(usage, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _failed(reason: str) -> ToolnoteError:
    return ToolnoteError(Code.BENCH_ENDPOINT, reason=reason)
