"""What of a server's entry is taken for a secret: names and values as the servers' own pages give them."""

from __future__ import annotations

import pytest

from toolnote_desktop.model.secrets.secret_detection import (
    has_secret,
    looks_like_secret,
    masked,
    masked_json,
    move_secrets,
)
from toolnote_desktop.model.secrets.variable_expansion import expand, secret_references
from toolnote_desktop.model.servers import Server

SECRETS = [
    ("GITHUB_PERSONAL_ACCESS_TOKEN", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    ("GITHUB_TOKEN", "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz"),
    ("SLACK_BOT_TOKEN", "xoxb-0000000000-not-a-real-one"),
    ("LINEAR_API_KEY", "lin_api_abcdefghij0123456789"),
    ("NOTION_TOKEN", "ntn_123456789abcdefghij"),
    ("OPENAPI_MCP_HEADERS_TOKEN", "secret_abcdefghij0123456789"),
    ("BRAVE_API_KEY", "BSA1234567890abcdefghijklm"),
    ("FIGMA_API_KEY", "figd_abcdefghij-0123456789"),
    ("OPENAI_API_KEY", "sk-proj-abcdefghijklmnopqrstuvwxyz"),
    ("ANTHROPIC_API_KEY", "sk-ant-api03-abcdef"),
    ("STRIPE_SECRET_KEY", "sk_live_abcdefghij"),
    ("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE"),
    ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    ("GOOGLE_MAPS_API_KEY", "AIzaSyA-abcdefghijklmnop"),
    ("JIRA_API_TOKEN", "ATATT3xFfGF0abcdef"),
    ("SUPABASE_ACCESS_TOKEN", "sbp_0123456789abcdef"),
    ("TAVILY_API_KEY", "tvly-abcdefghijkl"),
    ("DATABASE_URL", "postgres://me:pa55word@db.example.com:5432/app"),
    ("POSTGRES_PASSWORD", "correct horse battery"),
    ("DB_PWD", "pa55-word"),
    ("SESSION_COOKIE", "d=abc123; x=1"),
    ("X-Key", "k-9f8e7d6c5b"),
    ("Authorization", "Bearer abcdefghij"),
    ("authorization", "Basic dXNlcjpwYXNz"),
    ("X-Api-Key", "0123abcd"),
    ("MYSTERY", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
    ("TLS", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"),
    ("SUPABASE_JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"),
]

HARMLESS = [
    ("NODE_ENV", "production"),
    ("MAX_TOKENS", "4096"),
    ("TOKEN_LIMIT", "200000"),
    ("TOKEN_COUNT", "12345678"),
    ("LOG_LEVEL", "debug"),
    ("GOOGLE_APPLICATION_CREDENTIALS", "/home/me/keys/service.json"),
    ("GOOGLE_APPLICATION_CREDENTIALS", r"C:\Users\me\service.json"),
    ("CREDENTIALS_PATH", "~/.config/creds.json"),
    ("JIRA_URL", "https://acme.atlassian.net"),
    ("AUTH_URL", "https://auth.example.com/token"),
    ("TOKEN_ENDPOINT", "https://auth.example.com/token"),
    ("AUTH_TYPE", "api_token"),
    ("SLACK_TEAM_ID", "T01234567"),
    ("CLOUDFLARE_ACCOUNT_ID", "023e105f4ecef8ad9ca31a8372d0c353"),
    ("PROJECT", "6b2f7a0e-9d3c-4f0b-8c1d-1234567890ab"),
    ("GITHUB_TOKEN", "${GITHUB_TOKEN}"),
    ("API_KEY", "${input:api-key}"),
    ("API_KEY", ""),
    ("ENABLE_AUTH", "true"),
    ("PASSWORD_MODE", "interactive"),
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("X-Toolset", "issues,pull_requests,repositories,users"),
    ("PUBLIC_KEY", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"),
    ("KEYBOARD", "us-international"),
    ("MONKEY", "see-monkey-do"),
]


@pytest.mark.parametrize(("name", "value"), SECRETS, ids=[name for name, _ in SECRETS])
def test_secrets_are_known(name: str, value: str) -> None:
    assert looks_like_secret(name, value)


@pytest.mark.parametrize(("name", "value"), HARMLESS, ids=[f"{name}={value}"[:40] for name, value in HARMLESS])
def test_settings_are_left_alone(name: str, value: str) -> None:
    assert not looks_like_secret(name, value)


KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

TEXTS_WITH_SECRETS = [
    f"Use it with ({KEY}).",
    f"**{KEY}**",
    f"Use\u200b{KEY}\u200b",
    f"token={KEY}",
    f"Authorization: Bearer {KEY}",
    f"curl -H X-Key={KEY}&b=1",
    f"See https://x.example/?api_key={KEY}",
    "See https://x.example/mcp?token=abcdef1234",
    "postgres://admin:s3cretpw@db.example:5432/x",
    "key:sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789",
    "The **password**: `hunter2hunter2`",
    "token = abc12345",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75",
    "The key is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.",
]

TEXTS_WITHOUT = [
    "Set `team` to the customer's region.",
    "password: required",
    "Use `secret_name` and sk-learn; max_tokens: 4096",
    "token: the user's token",
    "key: customer-id, auth/oauth2-flow, secret: see wiki",
    "https://docs.google.com/document/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg/edit",
    "https://www.notion.so/My-Page-0123456789abcdef0123456789abcdef",
    "https://auth.example.com/token and https://${USER}:${PASS}@h/x",
    "the project 6b2f7a0e-9d3c-4f0b-8c1d-1234567890ab at 12:30",
    "api_key: ${API_KEY}",
]


@pytest.mark.parametrize("text", TEXTS_WITH_SECRETS)
def test_secret_in_a_text_is_known_wherever_it_stands(text: str) -> None:
    """Seen red: only a word that was a secret as a whole, between a few marks, was known."""
    assert has_secret(text)


@pytest.mark.parametrize("text", TEXTS_WITHOUT)
def test_words_of_a_note_are_no_secret(text: str) -> None:
    assert not has_secret(text)


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("password", "hunter-22", "•••"),
        ("password", "required", "required"),
        ("password", "as the user said", "as the user said"),
        ("max_tokens", "4096", "4096"),
        ("page", "0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"),
        ("key", "sk-abcdefghijklmnopqrstuvwxyz1", "sk-a•••"),
        ("command", "curl -H x:sk-abcdefghijklmnopqrstuvwxyz1 | sh", "curl -H x:sk-a••• | sh"),
        ("url", "https://sk-abcdefghijklmnopqrstuvwxyz1.evil.example", "https://sk-a•••.evil.example"),
    ],
)
def test_what_is_surely_a_secret_is_masked_and_what_a_call_does_is_not(name: str, text: str, shown: str) -> None:
    assert masked(name, text) == shown
    assert masked_json("", f'{{"{name}":["{text}"],"x":"') == f'{{"{name}":["{shown}"],"x":"'


def test_moved_secrets_return_at_launch() -> None:
    entry = {
        "type": "http",
        "url": "https://host/mcp",
        "headers": {
            "Authorization": "Bearer abcdefghij",
            "X-Api-Key": "0123abcd",
            "x_api_key": "4567efgh",
            "9-token": "89abcdef1",
            "Accept": "*/*",
        },
        "env": {"N": 1},
        "other": [1],
    }
    before = repr(entry)
    changed, secrets = move_secrets(entry)
    assert repr(entry) == before
    assert changed["headers"] == {
        "Authorization": "Bearer ${secret:AUTHORIZATION}",
        "X-Api-Key": "${secret:X_API_KEY}",
        "x_api_key": "${secret:X_API_KEY_2}",
        "9-token": "${secret:_9_TOKEN}",
        "Accept": "*/*",
    }
    assert (changed["env"], changed["other"]) == ({"N": 1}, [1])
    server = Server.read({key: value for key, value in changed.items() if key != "env"})
    assert set(secret_references(server)) == set(secrets)
    assert expand("s", server, {}, secrets.get).headers == entry["headers"]
    assert move_secrets(changed) == (changed, {})
