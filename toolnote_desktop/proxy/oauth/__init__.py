"""OAuth sign-in to HTTP servers."""
