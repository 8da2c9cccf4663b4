"""Lists served to each client, and routing of requests to servers."""
