"""Assistants' own configuration files: discovery of clients, import of their servers, installation of Toolnote.

``registry.CLIENTS`` lists the known clients, each described in ``known``. ``discovery.find_clients`` finds their
files, ``importing`` reads servers from them, ``installing`` plans a change, applies and undoes it. No program is
started. Lower layers first: formats, masking, files and entries, clients, registry, discovery, importing and
installing (pyproject.toml, import-linter).
"""
