"""Parts of the scanner: marks that people do not see, sentences by their concepts, clauses by their weights."""
