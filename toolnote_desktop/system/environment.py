"""Environment of this process, and the part of it that other programs get.

Servers are third-party programs: they get the variables that programs need (paths, locale, proxies, certificates, the
desktop session) and those of their entry, but not the tokens that happen to be in the user's shell.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping

# Variables set by the frozen app's own start-up: with these, npx or python would load our libraries.
_OURS_WHEN_FROZEN = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH")
_OURS_PREFIXES = ("_PYI_", "_MEI", "QT_PLUGIN", "QML", "QTWEBENGINE")
_OURS = ("PYTHONHOME", "PYTHONPATH", "PYINSTALLER_RESET_ENVIRONMENT")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


POSIX_NAMES = _words(
    """
    HOME USER LOGNAME SHELL TERM COLORTERM LANG LANGUAGE TZ TMPDIR PATH
    DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION SSH_AUTH_SOCK __CF_USER_TEXT_ENCODING
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
    SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO
    LD_LIBRARY_PATH DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT CONTAINER_HOST
    JAVA_HOME GOPATH GOROOT GOBIN CARGO_HOME RUSTUP_HOME DENO_DIR DENO_INSTALL BUN_INSTALL PNPM_HOME VOLTA_HOME N_PREFIX
    PYENV_ROOT RBENV_ROOT NODENV_ROOT ASDF_DIR ASDF_DATA_DIR NVM_DIR NVM_BIN FNM_DIR FNM_MULTISHELL_PATH
    CONDA_PREFIX CONDA_EXE MAMBA_ROOT_PREFIX PIPX_HOME PIPX_BIN_DIR PIP_INDEX_URL PIP_CONFIG_FILE
    NODE_PATH NPM_CONFIG_USERCONFIG NPM_CONFIG_PREFIX HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY
    NIX_PROFILES NIX_SSL_CERT_FILE MISE_DATA_DIR MISE_CONFIG_DIR MISE_CACHE_DIR
    UV_CACHE_DIR UV_CONFIG_FILE UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_INDEX UV_LINK_MODE UV_NATIVE_TLS
    UV_SYSTEM_CERTS UV_OFFLINE UV_PYTHON UV_PYTHON_PREFERENCE UV_PYTHON_INSTALL_DIR UV_TOOL_DIR UV_TOOL_BIN_DIR
    """
)
POSIX_PREFIXES = ("LC_", "XDG_", "npm_config_registry", "npm_config_cache", "npm_config_prefix")

WINDOWS_NAMES = _words(
    """
    ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 COMPUTERNAME COMSPEC
    DRIVERDATA HOMEDRIVE HOMEPATH HOME LANG LOCALAPPDATA LOGONSERVER NUMBER_OF_PROCESSORS OS PATH PATHEXT
    PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER PROCESSOR_LEVEL PROCESSOR_REVISION PROGRAMDATA PROGRAMFILES
    PROGRAMFILES(X86) PROGRAMW6432 PSMODULEPATH PUBLIC SESSIONNAME SYSTEMDRIVE SYSTEMROOT TEMP TMP TZ USERDOMAIN
    USERNAME USERPROFILE WINDIR HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE
    CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT JAVA_HOME GOPATH GOROOT CARGO_HOME
    RUSTUP_HOME DENO_DIR BUN_INSTALL PNPM_HOME VOLTA_HOME NVM_HOME NVM_SYMLINK FNM_DIR PYENV PYENV_ROOT PYENV_HOME
    CONDA_PREFIX CONDA_EXE PIPX_HOME PIPX_BIN_DIR PIP_INDEX_URL PIP_CONFIG_FILE NODE_PATH CHOCOLATEYINSTALL SCOOP
    UV_CACHE_DIR UV_CONFIG_FILE UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_INDEX UV_LINK_MODE UV_NATIVE_TLS
    UV_SYSTEM_CERTS UV_OFFLINE UV_PYTHON UV_PYTHON_PREFERENCE UV_PYTHON_INSTALL_DIR UV_TOOL_DIR UV_TOOL_BIN_DIR
    """
)
WINDOWS_PREFIXES = ("LC_", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_CACHE", "NPM_CONFIG_PREFIX")

# Doors to what the user is signed in to: new entries get them only if they name them (docs/contract.md 3, ``inherit``).
WITHHELD = frozenset({"DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK"})
_PROXIES = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})

# A Python server writes UTF-8 whatever the system's code page is (case C38); other programs ignore these.
PYTHON_TEXT = {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}


def own_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without the changes made by our own start-up."""
    source = os.environ if environment is None else environment
    cleaned = {
        key: value
        for key, value in source.items()
        if not key.startswith(_OURS_PREFIXES) and key not in _OURS and not key.endswith("_PATH_ORIG")
    }
    if getattr(sys, "frozen", False):
        for key in _OURS_WHEN_FROZEN:
            cleaned.pop(key, None)
            if original := source.get(f"{key}_ORIG"):  # PyInstaller saves the original values
                cleaned[key] = original
        bundle = getattr(sys, "_MEIPASS", None)
        if bundle:
            cleaned = {k: value for k, value in cleaned.items() if k == "PATH" or not value.startswith(bundle)}
    return cleaned


def select_variables(
    environment: Mapping[str, str], names: frozenset[str], prefixes: tuple[str, ...]
) -> dict[str, str]:
    """Return the variables with these names and prefixes."""
    return {key: value for key, value in environment.items() if key in names or key.startswith(prefixes)}


def withhold(
    environment: Mapping[str, str], selected: Mapping[str, str], inherit: Collection[str] | None
) -> dict[str, str]:
    """Return the variables of a child: ``selected`` without what its entry does not name, and what it names.

    A proxy's address stays, without its user and password.

    Args:
        environment: the user's variables, from which those that the entry names are taken.
        inherit: names in the entry; None for an entry from before they could be named, which gets all.
    """
    if inherit is None:
        return dict(selected)
    kept = {
        name: without_password(value) if name.upper() in _PROXIES else value
        for name, value in selected.items()
        if name not in WITHHELD
    }
    return {**kept, **{name: environment[name] for name in inherit if name in environment}}


def withheld_names(environment: Mapping[str, str], inherit: Collection[str] | None) -> tuple[str, ...]:
    """Return the variables that are set, and that an entry does not get or gets without their password."""
    if inherit is None:
        return ()
    names = [
        name
        for name, value in environment.items()
        if name in WITHHELD or (name.upper() in _PROXIES and without_password(value) != value)
    ]
    return tuple(name for name in names if name not in inherit)


def without_password(address: str) -> str:
    """Return a proxy's address without user and password."""
    scheme, separator, rest = address.rpartition("://")
    return scheme + separator + rest.rpartition("@")[2]


def started_from_desktop(environment: Mapping[str, str]) -> bool:
    """Return True if this process was started by a desktop (an icon, autostart, another app), not in a terminal.

    A terminal sets ``TERM`` for its shell, and programs started there inherit it; a desktop session does not set it and
    has a system-wide ``PATH``. A wrong guess costs one run of the shell.
    """
    return environment.get("TERM", "") in ("", "dumb")


def prepend_folder(path: str | None, folder: str, separator: str = os.pathsep) -> str:
    """Return ``PATH`` with a folder prepended, unless it is included."""
    folders = [entry for entry in (path or "").split(separator) if entry]
    return separator.join(folders if folder in folders else [folder, *folders])


def append_folders(path: str | None, folders: list[str], separator: str = os.pathsep) -> str:
    """Return ``PATH`` with the missing folders appended."""
    known = [entry for entry in (path or "").split(separator) if entry]
    return separator.join([*known, *(folder for folder in folders if folder not in known)])
