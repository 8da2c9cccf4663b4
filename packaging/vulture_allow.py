# Names that vulture believes unused: Qt, pydantic and the commands call them. One a line, with who calls it.
