"""Page of an assistant: its state, its toolset, and the change to its settings file."""
