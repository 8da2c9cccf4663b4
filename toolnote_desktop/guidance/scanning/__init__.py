"""Parts of the scanner: marks that people do not see, sentences by the weights of their words."""
