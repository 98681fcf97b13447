"""Lines that wait in memory while the disk cannot be written to."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from typing import Callable, Deque, Iterator, List


class MemoryQueue:
    """A queue of lines, of at most `max_bytes`. Any thread appends; one thread removes."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lines: Deque[bytes] = deque()
        self._bytes = 0
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._lines)

    def append(self, line: bytes) -> bool:
        """Whether there was room for the line."""
        with self._lock:
            if self._bytes + len(line) > self._max_bytes:
                return False
            self._lines.append(line)
            self._bytes += len(line)
            return True

    def first(self) -> bytes:
        return self._lines[0]

    def remove(self, count: int) -> None:
        with self._lock:
            for _ in range(count):
                self._bytes -= len(self._lines.popleft())

    def batches(self, most: Callable[[], int]) -> Iterator[List[bytes]]:
        """The first lines, again and again, until the queue is empty: the caller removes them."""
        while self._lines:
            with self._lock:
                lines = list(itertools.islice(self._lines, most()))
            yield lines
