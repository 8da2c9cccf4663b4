"""Page and dialogs of one tool source."""
