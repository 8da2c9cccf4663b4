"""``toolnote bridge``: connect a client's stdio to the running app's HTTP endpoint."""
