"""Domain model: frozen values read leniently from JSON documents, and edits of them. No I/O."""
