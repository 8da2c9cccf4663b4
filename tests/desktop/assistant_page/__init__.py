"""Tests of the page of an assistant."""
