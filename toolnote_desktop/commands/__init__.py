"""The commands of CONTRACT 4, one module for each group. Each command is ``run(arguments, home) -> exit status``.

They edit documents through the library; an app that runs notices and tells its clients. What cannot be done is a
``ToolnoteError``, which ``cli.py`` turns into one line.
"""
