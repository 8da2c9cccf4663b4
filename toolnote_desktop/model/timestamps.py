"""Timestamps as written in documents."""

from __future__ import annotations

from datetime import UTC, datetime


def iso_utc(moment: datetime) -> str:
    """Format as ISO 8601 in UTC with whole seconds, as in docs/contract.md 3: ``2026-01-01T00:00:00Z``. A naive time
    counts as UTC.
    """
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_utc_of(seconds: float) -> str:
    """Format seconds since the epoch as ``iso_utc`` does."""
    return iso_utc(datetime.fromtimestamp(seconds, UTC))
