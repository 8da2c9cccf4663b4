"""What can be checked here of the builds for Windows and macOS, whose tools are on the public CI alone."""

from __future__ import annotations

import plistlib
import re
import struct
import subprocess
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import freeze
import icon_files
import pytest
import release_feed
import yaml

from tests.packaging.conftest import CLONE, PACKAGING
from toolnote_desktop.updates.build import CHANNELS

SYSTEMS = ("win32", "darwin", "linux")
PNG = b"\x89PNG\r\n\x1a\n"


class Call:
    """One call of PyInstaller's in the specification, with what the next ones read of it."""

    def __init__(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.arguments = arguments
        self.options = options
        self.binaries = [
            ("PySide6/plugins/tls/qopensslbackend.dll", "", "BINARY"),
            ("PySide6/Qt6Core.dll", "", "BINARY"),
        ]
        self.datas = [
            ("PySide6/translations/qtbase_de.qm", "", "DATA"),
            ("PySide6/translations/qtbase_fr.qm", "", "DATA"),
        ]
        self.pure: list[object] = []
        names = ("pyi_rth_inspect", "pyi_rth_pyside6", "program_console", "program_window")
        self.scripts = [(name, "", "PYSOURCE") for name in names]


@pytest.fixture(params=SYSTEMS)
def calls(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Call]]:
    """What the specification asks PyInstaller for, on each system."""
    monkeypatch.setattr(sys, "platform", request.param)
    monkeypatch.setenv("TOOLNOTE_BUILD_FACTS", str(tmp_path))
    monkeypatch.setenv("TOOLNOTE_BUILD_LOOKS", str(freeze.looks(tmp_path)))
    monkeypatch.setenv("TOOLNOTE_BUILD_VERSION", "1.2.3")
    hooks = types.ModuleType("PyInstaller.utils.hooks")
    vars(hooks).update(copy_metadata=lambda *_: [], collect_submodules=lambda *_: [])
    for name, module in {"PyInstaller": types.ModuleType("x"), "PyInstaller.utils": types.ModuleType("x")}.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    made: dict[str, list[Call]] = {}

    def maker(name: str) -> Any:
        def make(*arguments: Any, **options: Any) -> Call:
            made.setdefault(name, []).append(Call(arguments, options))
            return made[name][-1]

        return make

    names: dict[str, Any] = {name: maker(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
    source = (PACKAGING / "toolnote.spec").read_text(encoding="utf-8")
    exec(compile(source, "toolnote.spec", "exec"), {**names, "SPECPATH": str(PACKAGING)})
    return made


def test_the_specification_makes_two_programs_on_each_system(calls: dict[str, list[Call]]) -> None:
    programs = {call.options["name"]: call.options["console"] for call in calls["EXE"]}
    if str(sys.platform) == "linux":  # one program with two names
        assert programs == {"toolnote": True}
    else:
        assert programs == {"toolnote": True, "toolnote-desktop": False}
        before_ours = {call.options["name"]: [entry[0] for entry in call.arguments[1]][:-1] for call in calls["EXE"]}
        assert before_ours == {"toolnote": [], "toolnote-desktop": ["pyi_rth_pyside6"]}
    (analysis,) = calls["Analysis"]
    assert [entry[0] for entry in analysis.binaries] == ["PySide6/Qt6Core.dll"]
    assert [entry[0] for entry in analysis.datas] == ["PySide6/translations/qtbase_de.qm"]
    for call in calls["EXE"]:
        named = [call.options[option] for option in ("icon", "version", "entitlements_file") if call.options[option]]
        assert [path for path in named if not Path(path).is_file()] == []


def test_the_bundle_for_macos_says_what_it_opens(calls: dict[str, list[Call]]) -> None:
    if str(sys.platform) != "darwin":
        assert "BUNDLE" not in calls
        return
    (bundle,) = calls["BUNDLE"]
    facts = plistlib.loads(plistlib.dumps(bundle.options["info_plist"]))
    assert facts["CFBundleExecutable"] == "toolnote-desktop"
    assert facts["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["toolnote"]
    (kind,) = facts["UTExportedTypeDeclarations"]
    assert kind["UTTypeTagSpecification"]["public.filename-extension"] == ["toolnote"]
    assert facts["CFBundleDocumentTypes"][0]["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]


def test_entitlements_are_a_property_list() -> None:
    entitlements = plistlib.loads((PACKAGING / "macos/entitlements.plist").read_bytes())
    assert list(entitlements) == ["com.apple.security.cs.allow-unsigned-executable-memory"]


@pytest.mark.parametrize("script", ["macos/release.sh", "linux/install.sh", "windows/compile_under_wine.sh"])
def test_shell_scripts_can_be_read(script: str) -> None:
    subprocess.run(["sh", "-n", str(PACKAGING / script)], check=True)


def test_icon_for_windows() -> None:
    content = icon_files.ico()
    _, kind, count = struct.unpack_from("<HHH", content)
    assert (kind, count) == (1, len(icon_files.ICO_SIZES))
    for number, size in enumerate(icon_files.ICO_SIZES):
        width, *_, length, offset = struct.unpack_from("<BBBBHHII", content, 6 + 16 * number)
        assert (width or 256) == size
        assert content[offset : offset + length] == icon_files.picture(size)
    assert content.count(PNG) == count


def test_icon_for_macos() -> None:
    content = icon_files.icns()
    magic, length = struct.unpack_from(">4sI", content)
    assert (magic, length) == (b"icns", len(content))
    place, kinds = 8, []
    while place < len(content):
        kind, size = struct.unpack_from(">4sI", content, place)
        assert content[place + 8 : place + 16] == PNG
        kinds.append(kind.decode())
        place += size
    assert kinds == list(icon_files.ICNS_TYPES)


class TestInstallerForWindows:
    script = (PACKAGING / "windows/toolnote.iss").read_text(encoding="utf-8")

    def test_windows_installer_names_files_that_exist(self) -> None:
        named: list[str] = re.findall(r"^LicenseFile=(.+)$", self.script, re.MULTILINE)
        assert named
        for path in named:
            assert (PACKAGING / "windows" / path.replace("\\", "/")).resolve().is_file()

    def test_installer_starts_programs_that_the_build_makes(self) -> None:
        programs = set(re.findall(r"\b(toolnote[\w-]*\.exe)", self.script))
        assert programs == {"toolnote.exe", "toolnote-desktop.exe"}

    def test_windows_installer_needs_no_administrator_and_removes_its_files(self) -> None:
        assert "PrivilegesRequired=lowest" in self.script
        assert "HKLM" not in self.script
        keys = re.findall(r'^Root: HKCU; Subkey: "(Software\\Classes\\[^"\\]+)"', self.script, re.MULTILINE)
        for key in set(keys):
            lines = [line for line in self.script.splitlines() if f'Subkey: "{key}"' in line]
            assert any("uninsdeletekey" in line for line in lines), key

    def test_start_at_login_is_the_value_that_the_app_sets(self) -> None:
        source = (CLONE / "toolnote_desktop/system/windows.py").read_text(encoding="utf-8")
        assert r"Software\Microsoft\Windows\CurrentVersion\Run" in source
        assert (
            r'Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: string; ValueName: "Toolnote"'
            in self.script
        )


class TestReleaseWorkflow:
    workflow = yaml.safe_load((PACKAGING / "release.yml").read_text(encoding="utf-8"))

    def test_three_systems(self) -> None:
        names = {
            entry["name"].partition("-")[0] for entry in self.workflow["jobs"]["build"]["strategy"]["matrix"]["include"]
        }
        assert names == {"windows", "macos", "linux"}

    def test_release_workflow_runs_files_that_exist(self) -> None:
        steps = [step for job in self.workflow["jobs"].values() for step in job["steps"]]
        commands = "\n".join(step.get("run", "") for step in steps)
        files = re.findall(r"packaging[\\/][\w./\\-]+\.(?:py|sh|ps1|iss|txt)", commands)
        assert len(files) > 8
        assert [file for file in files if not (CLONE / file.replace("\\", "/")).is_file()] == []

    def test_feed_lists_all_builds(self) -> None:
        uploaded = {
            Path(line).suffix
            for step in self.workflow["jobs"]["build"]["steps"]
            if "upload-artifact" in str(step)
            for line in step["with"]["path"].split()
        }
        assert uploaded == {".exe", ".dmg", ".deb", ".rpm", ".AppImage", ".gz"}
        assert {channel for _, channel, _ in release_feed.KINDS} == set(CHANNELS)


def test_version_is_the_same_in_all_places() -> None:
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    store_page = (PACKAGING / "linux/org.toolnote.ToolNote.metainfo.xml").read_text(encoding="utf-8")
    assert project["version"] == freeze.version()
    assert re.findall(r'<release version="([^"]+)"', store_page)[0] == freeze.version()


def test_release_notes_are_the_newest_chapter_of_the_changelog() -> None:
    text = "# Changelog\n\nForm.\n\n## 1.1.0 - 2026-12-01\n\n- New.\n\n## 1.0.0 - 2026-11-01\n\n- Old.\n"
    assert release_feed.newest_chapter(text) == "- New."


def test_actions_of_the_release_are_pinned_by_commit() -> None:
    """Issue 15 item 5: with the tag in a comment; one whose repository cannot be read stays a tag, and says so."""
    workflow = (PACKAGING / "release.yml").read_text(encoding="utf-8")
    lines = re.findall(r"uses: (.*)$", workflow, re.MULTILINE)
    assert lines
    for line in lines:
        pinned = re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v[\d.]+", line)
        assert pinned or re.fullmatch(r"\S+@v[\d.]+  # .* pin it by commit before a release", line), line
