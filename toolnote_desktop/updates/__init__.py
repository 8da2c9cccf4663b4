"""Updates: the signed release feed, and verified downloads of the builds in it.

Only builds without another update mechanism check for new versions: not those of a Linux distribution, and not
checkouts.
"""
