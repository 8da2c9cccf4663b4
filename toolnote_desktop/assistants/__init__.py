"""Other programs' configuration files: which clients are here, what servers they have, Toolnote in and out of them.

``find.find_clients`` looks; ``importing`` reads servers out; ``installing`` plans a change, applies it, takes it back.
``clients.CLIENTS`` is the list of known clients, each a small file in ``known``. Nothing here starts a program.
"""
