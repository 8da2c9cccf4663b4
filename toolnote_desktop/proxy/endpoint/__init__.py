"""HTTP endpoint that MCP clients connect to."""
