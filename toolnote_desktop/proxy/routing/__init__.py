"""Which lists each client is served, and which server answers a request."""
