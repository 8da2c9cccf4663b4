"""Dialogs of the app as a whole: settings, about, updates, start-up problems."""
