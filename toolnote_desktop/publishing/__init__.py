"""Carriers of guidance beside the tools' descriptions: skills, rules blocks and plugins, and their exact removal."""
