"""Lines in the log `landfall`, each problem once."""

from __future__ import annotations

import contextlib
import logging
import threading
from types import TracebackType
from typing import Optional, Sequence, Set, Tuple, Type

Pairs = Sequence[Tuple[str, str]]
_log = logging.getLogger("landfall")


def _warn(text: str) -> None:
    """Logs a line. What a handler of the application raises neither stops a push nor the uploads."""
    with contextlib.suppress(Exception):
        _log.warning("%s", text)


class Log:
    """Logs each problem once, until it is over, and counts what is lost."""

    def __init__(self) -> None:
        self.lost = 0
        self._known: Set[str] = set()
        # It is not held while a line is logged: handlers have locks of their own, and may send a push.
        self._lock = threading.RLock()

    def forked(self) -> None:
        """Forgets the lock, in a process that was just forked: a thread of the parent may have it."""
        self._lock = threading.RLock()

    def once(self, problem: str, text: str) -> None:
        if problem in self._known:
            return
        with self._lock:
            is_new = problem not in self._known
            self._known.add(problem)
        if is_new:
            _warn(text)

    def lose(self, problem: str, text: str) -> bool:
        """Counts and logs a response that is lost. Returns false."""
        self.once(problem, text)
        return self.count_lost()

    def count_lost(self) -> bool:
        """Counts a response that is lost. Returns false."""
        with self._lock:
            self.lost += 1
        return False

    def too_large(self) -> None:
        self.once(
            "too large",
            "a payload has no room for its id and is sent without it: its response is recorded, but its device cannot"
            " report. Shorten it by 110 bytes",
        )

    def verdict(self, rejections: Pairs, warnings: Pairs) -> None:
        """Logs the codes, each with a detail, of items that the server rejected or warns of."""
        for code, detail in rejections:
            self.once(
                f"rejected {code}",
                f"the server rejected responses as {code}: {detail}. They are in quarantine: see"
                f" 'landfall quarantine list --code {code}', correct the sender, then 'landfall quarantine replay'",
            )
        for code, detail in warnings:
            self.once(f"warning {code}", f"the server warns of {code}: {detail}")

    def over(self, problem: str, text: str) -> None:
        """Logs that problems of this name, or that begin with it, are over, if there were any."""
        with self._lock:
            known = {name for name in self._known if name.startswith(problem)}
            self._known -= known
        if known:
            _warn(text)


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
