"""New versions: what the release feed says, checked by its signature, and a download that is what the feed promised.

Only builds that nobody else updates look for new versions: those of a Linux distribution, and checkouts, never do.
"""
