"""Inspector of a source of the catalog: publisher, exactly what it asks for, and the button that adds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.adding import SourceAdder, TargetToolset
from toolnote_desktop.desktop.add_servers.catalog_panel import publisher_text
from toolnote_desktop.desktop.add_servers.findings import FindingsBox
from toolnote_desktop.desktop.add_servers.registry_form import RegistryForm
from toolnote_desktop.desktop.add_servers.server_choices import describe_launch, setting_lines
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, column, label, open_web_page
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton, Tile, initials_of
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.guidance.scanner import Finding, scan_definition
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.public_registry.form import Way, entry, fields, missing, suggested_id, ways
from toolnote_desktop.public_registry.publisher import PublisherKind, publisher_of
from toolnote_desktop.public_registry.records import Published, Remote
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore


class CatalogInspector(Inspector):
    """See the module.

    Signals:
        added: the ids of the sources that were added.
    """

    added = Signal(object)

    def __init__(self, library: Library, store: SecretStore | None, identity: Callable[[], ToolnoteIdentity]) -> None:
        super().__init__(self.tr("Inspector"))
        self._library = library
        self._server: Published | None = None
        self._ways: tuple[Way, ...] = ()
        self._way: Way | None = None
        self.adder = SourceAdder(library, store, identity, self)
        self.adder.added.connect(self.added)
        self.inside = QWidget()
        whole = column(self.inside, (0, 8, 0, 0), 6)
        self._lay_out_head(whole)
        self.asks = self._section(whole, self.tr("What it asks for"))
        self.asks_text = label("", wraps=True)
        self.form = RegistryForm()
        self.form.changed.connect(self._refresh)
        self.asks.addWidget(self.asks_text)
        self.asks.addWidget(self.form)
        named = self._section(whole, self.tr("Name"))
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Name"))
        self.name.textChanged.connect(lambda _text: self._refresh())
        named.addWidget(self.name)
        self.way_section = QWidget()
        way_column = column(self.way_section, spacing=6)
        self.way_menu = MenuButton(self.tr("Connection"), boxed=True)
        self.way_menu.chosen.connect(self._choose_way)
        way_column.addSpacing(10)
        way_column.addWidget(label(self.tr("Connection"), "heading"))
        way_column.addWidget(self.way_menu)
        whole.addWidget(self.way_section)
        self.target = TargetToolset(self.tr("Add its tools to"), self._library.snapshot)
        whole.addSpacing(10)
        whole.addWidget(self.target)
        self.what_caption = label("", "small", wraps=True)
        self.what = FullTextLabel("", "name")
        self.wrong = Alert()
        self.adder.failed.connect(self.wrong.show_error)
        self.wrong.hide()
        self.add_button = Button("", "primary", pressed=self.add)
        for widget in (self.what_caption, self.what, self.wrong, self.adder.secrets.places):
            whole.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(self.add_button)
        row.addStretch(1)
        whole.addSpacing(10)
        whole.addLayout(row)
        self.body.insertWidget(0, self.inside)
        self.inside.hide()

    def _lay_out_head(self, whole: QVBoxLayout) -> None:
        head = QHBoxLayout()
        head.setSpacing(12)
        self.tile = Tile(size=32)
        head.addWidget(self.tile)
        names = QVBoxLayout()
        names.setSpacing(0)
        self.heading = label("", "heading", wraps=True)
        self.publisher = label("", "small", wraps=True)
        names.addWidget(self.heading)
        names.addWidget(self.publisher)
        head.addLayout(names, 1)
        whole.addLayout(head)
        whole.addSpacing(4)
        self.about = FullTextLabel("")
        self.findings = FindingsBox(self.tr("Its texts may try to mislead assistants. Read them:"))
        self.link = Button("", "link", pressed=self._open_link)
        self.trouble = Alert()
        for widget in (self.about, self.findings, self.link, self.trouble):
            whole.addWidget(widget)

    def _section(self, whole: QVBoxLayout, text: str) -> QVBoxLayout:
        whole.addSpacing(10)
        whole.addWidget(label(text, "heading"))
        section = QVBoxLayout()
        section.setSpacing(6)
        whole.addLayout(section)
        return section

    # --- display

    def show_server(self, server: Published) -> None:
        """Show a source of the catalog with its defaults."""
        self._server, self._ways = server, ways(server)
        self.wrong.hide()
        self.adder.secrets.places.hide()
        self.tile.show_initials(initials_of(server.title))
        self.heading.setText(server.title[:200])
        publisher = publisher_of(server)
        if publisher.kind is PublisherKind.OFFICIAL:
            self.publisher.setText(self.tr("Official, published by {publisher}").format(publisher=publisher.name))
        else:
            self.publisher.setText(publisher_text(publisher))
        self.about.show_text(server.description)
        self.findings.show_findings(_findings_in(server))
        self.link.set_text(_host(server))
        self.link.setVisible(bool(_host(server)))
        troubles = [self.tr("Its publisher no longer maintains it.")] if server.deprecated else []
        if not self._ways:
            kinds = ", ".join(dict.fromkeys(package.registry for package in server.packages))
            text = self.tr("Toolnote can’t start it ({0}). Its website says how to set it up.")
            troubles.append(text.format(kinds or "http"))
        self.trouble.setText("\n".join(troubles))
        self.trouble.setVisible(bool(troubles))
        self.way_menu.set_choices([Choice(_way_text(way), number) for number, way in enumerate(self._ways)], 0)
        self.way_section.setVisible(len(self._ways) > 1)
        self.name.setText(suggested_id(server))
        self.add_button.set_text(self.tr("Add {source}").format(source=server.title[:40]))
        self._choose_way(0)
        self.show_snapshot(self._library.snapshot)
        self.inside.show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Offer the toolsets of a snapshot."""
        self.target.show_snapshot(snapshot)

    def _choose_way(self, number: object) -> None:
        way = self._ways[number] if isinstance(number, int) and number < len(self._ways) else None
        self._way = way if isinstance(way, get_args(Way)) else None
        asked = fields(self._way) if self._way is not None else ()
        self.form.show_fields(asked)
        self.form.setVisible(bool(asked))
        title = self._server.title if self._server is not None else ""
        if asked:
            text = ""
        elif isinstance(self._way, Remote):
            text = self.tr("{source} may open in your browser and ask you to sign in.").format(source=title)
        else:
            text = self.tr("Nothing that its publisher names.")
        self.asks_text.setText(text)
        self.asks_text.setVisible(bool(text))
        self._refresh()

    def _refresh(self) -> None:
        can_add = self._way is not None and bool(self.name.text().strip())
        self.add_button.setEnabled(can_add)
        self.add_button.setVisible(self._way is not None)
        if self._way is None:
            self.what.show_text("")
            self.what_caption.setText("")
            return
        made = entry(self._way, self.form.values())
        is_remote = isinstance(self._way, Remote)
        self.what_caption.setText(self.tr("Connects to") if is_remote else self.tr("Starts on this computer"))
        self.what.show_text("\n".join([describe_launch(made, in_full=True), *setting_lines(made, in_full=False)]))

    def _open_link(self) -> None:
        if self._server is not None:
            open_web_page(self._server.website or self._server.repository)

    # --- adding

    def add(self) -> None:
        """Add the source that is shown, unless something that it requires is missing."""
        if self._way is None:
            return
        values = self.form.values()
        left = missing(self._way, values)
        self.form.mark(left)
        if left:
            return
        self.wrong.hide()
        secret = frozenset(values[one.key] for one in fields(self._way) if one.input.secret and one.key in values)
        made = entry(self._way, values)
        if self._server is not None and self._server.description:
            made["toolnote"] = {"registryText": self._server.description}
        self.adder.add({self.name.text().strip(): made}, self.target.toolset, secret)


def _host(server: Published) -> str:
    url = QUrl(server.website or server.repository)
    return url.host() if url.scheme() in ("http", "https") else ""


def _way_text(way: Way) -> str:
    return QUrl(way.url).host() if isinstance(way, Remote) else f"{way.registry}: {way.identifier}"


def _findings_in(server: Published) -> tuple[Finding, ...]:
    """Return what the scanner finds in the texts that the catalog has of a source."""
    asked = [one.input.description for way in ways(server) for one in fields(way)]
    return scan_definition({"name": "", "title": server.title, "description": server.description, "inputs": asked})
