"""Tool decorator (docs/requirements.md 4): prefixes and automatic logging."""

from __future__ import annotations

import functools
import inspect
import logging
import os
from collections.abc import Callable
from typing import Any

TRACE = 5
"""Logging level below DEBUG."""

PREFIX_VARIABLE = "MCP_TOOL_PREFIX"

logger = logging.getLogger(__name__)
logging.addLevelName(TRACE, "TRACE")


class ToolDecorator:
    """Gives tools their final names and logs every call.

    Args:
        prefix: prefix of the tools' names; None for the value of ``MCP_TOOL_PREFIX`` now, or none.
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.variable = os.environ.get(PREFIX_VARIABLE) if prefix is None else prefix
        """Prefix that was given; None if the variable is not set, so that the setting decides."""
        self.prefix = self.variable or ""

    def final_name(self, name: str, prefix: str | None = None) -> str:
        """Return the name for clients; ``prefix`` overrides the default for this tool, ``""`` switches it off."""
        chosen = self.prefix if prefix is None else prefix
        return f"{chosen}{name}" if chosen else name

    def logged(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return ``function`` with its calls, successes and failures logged; exceptions are raised again."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def call_async(*args: Any, **kwargs: Any) -> Any:
                logger.log(TRACE, "Tool called: %s", name)
                try:
                    result = await function(*args, **kwargs)
                except Exception as error:
                    logger.exception("Tool %s failed: %s", name, error)
                    raise
                logger.log(TRACE, "Tool %s completed successfully", name)
                return result

            return call_async

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            logger.log(TRACE, "Tool called: %s", name)
            try:
                result = function(*args, **kwargs)
            except Exception as error:
                logger.exception("Tool %s failed: %s", name, error)
                raise
            logger.debug("Tool %s completed successfully", name)
            return result

        return call


def log_invalid_arguments(name: str, reason: str) -> None:
    """Log a call that is refused because of its arguments; ``reason`` names the argument, never its value."""
    logger.log(TRACE, "Tool called: %s", name)
    logger.debug("Tool %s refused its arguments: %s", name, reason)
