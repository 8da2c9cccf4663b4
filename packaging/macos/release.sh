#!/bin/sh
# On a Mac: of dist/Toolnote.app, which packaging/freeze.py made and (with CODESIGN_IDENTITY set) signed, a disk image;
# with ASC_KEY_FILE, ASC_KEY_ID and ASC_ISSUER also notarised by Apple.
set -eu
cd "$(dirname "$0")/../.."
app=dist/Toolnote.app
image=dist/toolnote-$(python packaging/freeze.py --version)-macos-$(uname -m).dmg

if [ -n "${CODESIGN_IDENTITY:-}" ]; then codesign --verify --deep --strict --verbose=2 "$app"; fi
python -m dmgbuild -s packaging/macos/dmg_settings.py -D "app=$app" Toolnote "$image"
if [ -n "${CODESIGN_IDENTITY:-}" ]; then codesign --sign "$CODESIGN_IDENTITY" --timestamp "$image"; fi
if [ -n "${ASC_KEY_FILE:-}" ]; then
    xcrun notarytool submit "$image" --key "$ASC_KEY_FILE" --key-id "$ASC_KEY_ID" --issuer "$ASC_ISSUER" --wait --timeout 30m
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
fi
