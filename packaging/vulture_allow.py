# Names that vulture believes unused: Qt, pydantic and the commands call them. One a line, with who calls it.
takes_url  # noqa: B018, F821  assistants.client.KnownClient: known of each client, for entries with url and token
