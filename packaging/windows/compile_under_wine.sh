#!/bin/sh
# Optional, and not part of CI: compiles the installer's script on a Debian machine, as root, to see that it is sound.
#   packaging/windows/compile_under_wine.sh FOLDER
# In FOLDER a Debian with wine is made (once), so that nothing of it comes onto this machine. The Inno compiler is the one
# in npm's package `innosetup`. The programs inside are stand-ins: real ones are built on Windows alone (release.yml).
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$1"
root=$(CDPATH= cd -- "$1" && pwd)

if [ ! -e "$root/has-wine" ]; then
    debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" > /dev/null
    cp /etc/resolv.conf "$root/etc/"
    chroot "$root" dpkg --add-architecture i386
    chroot "$root" apt-get -qq update
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get -qq install -y --no-install-recommends wine wine32:i386 > /dev/null
    touch "$root/has-wine"
fi

work=$root/inno
rm -rf "$work"
mkdir -p "$work/packaging/windows" "$work/dist/toolnote/_internal"
(cd "$work" && npm pack --silent innosetup > name && tar -xzf "$(cat name)")
cp "$here/toolnote.iss" "$work/packaging/windows/"
cp "$here/../../LICENSE" "$work/"
for file in toolnote.exe toolnote-desktop.exe _internal/library.dll; do echo "a stand-in" > "$work/dist/toolnote/$file"; done

version=$(python3 "$here/../freeze.py" --version)
# shellcheck disable=SC2016  # the variables are the inner shell's
unshare --mount --propagation private sh -c '
    mount --bind /proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm"
    exec chroot "$1" env -i HOME=/root PATH=/usr/bin:/bin WINEDEBUG=-all WINEPREFIX=/root/wine sh -c \
        "cd /inno/packaging/windows && wine /inno/package/bin/ISCC.exe /DAppVersion=$2 toolnote.iss"
' sh "$root" "$version"
ls -l "$work/dist/toolnote-$version-windows-x64.exe"
