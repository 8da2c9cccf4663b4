"""Page of a published server: description, inputs, and the exact command or address."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from toolnote_desktop.desktop.add_servers.registry_form import CAPTION_WIDTH, RegistryForm
from toolnote_desktop.desktop.add_servers.server_choices import describe_launch, setting_lines
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.public_registry.form import Way, entry, fields, missing, suggested_id, ways
from toolnote_desktop.public_registry.records import Published, Remote


class RegistryPage(QWidget):
    """Page of one published server.

    Signals:
        changed: something in it is another now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._server: Published | None = None
        self._way: Way | None = None
        self.heading = label("", "title", wraps=True)
        self.about = label("", wraps=True)
        self.origin = FullTextLabel("", "small")
        self.trouble = Alert()
        self.form = RegistryForm()
        self.form.changed.connect(self._refresh)
        self.ways = ComboBox()
        self.ways.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.ways.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.ways.chosen.connect(lambda _way: self._show_method())
        self.name = QLineEdit()
        self.name.textChanged.connect(self._refresh)
        self.panel = QFrame()
        self.panel.setProperty("kind", "panel")
        inside = QVBoxLayout(self.panel)
        inside.setContentsMargins(14, 10, 14, 10)
        inside.setSpacing(3)
        self.what_caption = label("", "small", wraps=True)
        self.what = FullTextLabel("", "name")
        inside.addWidget(self.what_caption)
        inside.addWidget(self.what)
        self.rows = QWidget()
        rows = QGridLayout(self.rows)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(14)
        rows.setVerticalSpacing(6)
        rows.setColumnStretch(1, 1)
        self._captions = []
        for row, (caption, field) in enumerate([(self.tr("Name"), self.name), (self.tr("How"), self.ways)]):
            said = label(caption)
            said.setFixedWidth(round(CAPTION_WIDTH * text_scale()))
            said.setBuddy(field)
            field.setAccessibleName(caption)
            rows.addWidget(said, row, 0)
            rows.addWidget(field, row, 1)
            self._captions.append(said)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(8)
        for widget in (self.heading, self.about, self.origin, self.trouble, self.rows, self.form, self.panel):
            column.addWidget(widget)
        column.addStretch(1)

    def show_server(self, server: Published) -> None:
        """Show a server with its default settings."""
        self._server = server
        self.heading.setText(server.title)
        self.about.setText(server.description)
        self.about.setVisible(bool(server.description))
        version = self.tr("version {0}").format(server.version) if server.version else ""
        parts = [server.name, version, server.website or server.repository]
        self.origin.show_text("  ·  ".join(part for part in parts if part))
        found = ways(server)
        self.ways.clear()
        for way in found:
            self.ways.addItem(self._method_text(way), way)
        self.ways.setVisible(len(found) > 1)
        self._captions[1].setVisible(len(found) > 1)
        self.name.setText(suggested_id(server))
        troubles = [self.tr("Its maker says that it is no longer looked after.")] if server.deprecated else []
        if not found:
            kinds = ", ".join(dict.fromkeys(package.registry for package in server.packages))
            text = self.tr("Toolnote cannot start it by itself ({0}). Its page says how to set it up.")
            troubles.append(text.format(kinds or "http"))
        self.trouble.setText("\n".join(troubles))
        self.trouble.setVisible(bool(troubles))
        for widget in (self.rows, self.form, self.panel):
            widget.setVisible(bool(found))
        self._show_method()

    @property
    def can_be_added(self) -> bool:
        """True if it can be started or connected to, and has a name."""
        return self._way is not None and bool(self.name.text().strip())

    def entry(self) -> JsonObject | None:
        """Return the entry for ``servers.json``; mark missing fields and return None if there are any."""
        if self._way is None:
            return None
        values = self.form.values()
        left = missing(self._way, values)
        self.form.mark(left)
        return entry(self._way, values) if not left else None

    def entry_so_far(self) -> JsonObject:
        """Return the entry as far as it is filled in."""
        return entry(self._way, self.form.values()) if self._way is not None else {}

    def secrets(self) -> frozenset[str]:
        """Return the values that the publisher marks as secret."""
        values = self.form.values()
        asked = fields(self._way) if self._way is not None else ()
        return frozenset(values[one.key] for one in asked if one.input.secret and one.key in values)

    def _show_method(self) -> None:
        way = self.ways.currentData()
        self._way = way if isinstance(way, get_args(Way)) else None
        self.form.show_fields(fields(self._way) if self._way is not None else ())
        self._refresh()

    def _refresh(self) -> None:
        way = self._way
        if way is not None:
            made = entry(way, self.form.values())
            is_remote = isinstance(way, Remote)
            self.what_caption.setText(self.tr("Connects to") if is_remote else self.tr("Starts on this computer"))
            self.what.show_text("\n".join([describe_launch(made, in_full=True), *setting_lines(made, in_full=False)]))
        self.changed.emit()

    def _method_text(self, way: Way) -> str:
        if isinstance(way, Remote):
            return self.tr("At its address, {0}").format(way.url)
        return self.tr("Started here: {0} {1}").format(way.registry, way.identifier)
