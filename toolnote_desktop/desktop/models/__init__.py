"""Qt item models and view data without widgets."""
