"""Tools: definitions, hashes, hints, records, the catalogue and dialects."""
