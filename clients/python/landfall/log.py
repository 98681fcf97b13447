"""Lines in the log `landfall`, each problem once."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Optional, Set, Type

_log = logging.getLogger("landfall")


class Log:
    """Logs each problem once, until it is over."""

    def __init__(self) -> None:
        self._known: Set[str] = set()

    def once(self, problem: str, text: str) -> None:
        if problem not in self._known:
            self._known.add(problem)
            _log.warning("%s", text)

    def too_large(self) -> None:
        self.once(
            "too large",
            "a payload has no room for its id and is sent without it: its response is recorded, but its device cannot"
            " report. Shorten it by 110 bytes",
        )

    def over(self, problem: str, text: str) -> None:
        """Logs that problems of this name, or that begin with it, are over, if there were any."""
        known = {name for name in self._known if name.startswith(problem)}
        if known:
            self._known -= known
            _log.warning("%s", text)


class Quiet:
    """A `with` block whose errors are logged, once of each kind, instead of raised: a push goes first."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> bool:
        if kind is None or not issubclass(kind, Exception):
            return False
        self._log.once(f"{kind.__name__}: {error}"[:60], f"a response was not recorded: {kind.__name__}: {error}")
        return True
