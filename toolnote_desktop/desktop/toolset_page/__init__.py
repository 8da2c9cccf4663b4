"""Page of one toolset."""
