"""Parser of the ``toolnote`` command line."""
