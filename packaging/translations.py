"""Update the translations: `python packaging/translations.py`, in an environment with PySide6.

Texts that are new in the window come into resources/translations/toolnote_*.ts without a translation, ones that are
gone go, and the .qm files that the app reads are made of them. With --check nothing is written; the status is 1 where
something is new, gone or not translated.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
TRANSLATIONS = CLONE / "resources" / "translations"
LANGUAGES = ("de",)
MORE = ("toolnote_desktop/app.py", "toolnote_desktop/model/tools/built_in_tools.py")
"""Files outside the window that have texts of it."""


def main(arguments: list[str]) -> int:
    """Write the translations and return the exit status."""
    if arguments == ["--check"]:
        with tempfile.TemporaryDirectory(prefix="toolnote-translations-") as folder:
            return max(check(language, Path(folder)) for language in LANGUAGES)
    for language in LANGUAGES:
        update(TRANSLATIONS / f"toolnote_{language}.ts")
        release(TRANSLATIONS / f"toolnote_{language}.ts")
    return 0


def update(target: Path) -> None:
    """Add the source's texts to ``target`` and remove obsolete ones."""
    sources = [str(path.relative_to(CLONE)) for path in sorted((CLONE / "toolnote_desktop" / "desktop").rglob("*.py"))]
    tool("lupdate", *sources, *MORE, "-no-obsolete", "-locations", "none", "-ts", str(target))


def release(source: Path) -> None:
    """Write the file that the app reads, beside ``source``."""
    tool("lrelease", "-silent", str(source), "-qm", str(source.with_suffix(".qm")))


def check(language: str, folder: Path) -> int:
    """Return 0 if the clone has what ``main`` would write and all is translated, else 1."""
    kept = TRANSLATIONS / f"toolnote_{language}.ts"
    new = folder / kept.name
    new.write_bytes(kept.read_bytes())
    update(new)
    release(new)
    problems = []
    if new.read_bytes() != kept.read_bytes():
        problems.append("texts are new or gone")
    if 'type="unfinished"' in new.read_text(encoding="utf-8"):
        problems.append("texts are not translated")
    if new.with_suffix(".qm").read_bytes() != kept.with_suffix(".qm").read_bytes():
        problems.append("its .qm file is an older one")
    for problem in problems:
        print(f"{kept.name}: {problem}: run packaging/translations.py, and translate", file=sys.stderr)
    return 1 if problems else 0


def tool(name: str, *arguments: str) -> None:
    """Return the path of one of PySide6's Qt tools."""
    program = Path(sysconfig.get_path("scripts"), f"pyside6-{name}")
    subprocess.run([str(program), *arguments], cwd=CLONE, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
