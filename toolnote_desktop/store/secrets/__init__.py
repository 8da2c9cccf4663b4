"""Secrets of servers in the operating system's keychain."""
