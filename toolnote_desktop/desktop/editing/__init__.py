"""User actions as edits of the library, with undo."""
