"""Odd inputs, made by hypothesis: the same in every run of the tests, more with ``--hypothesis-profile=long``."""
