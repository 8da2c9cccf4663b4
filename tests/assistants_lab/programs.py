"""Assistants of the lab: how each is told of the scripted model and run once, without a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.assistants_lab.scripted_model import MODEL

KEY = "made-up-key"


class Program(NamedTuple):
    """Assistant on the command line.

    Attributes:
        id: in ``assistants.registry``.
        package: of packaging/assistants/package.json.
        script: name of its command.
        arguments: with ``{prompt}`` for the prompt.
        settings: writes its files into the person's folder; called after Toolnote was installed. Parameters: folder,
            the model's address.
        variables: of its environment, with ``{url}`` for the model's address.
        sign_in: arguments of a command before the first run, with ``{url}``.
    """

    id: str
    package: str
    script: str
    arguments: tuple[str, ...]
    settings: Callable[[Path, str], None]
    variables: dict[str, str]
    sign_in: tuple[str, ...] = ()


def _nothing(folder: Path, url: str) -> None:
    del folder, url


def _merge(file: Path, more: dict[str, object]) -> None:
    held = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**held, **more}), encoding="utf-8")


def _codex(folder: Path, url: str) -> None:
    file = folder / ".codex" / "config.toml"
    provider = (
        f'[model_providers.lab]\nname = "lab"\nbase_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "LAB_KEY"\n'
    )
    held = file.read_text(encoding="utf-8") if file.exists() else ""
    file.write_text(f'model = "{MODEL}"\nmodel_provider = "lab"\n{held}\n{provider}', encoding="utf-8")


def _gemini(folder: Path, url: str) -> None:
    del url
    _merge(folder / ".gemini" / "settings.json", {"security": {"auth": {"selectedType": "gemini-api-key"}}})


def _opencode(folder: Path, url: str) -> None:
    model = {"name": MODEL, "tool_call": True, "limit": {"context": 400_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "lab",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {MODEL: model},
    }
    more = {"provider": {"lab": provider}, "model": f"lab/{MODEL}", "small_model": f"lab/{MODEL}", "autoupdate": False}
    _merge(folder / ".config" / "opencode" / "opencode.json", more)


def _continue(folder: Path, url: str) -> None:
    file = folder / ".continue" / "config.yaml"
    model = (
        f"models:\n  - name: lab\n    provider: openai\n    model: {MODEL}\n    apiBase: {url}/v1\n    apiKey: {KEY}\n"
    )
    roles = "    roles:\n      - chat\n    capabilities:\n      - tool_use\n"
    file.write_text(f"{file.read_text(encoding='utf-8').rstrip()}\n{model}{roles}", encoding="utf-8")


_OPENAI = {"OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL}

PROGRAMS = (
    Program(
        "claude-code",
        "@anthropic-ai/claude-code",
        "claude",
        ("-p", "{prompt}", "--allowedTools", "mcp__toolnote"),
        _nothing,
        {
            "ANTHROPIC_BASE_URL": "{url}",
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
    Program(
        "codex",
        "@openai/codex",
        "codex",
        ("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "{prompt}"),
        _codex,
        {"LAB_KEY": KEY},
    ),
    Program(
        "gemini-cli",
        "@google/gemini-cli",
        "gemini",
        ("-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", "{prompt}"),
        _gemini,
        {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
    ),
    Program("opencode", "opencode-ai", "opencode", ("run", "{prompt}"), _opencode, {}),
    Program(
        "copilot-cli",
        "@github/copilot",
        "copilot",
        ("-p", "{prompt}", "--allow-all-tools", "--no-color"),
        _nothing,
        {
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "COPILOT_PROVIDER_API_KEY": KEY,
            "COPILOT_MODEL": MODEL,
            "COPILOT_AUTO_UPDATE": "false",
        },
    ),
    Program(
        "continue",
        "@continuedev/cli",
        "cn",
        ("-p", "--auto", "--config", "{folder}/.continue/config.yaml", "{prompt}"),
        _continue,
        {"CONTINUE_TELEMETRY_ENABLED": "0"},
    ),
    Program(
        "cline",
        "cline",
        "cline",
        ("-P", "openai-compatible", "-m", MODEL, "--auto-approve", "true", "{prompt}"),
        _nothing,
        {},
        ("auth", "-p", "openai-compatible", "-k", KEY, "-m", MODEL, "-b", "{url}/v1"),
    ),
    Program(
        "qwen-code",
        "@qwen-code/qwen-code",
        "qwen",
        ("--auth-type", "openai", "-y", "-p", "{prompt}"),
        _nothing,
        _OPENAI,
    ),
)
