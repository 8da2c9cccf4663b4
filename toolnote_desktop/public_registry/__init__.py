"""Public MCP registry: published servers, their inputs, and the entries created from them.

``client.RegistryClient`` queries its API, ``bundled`` is the list shipped with this release, ``records`` parses a
server's own description, ``form`` has the fields that the user fills in.
"""
