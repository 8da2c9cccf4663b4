#!/bin/sh
# Installs Toolnote for this user alone, from the folder that this file is in: ./install.sh
# and takes it away again: ./install.sh --remove (notes and toolsets are kept).
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
data=${XDG_DATA_HOME:-"$HOME/.local/share"}
programs=$HOME/.local/bin
app=$HOME/.local/lib/toolnote
id=org.toolnote.ToolNote

refresh() {  # what desktops keep of these folders; one that lacks a program needs no refreshing
    if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data/applications"; fi
    if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" >/dev/null 2>&1; fi
    # A cache of icons that somebody keeps is brought up to date; who has none is not given one, which would name us for ever.
    icons=$data/icons/hicolor
    if [ -e "$icons/icon-theme.cache" ] && command -v gtk-update-icon-cache >/dev/null; then
        gtk-update-icon-cache -q -f -t "$icons" 2>/dev/null || true
    fi
}

remove() {
    if [ -x "$programs/toolnote" ]; then
        QT_QPA_PLATFORM=offscreen "$programs/toolnote" gui --quit || true
        if [ -t 0 ]; then
            printf 'Give your assistants back the configuration they had before Toolnote? [Y/n] '
            read -r answer
            case $answer in [nN]*) ;; *) "$programs/toolnote" clients uninstall --all || true ;; esac
        elif [ "${1:-}" = --restore-assistants ]; then
            "$programs/toolnote" clients uninstall --all
        fi
    fi
    rm -f "$programs/toolnote" "$programs/toolnote-desktop" "$data/applications/$id.desktop" "$data/mime/packages/$id.xml"
    rm -f "${XDG_CONFIG_HOME:-"$HOME/.config"}/autostart/$id.desktop"
    for size in 16 24 32 48 64 128 256 512; do rm -f "$data/icons/hicolor/${size}x$size/apps/$id.png"; done
    rm -f "$data/icons/hicolor/scalable/apps/$id.svg"
    rm -rf "$app"
    refresh
    echo "Toolnote is removed; your notes and toolsets are kept"
}

case ${1:-} in
    --remove) shift; remove "$@"; exit ;;
    '') ;;
    *) echo "usage: $0 [--remove [--restore-assistants]]" >&2; exit 2 ;;
esac

# The new version stands whole beside the old one before it takes its place; what runs keeps the files that it has open.
mkdir -p "$app" "$programs" "$data/applications" "$data/mime/packages" "$data/icons"
new=$(mktemp -d "$app/new.XXXXXX")
trap 'rm -rf "$new"' EXIT
cp -R "$here/toolnote/." "$new"
chmod 755 "$new"
rm -rf "$app/old"
if [ -e "$app/app" ]; then mv "$app/app" "$app/old"; fi
mv "$new" "$app/app"
rm -rf "$app/old"
for program in toolnote toolnote-desktop; do ln -sfn "$app/app/$program" "$programs/$program"; done
cp -R "$here/share/icons/hicolor" "$data/icons/"
cp "$here/share/mime/packages/$id.xml" "$data/mime/packages/"
# By its full path: not every desktop looks for programs in ~/.local/bin.
sed -e "s|^Exec=toolnote-desktop|Exec=\"$programs/toolnote-desktop\"|" -e "s|^TryExec=.*|TryExec=$programs/toolnote-desktop|" \
    "$here/share/applications/$id.desktop" > "$data/applications/$id.desktop"
refresh
echo "Toolnote is installed: it is in your menu, and \"$programs/toolnote\" is its console program"
case :$PATH: in *:"$programs":*) ;; *) echo "($programs is not on your PATH)" ;; esac
