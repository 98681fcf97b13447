"""One file of the spool, and its lock."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from typing import Callable, Iterable, Iterator, List, NamedTuple, Optional, Tuple

BATCH_BYTES = 4 << 20
BATCH_FILES = 200


class Segment:
    """A file that only this process may upload and remove. `offset` is after the lines that it has uploaded."""

    def __init__(self, path: str, descriptor: int, offset: int) -> None:
        self.path = path
        self.descriptor = descriptor
        self.offset = offset

    def lines(self) -> Iterator[Tuple[bytes, int]]:
        """The complete lines, each with its offset.

        The rest of a line was cut off when its process ended, before `append` returned.
        """
        with open(self.descriptor, "rb", closefd=False) as file:
            start = file.seek(self.offset)
            for line in file:
                # After a power loss, a file may contain zeros.
                if line.startswith(b"{") and line.endswith(b"}\n") and b"\0" not in line:
                    yield line, start
                start += len(line)


class Batch(NamedTuple):
    """Lines for one request. Once they are uploaded, `finished` is done, and `partial` is up to this offset."""

    lines: List[bytes]
    finished: List[Segment]
    partial: Optional[Tuple[Segment, int]]


def batches(segments: Iterable[Segment], most: Callable[[], int]) -> Iterator[Batch]:
    """The lines of the files, in requests of at most `most()` lines."""
    lines: List[bytes] = []
    finished: List[Segment] = []
    size = 0
    for segment in segments:
        for line, start in segment.lines():
            if lines and (len(lines) >= most() or size + len(line) > BATCH_BYTES):
                yield Batch(lines, finished, (segment, start))
                lines, finished, size = [], [], 0
            lines.append(line)
            size += len(line)
        finished.append(segment)
        if len(finished) >= BATCH_FILES:
            yield Batch(lines, finished, None)
            lines, finished, size = [], [], 0
    if finished:
        yield Batch(lines, finished, None)


def open_to_lock(path: str) -> int:
    """Opens a file for writing, as NFS requires for a lock, or for reading on a disk that is read-only."""
    try:
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES):
            raise
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def lock(descriptor: int) -> Optional[bool]:
    """Locks the file. False if another process has it, or has just removed it; `None` if it cannot be locked.

    Some network file systems have no locks, and others lock only what is open for writing.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return os.fstat(descriptor).st_nlink > 0


def unlock_and_close(descriptor: int) -> None:
    """Unlocks explicitly: a process that was forked meanwhile has the same lock until it closes it."""
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)
