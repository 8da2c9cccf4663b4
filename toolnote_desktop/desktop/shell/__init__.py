"""Integration with the desktop session: tray, single instance, crash reports, updates."""
