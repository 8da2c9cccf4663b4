"""Words of labels that speak for the system, an administrator or the user, in small letters."""

from __future__ import annotations

from typing import Final

WHOSE: Final = (
    "admin", "administrat", "anbieter", "anthropic", "anwender", "benutzer", "betreiber", "compliance", "customer",
    "desarrollador", "developer", "développeur", "entwickl", "kunde", "maintainer", "moderator", "nutzer", "openai",
    "operator", "owner", "person", "platform", "propietari", "propriétaire", "sistema", "supervisor", "system",
    "systeme", "système", "user", "usuari", "utilisateur", "verwalt", "workspace",
)  # fmt: skip
WHAT: Final = (
    "agreement", "announcement", "anweisung", "consigne", "directiv", "directive", "guideline", "hinweis",
    "instruccion", "instruct", "memo", "mensaje", "message", "nachricht", "nota", "note", "notes", "notice",
    "notiz", "order", "override", "polic", "preference", "preferencia", "prompt", "préférence", "regel", "regla",
    "remark", "remarque", "reminder", "requirement", "richtlinie", "rule", "règle", "vorgabe", "wishes", "wünsche",
)  # fmt: skip
READERS: Final = (
    "agent", "asistent", "assistant", "chatgpt", "claude", "copilot", "gpt", "ki-", "llm", "model", "modell",
    "modèle",
)  # fmt: skip
ALONE: Final = frozenset(
    ("system", "developer", "operator", "supervisor", "administrator", "admin", "système", "sistema")
)
RULES: Final = frozenset(
    (
        "agent configuration",
        "assistant configuration",
        "available tools (updated)",
        "conversation so far",
        "house rules",
        "reglas de seguridad",
        "règles de sécurité",
        "security rules",
        "sicherheitsregeln",
        "working agreement",
        "hausregeln",
        "consignes générales",
        "instrucciones generales",
        "standing orders",
    )
)
