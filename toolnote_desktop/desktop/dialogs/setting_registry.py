"""Registry of the preferences in ``settings.json``: title, description and choices.

Names, types, defaults and bounds are those of ``model.settings``; the settings page is made of this list.
"""

from __future__ import annotations

import types
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from toolnote_desktop.desktop.messages import QT_TRANSLATE_NOOP, translate
from toolnote_desktop.desktop.shell.close_policy import MINIMISE, QUIT, SETTING
from toolnote_desktop.desktop.shell.languages import SYSTEM
from toolnote_desktop.model.edits import ABSENT
from toolnote_desktop.model.settings import Settings

_CONTEXT: Final = "settings"


class SettingsPage(StrEnum):
    """Page of the settings dialog."""

    GENERAL = "general"
    ASSISTANTS = "assistants"


class Setting(Struct, frozen=True, dict=True):
    """Preference of ``settings.json``.

    Attributes:
        key: in ``settings.json``.
        title, sentence: title and description, to be translated.
        choices: (value, text to be translated) of each; empty where anything of its type may be written.
        empty: what an empty field means.
        unit: seconds in the unit that the user sees.
    """

    key: str
    page: SettingsPage
    title: str
    sentence: str
    choices: tuple[tuple[Any, str], ...] = ()
    empty: str = ""
    unit: float = 1.0

    @cached_property
    def field(self) -> FieldInfo | None:
        """The model's field; None for a setting of the window only."""
        return next((one for one in fields(Settings) if one.encode_name == self.key), None)

    @property
    def default(self) -> Any:
        """Default value."""
        return self.field.default if self.field is not None else ABSENT

    @property
    def kind(self) -> type:
        """``bool``, ``int``, ``float`` or ``str``."""
        kind = self._annotation
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        return kind if isinstance(kind, type) else str

    @property
    def bounds(self) -> tuple[int, int]:
        """Minimum and maximum of a number."""
        rules = get_args(self._annotation)[1:] if get_origin(self._annotation) is Annotated else ()
        least = next((int(one.ge) for one in rules if one.ge is not None), 0)
        most = next((int(one.le) for one in rules if one.le is not None), 10_000_000)
        return least, most

    @property
    def _annotation(self) -> Any:
        """The model's type, without the ``None`` of an optional field."""
        annotation = self.field.type if self.field is not None else str
        if get_origin(annotation) in (Union, types.UnionType):
            return next(one for one in get_args(annotation) if one is not types.NoneType)
        return annotation

    def value(self, settings: Settings) -> Any:
        """Return the current value."""
        if self.field is None:
            return settings.extra.get(self.key, self.default)
        return getattr(settings, self.field.name)

    def texts(self) -> tuple[str, str]:
        """Return title and description in the user's language."""
        return translate(_CONTEXT, self.title), translate(_CONTEXT, self.sentence)

    def choice_texts(self) -> list[tuple[Any, str]]:
        """Return value and text of the choices in the user's language."""
        return [(value, translate(_CONTEXT, text)) for value, text in self.choices]


