"""Language of the window: the user's, if there is a translation, else English."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from toolnote_desktop import assets

SYSTEM = "system"


class Languages:
    """The application's translators: ours, and Qt's for its own texts in dialogs and menus."""

    def __init__(self, application: QCoreApplication) -> None:
        self._application = application
        self._translators: list[QTranslator] = []

    def use(self, language: str = SYSTEM) -> None:
        """Translate widgets created from now on into ``language``: ``system``, or a code such as ``de``."""
        for translator in self._translators:
            self._application.removeTranslator(translator)
        self._translators.clear()
        locale = QLocale.system() if language == SYSTEM else QLocale(language)
        QLocale.setDefault(locale)
        if locale.language() == QLocale.Language.English:
            return  # the language of the source
        for name, folder in (
            ("toolnote", str(assets.path("translations"))),
            ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        ):
            translator = QTranslator(self._application)
            if not translator.load(locale, name, "_", folder):
                return  # without ours, Qt's would put its buttons in another language than the rest of the window
            self._application.installTranslator(translator)
            self._translators.append(translator)
