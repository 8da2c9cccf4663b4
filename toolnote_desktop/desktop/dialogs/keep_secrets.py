"""The tick box that moves secrets out of entries into the keychain, as far as the person does not say no."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.moving_secrets import KeepsSecrets, keep_all, moved
from toolnote_desktop.desktop.dialogs.tick_box import TickBox
from toolnote_desktop.desktop.task import run_task
from toolnote_desktop.model.jsontext import JsonObject


class KeepSecrets(TickBox):
    """Shown where there are secrets, and ticked.

    Args:
        store: where they go; None where there is no such place.
    """

    def __init__(self, store: KeepsSecrets | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setChecked(True)
        self.hide()

    def show_for(self, entries: Iterable[JsonObject], known: Collection[str] = ()) -> None:
        """Say how many secrets these entries have. ``known`` are values that are secret whatever they are called."""
        count = sum(len(moved(entry, known).secrets) for entry in entries)
        self.setVisible(self._store is not None and count > 0)
        one = self.tr("Keep 1 secret in the keychain, not in the settings")
        self.setText(one if count == 1 else self.tr("Keep %n secrets in the keychain, not in the settings", "", count))

    def without_secrets(self, entry: JsonObject, known: Collection[str] = ()) -> JsonObject:
        """The entry as it is to be added."""
        return moved(entry, known).entry if self._moves else entry

    def keep_then(
        self,
        owner: QWidget,
        entries: Mapping[str, JsonObject],
        done: Callable[[], None],
        failed: Callable[[Exception], None],
        known: Collection[str] = (),
    ) -> None:
        """Put the secrets of these entries, by their server's id, where they are kept, then go on.

        It may take as long as a person needs to unlock the keychain; ``owner`` takes no input meanwhile.
        """
        store = self._store
        secrets = {server: moved(entry, known).secrets for server, entry in entries.items()}
        if store is None or not self._moves or not any(secrets.values()):
            done()
            return
        owner.setEnabled(False)

        def go_on(_outcome: None) -> None:
            owner.setEnabled(True)
            done()

        def give_up(error: Exception) -> None:
            owner.setEnabled(True)
            failed(error)

        run_task(owner, lambda: keep_all(secrets, store), go_on, give_up)

    @property
    def _moves(self) -> bool:
        return self._store is not None and self.isChecked()