SETTINGS: Final = (
    Setting(
        "theme",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Appearance"),
        QT_TRANSLATE_NOOP("settings", "Light, dark, or the same as your system."),
        choices=(
            ("system", QT_TRANSLATE_NOOP("settings", "Same as system")),
            ("light", QT_TRANSLATE_NOOP("settings", "Light")),
            ("dark", QT_TRANSLATE_NOOP("settings", "Dark")),
        ),
    ),
    Setting(
        "contrast",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Contrast"),
        QT_TRANSLATE_NOOP("settings", "High contrast: black on white or white on black, with strong lines."),
        choices=(
            ("system", QT_TRANSLATE_NOOP("settings", "Same as system")),
            ("more", QT_TRANSLATE_NOOP("settings", "High")),
        ),
    ),
    Setting(
        "motion",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Animations"),
        QT_TRANSLATE_NOOP("settings", "Short fades that show where something went."),
        choices=(
            ("system", QT_TRANSLATE_NOOP("settings", "Same as system")),
            ("none", QT_TRANSLATE_NOOP("settings", "None")),
        ),
    ),
    Setting(
        "language",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Language"),
        QT_TRANSLATE_NOOP("settings", "Takes effect after a restart."),
        choices=(
            (SYSTEM, QT_TRANSLATE_NOOP("settings", "Same as system")),
            ("en", "English"),
            ("de", "Deutsch"),
        ),
    ),
    Setting(
        SETTING,
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "When you close the window"),
        QT_TRANSLATE_NOOP("settings", "For desktops without a tray. With one, Toolnote stays in the tray."),
        choices=(
            (ABSENT, QT_TRANSLATE_NOOP("settings", "Ask me")),
            (MINIMISE, QT_TRANSLATE_NOOP("settings", "Minimize")),
            (QUIT, QT_TRANSLATE_NOOP("settings", "Quit")),
        ),
    ),
    Setting(
        "port",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Port"),
        QT_TRANSLATE_NOOP("settings", "Local port for assistants that use an address. Takes effect after a restart."),
    ),
    Setting(
        "sessionIdle",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Disconnect idle assistants after (minutes)"),
        QT_TRANSLATE_NOOP("settings", "They reconnect by themselves when they need a tool."),
        unit=60.0,
    ),
    Setting(
        "lookForUpdates",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Check for updates"),
        QT_TRANSLATE_NOOP(
            "settings",
            "Toolnote looks at its release page once a day and sends no personal data. Updates are installed only if "
            "you agree. Not used where your system updates Toolnote.",
        ),
    ),
    Setting(
        "activityDays",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Days of activity"),
        QT_TRANSLATE_NOOP("settings", "For how long calls are recorded. Nothing of it leaves this computer."),
    ),
    Setting(
        "auditDays",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Days of decisions"),
        QT_TRANSLATE_NOOP(
            "settings",
            "For how long it is recorded who called, changed, allowed and accepted what. No contents are recorded.",
        ),
    ),
    Setting(
        "packsFolder",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Packs folder"),
        QT_TRANSLATE_NOOP("settings", "Packs in it are offered on Home when they are new or change."),
        empty=QT_TRANSLATE_NOOP("settings", "no folder"),
    ),
    Setting(
        "secretsWithoutKeychain",
        SettingsPage.GENERAL,
        QT_TRANSLATE_NOOP("settings", "Secrets without a keychain"),
        QT_TRANSLATE_NOOP(
            "settings",
            "Where they are kept on a computer without a keychain.",
        ),
        choices=(
            (None, QT_TRANSLATE_NOOP("settings", "Ask me")),
            ("run", QT_TRANSLATE_NOOP("settings", "This session only")),
            ("file", QT_TRANSLATE_NOOP("settings", "In a file, not encrypted")),
        ),
    ),
    Setting(
        "notesPaused",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Pause your notes"),
        QT_TRANSLATE_NOOP(
            "settings", "Assistants get the original descriptions until you resume. Your notes are kept."
        ),
    ),
    Setting(
        "offerNotes",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Offer to keep corrections as notes"),
        QT_TRANSLATE_NOOP(
            "settings",
            "When you correct how an assistant used a tool, it offers once to write that down. It is told so in about "
            "30 tokens.",
        ),
    ),
    Setting(
        "lazyMode",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Find tools by searching"),
        QT_TRANSLATE_NOOP(
            "settings",
            "Assistants get a search instead of the whole list. This saves tokens with very many tools, but some "
            "assistants use tools less well that way.",
        ),
    ),
    Setting(
        "toolPrefix",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Prefix for Toolnote’s tools"),
        QT_TRANSLATE_NOOP("settings", "For assistants with other tools of the same names."),
        empty=QT_TRANSLATE_NOOP("settings", "nothing"),
    ),
    Setting(
        "noteTokens",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Warn above (tokens per note)"),
        QT_TRANSLATE_NOOP("settings", "Leave empty for no limit."),
        empty=QT_TRANSLATE_NOOP("settings", "no limit"),
    ),
    Setting(
        "toolTokens",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Warn above (tokens per tool)"),
        QT_TRANSLATE_NOOP("settings", "Counts the tool with your notes."),
        empty=QT_TRANSLATE_NOOP("settings", "no limit"),
    ),
    Setting(
        "toolsetTokens",
        SettingsPage.ASSISTANTS,
        QT_TRANSLATE_NOOP("settings", "Warn above (tokens per toolset)"),
        QT_TRANSLATE_NOOP("settings", "Counts all its tools together."),
        empty=QT_TRANSLATE_NOOP("settings", "no limit"),
    ),
)
"""Preferences in the order in which they are shown."""
