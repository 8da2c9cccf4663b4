"""Consent settings of a tool (docs/requirements.md 4.15)."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.tool_page.form_base import ToolForm
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField, captioned
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.model.tools.argument_overrides import consent_of
from toolnote_desktop.model.tools.consent import Consent, consent_literal


class ConsentForm(ToolForm):
    """Form of the consent switch, the reason given to assistants, and the phrase that they must repeat."""

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__(settings)
        name = self.tr("Ask me before it runs")
        self.switch = Switch(name, name, name)
        self.switch.toggled.connect(self._switch)
        self.said = label("", "second", wraps=True)
        self.reason = TextField(self.tr("Reason"), self.tr("The whole team gets a mail."))
        self.reason.saved.connect(lambda text: self._set("reason", text.strip()))
        self.literal = LineField(self.tr("Word"))
        self.literal.saved.connect(lambda text: self._set("literal", text.strip()))
        self._more = QWidget()
        inside = column(self._more, spacing=12)
        sentence = self.tr("Told to the assistant, so that it can tell you.")
        inside.addWidget(captioned(self.tr("Reason"), sentence, self.reason))
        sentence = self.tr("What the assistant has to pass with the call. Without it the call is refused.")
        inside.addWidget(captioned(self.tr("Word"), sentence, self.literal))
        whole = column(self, spacing=10)
        whole.addWidget(self.switch)
        whole.addWidget(self.said)
        whole.addWidget(self._more)

    def show_view(self, view: ToolView) -> None:
        """Show a tool's settings in its toolset."""
        super().show_view(view)
        consent = view.effective.consent
        self.switch.show_state(consent is not None)
        self._more.setVisible(consent is not None)
        self.literal.setPlaceholderText(consent_literal(Consent(), view.known.tool.name))
        self.reason.show_text(consent.reason if consent is not None else "")
        self.literal.show_text((consent.literal or "") if consent is not None else "")
        asked = consent_of(view.known.tool.definition, view.effective)
        if asked is None:
            self.said.setText(
                self.tr("Off: the assistant decides by itself, and its own settings say whether it asks you.")
            )
            self.summarised.emit(self.tr("no"))
        else:
            argument, literal = asked
            text = self.tr(
                "The assistant may use it only when you have clearly asked for it, and then passes {argument}: "
                "“{literal}”. Toolnote checks that, and takes it out before the tool gets the call."
            )
            self.said.setText(text.format(argument=argument, literal=literal))
            self.summarised.emit(self.tr("yes"))

    def _switch(self, on: bool) -> None:
        if self._view is not None:
            self._settings.set_consent(self._view, {} if on else None)

    def _set(self, key: str, text: str) -> None:
        view, entry = self._view, self._settings.entry(self._view)
        if view is None or entry is None or entry.consent is None:
            return
        consent = entry.consent.to_json()
        changed = {**consent, key: text}
        if not text:
            del changed[key]
        self._settings.set_consent(view, {name: value for name, value in changed.items() if value != ""})
