"""Detection and masking of secrets in servers' entries."""
