"""Settings dialog, built from the registries. Changes apply at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIntValidator, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.built_in_tools_page import ToolRecordsPage
from toolnote_desktop.desktop.dialogs.preferences_form import PreferencesForm
from toolnote_desktop.desktop.dialogs.setting_registry import SETTINGS, Setting, SettingsPage
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, save_fields
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.controls import Tabs
from toolnote_desktop.desktop.widgets.dialog import LEAST_BODY, SCREEN_MARGIN, Dialog, free_area
from toolnote_desktop.model import edits
from toolnote_desktop.model.edits import ABSENT, SetFields
from toolnote_desktop.model.preferences import PREFERENCES, changed_preferences
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.paths import DEFAULT_PORT
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.base import Autostart

TOOLS: Final = "tools"
PAGE_HEIGHT: Final = 420
"""Pixels of a page, which scrolls."""
REST_HEIGHT: Final = 210
"""Pixels of the dialog besides a page, so that on a small screen the page scrolls and nothing around it."""
_BROADEST_CONTROL: Final = 160


class _Column(QWidget):
    """Content of a scroll area, as high as its layout at its width: the minimum of wrapped texts is of narrow ones."""

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)


class SettingsDialog(Dialog):
    """Dialog with pages for the app, assistants, and built-in tools."""

    def __init__(
        self, library: Library, autostart: Autostart, command: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """``command`` starts the app at login."""
        super().__init__(parent)
        self.setObjectName("settings")
        self.introduce(self.tr("Settings"))
        self._library = library
        self._autostart = autostart
        self._command = tuple(command)
        self.controls: dict[str, QWidget] = {}
        pages = (
            (SettingsPage.GENERAL.value, self.tr("General")),
            (SettingsPage.ASSISTANTS.value, self.tr("Assistants")),
            (TOOLS, self.tr("Toolnote’s tools")),
        )
        self.tabs = Tabs(self.tr("Pages of the settings"), (text for _, text in pages))
        self._pages = QStackedWidget()
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self._places: dict[str, int] = {}
        for page in SettingsPage:
            self._add_page(page.value, self._settings_page(page))
        self.tools = ToolRecordsPage(library.snapshot, self._settings, self._set)
        self._add_page(TOOLS, self.tools)
        self.body.addWidget(self.tabs)
        self.body.addWidget(self._pages, 1)
        self.wrong = Alert()
        self.wrong.hide()
        self.body.addWidget(self.wrong)
        close = Button(self.tr("Close"), "primary")
        close.setDefault(False)  # Enter saves the text of a field
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        self.buttons.addStretch(1)
        self.buttons.addWidget(close)
        self.finished.connect(lambda _result: save_fields(self))
        self.setMinimumWidth(round(600 * text_scale()))
        self.show_page(SettingsPage.GENERAL.value)

    def showEvent(self, event: QShowEvent) -> None:
        room = free_area(self).height() - SCREEN_MARGIN - round(REST_HEIGHT * text_scale())
        self._pages.setMinimumHeight(min(round(PAGE_HEIGHT * text_scale()), max(room, LEAST_BODY)))
        super().showEvent(event)

    def show_page(self, page: str) -> None:
        """Show a page."""
        self.tabs.setCurrentIndex(self._places[page])

    def show_setting(self, key: str) -> None:
        """Show the page of a setting, and focus its control."""
        page = next(one.page for one in SETTINGS if one.key == key)
        self.show_page(page.value)
        control = self.controls[key]
        control.setFocus(Qt.FocusReason.TabFocusReason)
        area = self._pages.currentWidget()
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(control)

    def _settings(self) -> Settings:
        return self._library.snapshot.settings

    def _add_page(self, name: str, page: QWidget) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        whole = _Column()
        column(whole).addWidget(page)
        area.setWidget(whole)
        self._places[name] = self._pages.addWidget(area)

    def _settings_page(self, page: SettingsPage) -> QWidget:
        whole = QWidget()
        rows = QVBoxLayout(whole)
        rows.setContentsMargins(0, 8, 8, 0)
        rows.setSpacing(18)
        for setting in SETTINGS:
            if setting.page is page:
                rows.addLayout(self._row(setting))
        if page is SettingsPage.GENERAL:
            self.login = CheckBox(self.tr("Start at login"))
            self.login.setChecked(self._autostart.enabled())
            self.login.clicked.connect(self._set_login)
            sentence = self.tr("Toolnote starts with your session, without opening its window.")
            rows.addLayout(self._ticked(self.login, sentence))
        else:
            rows.addWidget(label(self.tr("How assistants work with you"), "group"))
            self.preferences = PreferencesForm(of_one=False)
            self.preferences.show_preferences(self._settings().preferences)
            self.preferences.changed.connect(self._prefer)
            rows.addWidget(self.preferences)
        rows.addStretch(1)
        return whole

    def _row(self, setting: Setting) -> QVBoxLayout | QHBoxLayout:
        title, sentence = setting.texts()
        if setting.kind is bool:
            box = CheckBox(title)
            box.setChecked(bool(setting.value(self._settings())))
            box.clicked.connect(lambda on: self._set_one(setting, on))
            self.controls[setting.key] = box
            return self._ticked(box, sentence)
        control = self._choice(setting) if setting.choices else self._field(setting)
        self.controls[setting.key] = control
        said = label(title, "heading", wraps=True)
        said.setBuddy(control)
        control.setAccessibleName(title)
        control.setAccessibleDescription(sentence)
        control.setFixedWidth(round(_BROADEST_CONTROL * text_scale()))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(said)
        words.addWidget(label(sentence, "second", wraps=True))
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addLayout(words, 1)
        row.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _ticked(self, box: CheckBox, sentence: str) -> QVBoxLayout:
        box.setAccessibleDescription(sentence)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(box)
        words.addWidget(label(sentence, "second", wraps=True))
        return words

    def _choice(self, setting: Setting) -> ComboBox:
        box = ComboBox()
        current, choices = setting.value(self._settings()), setting.choice_texts()
        for value, text in choices:
            box.addItem(text, value)
        box.setCurrentIndex(next((row for row, (value, _) in enumerate(choices) if value == current), 0))
        box.chosen.connect(lambda value: self._set_one(setting, value))
        return box

    def _field(self, setting: Setting) -> LineField:
        field = LineField(setting.title)
        value = setting.value(self._settings())
        placeholder = messages.translate("settings", setting.empty) if setting.empty else ""
        if setting.kind in (int, float):
            least, most = setting.bounds
            field.setValidator(QIntValidator(least, most, field))
            value = None if value is None else round(value / setting.unit)
        if setting.key == "port":
            placeholder = str(DEFAULT_PORT)
        elif not placeholder:
            placeholder = str(round(setting.default / setting.unit))
        field.setPlaceholderText(placeholder)
        field.show_text("" if value is None else str(value))
        field.saves_on_leave = True
        field.saved.connect(lambda text: self._set_text(setting, text.strip()))
        return field

    def _set_text(self, setting: Setting, text: str) -> None:
        if setting.kind is str:
            self._set_one(setting, text)
        elif text:
            number = int(text) * setting.unit
            self._set_one(setting, int(number) if setting.kind is int else number)
        else:
            self._set_one(setting, None if setting.empty else setting.default)

    def _set_one(self, setting: Setting, value: object) -> None:
        """Set a value; the default is removed from the file."""
        self._set({setting.key: ABSENT if value == setting.default else value})

    def _prefer(self, key: str, value: object) -> None:
        raw = (self._library.raw(edits.SETTINGS) or {}).get(PREFERENCES)
        changed = changed_preferences(raw, key, value)
        self._set({PREFERENCES: changed or ABSENT})

    def _set(self, fields: Mapping[str, Any]) -> None:
        try:
            self._library.submit(SetFields(edits.SETTINGS, fields))
        except ToolnoteError as error:
            self._show_message(messages.problem_text(error.problem))
        else:
            self.tools.show_state()

    def _set_login(self, enabled: bool) -> None:
        try:
            if enabled:
                self._autostart.enable(self._command)
            else:
                self._autostart.disable()
        except OSError as error:
            self.login.setChecked(not enabled)
            self._show_message(str(error))

    def _show_message(self, text: str) -> None:
        self.wrong.setText(text)
        self.wrong.show()
