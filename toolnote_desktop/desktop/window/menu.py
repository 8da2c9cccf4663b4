"""Actions of the window with their shortcuts, and the menu that lists them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from toolnote_desktop.desktop.models.needs_you import EndpointState
from toolnote_desktop.desktop.widgets.basics import without_mnemonics
from toolnote_desktop.desktop.widgets.controls import Menu
from toolnote_desktop.model.snapshot import Snapshot


class WindowActions(Struct, frozen=True):
    """Functions that the actions call."""

    find: Callable[[], object]
    go_to: Callable[[], object]
    add_note: Callable[[], object]
    try_tool: Callable[[], object]
    exact_data: Callable[[], object]
    make_toolset: Callable[[], object]
    undo: Callable[[], object]
    redo: Callable[[], object]
    add_tools: Callable[[], object]
    demo: Callable[[], object]
    connect: Callable[[], object]
    show_costs: Callable[[], object]
    show_inspector: Callable[[], object]
    toggle_sidebar: Callable[[], object]
    back: Callable[[], object]
    forward: Callable[[], object]
    home: Callable[[], object]
    focus_toast: Callable[[], object]
    next_pane: Callable[[], object]
    previous_pane: Callable[[], object]
    use_toolset: Callable[[str], object]
    pause_notes: Callable[[bool], object]
    turn_off: Callable[[], object]
    turn_on: Callable[[], object]
    settings: Callable[[], object]
    quit: Callable[[], object]


class WindowMenu(QObject):
    """Actions and shortcuts of the window, and its menu, which is filled when it is about to open.

    Signals:
        find_requested: search the public registry for tools.
        file_requested: preview a file.
        export_requested: export a toolset as a file.
        about_requested: show the version.
    """

    find_requested = Signal()
    file_requested = Signal()
    export_requested = Signal()
    about_requested = Signal()

    def __init__(self, window: QWidget, actions: WindowActions) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        standard = QKeySequence.StandardKey
        self.find = self._action(self.tr("Filter this page"), standard.Find, actions.find)
        self.go_to = self._action(self.tr("Search"), QKeySequence("Ctrl+K"), actions.go_to)
        self.back = self._action(self.tr("Back"), QKeySequence("Alt+Left"), actions.back)
        self.forward = self._action(self.tr("Forward"), QKeySequence("Alt+Right"), actions.forward)
        self.home = self._action(self.tr("Home"), QKeySequence("Alt+Home"), actions.home)
        self.sidebar = self._action(self.tr("Sidebar"), QKeySequence("Ctrl+B"), actions.toggle_sidebar)
        self.toast = self._action(self.tr("Go to the message"), QKeySequence("F8"), actions.focus_toast)
        self.add_note = self._action(self.tr("Add a note"), standard.New, actions.add_note)
        self.try_tool = self._action(self.tr("Try it…"), QKeySequence("Ctrl+T"), actions.try_tool)
        self.exact_data = self._action(self.tr("Exact data"), QKeySequence("Ctrl+E"), actions.exact_data)
        self.make_toolset = self._action(self.tr("New toolset"), QKeySequence("Ctrl+Shift+N"), actions.make_toolset)
        self.undo = self._action(self.tr("Undo"), standard.Undo, actions.undo)
        self.redo = self._action(self.tr("Redo"), QKeySequence("Ctrl+Shift+Z"), actions.redo)
        self.redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self.add_tools = self._action(self.tr("Add tools…"), None, actions.add_tools)
        self.demo = self._action(self.tr("Try the demo"), None, actions.demo)
        self.find_tools = self._action(self.tr("Browse the catalog…"), None, self.find_requested.emit)
        self.open_file = self._action(self.tr("Add from a file…"), standard.Open, self.file_requested.emit)
        self.hand_on = self._action(self.tr("Share a toolset…"), None, self.export_requested.emit)
        self.connect_assistant = self._action(self.tr("Connect an assistant…"), None, actions.connect)
        self.costs = self._action(self.tr("What the lists cost"), None, actions.show_costs)
        self.inspector = self._action(self.tr("Inspector"), QKeySequence("F9"), actions.show_inspector)
        self.pause_notes = self._action(self.tr("Pause notes"), None, actions.pause_notes, True)
        self.turn_off = self._action(self.tr("Turn off"), None, actions.turn_off)
        self.turn_off.setToolTip(self.tr("Stop all tool sources: assistants get no tools"))
        self.turn_on = self._action(self.tr("Turn on"), None, actions.turn_on)
        self.next_pane = self._action(self.tr("Next pane"), QKeySequence("F6"), actions.next_pane)
        self.previous_pane = self._action(self.tr("Previous pane"), QKeySequence("Shift+F6"), actions.previous_pane)
        self.settings = self._action(self.tr("Settings…"), QKeySequence("Ctrl+,"), actions.settings)
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.about = self._action(self.tr("About Toolnote"), None, self.about_requested.emit)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)
        self.quit = self._action(self.tr("Quit Toolnote"), standard.Quit, actions.quit)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.menu = Menu(window)
        self.toolsets = Menu(self.menu, self.tr("Default toolset"))

    def fill(self, snapshot: Snapshot) -> QMenu:
        """Fill the menu from the current state and return it."""
        self.menu.clear()
        self._fill_toolsets(snapshot)
        for part in (
            (self.pause_notes, self.turn_off, self.turn_on),
            (self.undo, self.redo),
            (self.open_file, self.hand_on),
            (self.settings, self.about) if self.settings.isVisible() else (self.about,),
            (self.quit,),
        ):
            self.menu.addActions(list(part))
            self.menu.addSeparator()
        self.menu.insertMenu(self.undo, self.toolsets)
        self.menu.insertSeparator(self.undo)
        return self.menu

    def show_power(self, serving: EndpointState) -> None:
        """Offer *Turn off* while tool sources run, and *Turn on* once the user has turned Toolnote off."""
        self.turn_off.setVisible(serving.runs_sources)
        self.turn_on.setVisible(serving.is_off)

    def offered(self) -> list[QAction]:
        """Return the actions that the command palette offers."""
        return [
            *(self.add_note, self.try_tool, self.exact_data, self.make_toolset, self.hand_on),
            *(self.add_tools, self.demo, self.find_tools, self.open_file, self.connect_assistant, self.costs),
            *(self.undo, self.redo, self.find, self.inspector, self.sidebar, self.home, self.back, self.forward),
            *(self.pause_notes, self.turn_off, self.turn_on, self.settings, self.about, self.quit),
        ]

    def show_tool_actions(self, shown: bool) -> None:
        """Enable what is done to a tool while one is shown."""
        for action in (self.add_note, self.try_tool, self.exact_data):
            action.setEnabled(shown)

    def set_undo_texts(self, undo: str | None, redo: str | None) -> None:
        """Set the texts of undo and redo to their actions' names, such as *Undo Delete Note*; None disables one."""
        self.undo.setEnabled(undo is not None)
        self.redo.setEnabled(redo is not None)
        undo_text = self.tr("Undo {action}").format(action=undo) if undo else self.tr("Undo")
        redo_text = self.tr("Redo {action}").format(action=redo) if redo else self.tr("Redo")
        self.undo.setText(without_mnemonics(undo_text))
        self.redo.setText(without_mnemonics(redo_text))

    def _fill_toolsets(self, snapshot: Snapshot) -> None:
        self.toolsets.clear()
        for name, toolset in snapshot.toolsets.items():
            action = self.toolsets.addAction(without_mnemonics(toolset.title))
            action.setCheckable(True)
            action.setChecked(name == snapshot.settings.equipped_toolset)
            action.triggered.connect(lambda _checked, name=name: self._actions.use_toolset(name))
        self.toolsets.setEnabled(bool(snapshot.toolsets))

    def _action(
        self,
        text: str,
        keys: QKeySequence | QKeySequence.StandardKey | None,
        function: Callable[..., object],
        checkable: bool = False,
    ) -> QAction:
        action = QAction(text, self._window)
        if keys is not None:
            action.setShortcut(keys) if isinstance(keys, QKeySequence) else action.setShortcuts(keys)
        action.setCheckable(checkable)
        if checkable:
            action.triggered.connect(function)
        else:
            action.triggered.connect(lambda _checked: function())
        self._window.addAction(action)
        return action
