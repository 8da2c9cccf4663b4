"""Byte-exact readers and editors for JSON with comments, TOML and YAML."""
