"""Known clients, one module per client or family of clients."""
