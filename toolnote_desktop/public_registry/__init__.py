"""The public MCP registry: servers that somebody published, what each wants, and the entry that it makes in ours.

``client.RegistryClient`` asks it (its published API), ``bundled`` is the list that came with this release, ``records``
is what one server says of itself, ``form`` what a person fills in.
"""
