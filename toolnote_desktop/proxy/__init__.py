"""MCP proxy: servers upstream, clients downstream, in a thread of its own. No Qt."""
