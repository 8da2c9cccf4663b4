"""The clients that Toolnote knows: one small file each."""
