"""Version resource that Windows shows under *Properties*, in the form that PyInstaller reads."""

from __future__ import annotations

from pathlib import Path

TEMPLATE = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3f, flags=0x0, OS=0x40004, fileType=0x1),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "The Toolnote developers"), StringStruct("FileDescription", "Toolnote"),
      StringStruct("FileVersion", "{version}"), StringStruct("InternalName", "Toolnote"),
      StringStruct("LegalCopyright", "The Toolnote developers, Apache License 2.0"),
      StringStruct("ProductName", "Toolnote"), StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [1033, 1200])]),
  ],
)
"""


def write(version: str, target: Path) -> None:
    """Write it for a version such as ``1.2.3`` or ``1.2.3-rc1``."""
    numbers = (*map(int, version.partition("-")[0].split(".")), 0)
    target.write_text(TEMPLATE.format(numbers=numbers, version=version), encoding="utf-8")
