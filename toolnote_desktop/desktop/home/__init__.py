"""Home: what needs the user, the assistants with their toolsets, and the calls of a week."""
