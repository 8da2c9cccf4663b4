"""Numbers of inputs: few and the same in each run, or many and new ones with ``--hypothesis-profile=long``."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

USUAL = "toolnote"

# How long an input takes says nothing: the machine may be busy with something else. `long` is meant for one that is
# not.
settings.register_profile(USUAL, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", deadline=None, max_examples=5000, print_blob=True)


def examples(count: int) -> settings:
    """``@examples(50)``: so many inputs in the usual profile, fifty times as many in the long one."""
    assert settings.default is not None
    return settings(
        max_examples=max(1, count * settings.default.max_examples // 100),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
