"""The bench, against a model whose answers depend on what it reads in a known manner."""
