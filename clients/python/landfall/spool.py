"""Lines on disk, in files that several processes write and any of them uploads."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import threading
import time
from typing import Iterator, Set

SUFFIX = ".ndjson"
SEGMENT_BYTES = 8 << 20
GRANT_BYTES = 16 << 20
RETRY_SECONDS = 5.0


class SpoolFull(Exception):
    """The folder has as many bytes as it may."""


class Segment:
    """A file that this process has locked, to upload its lines and remove it."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self.descriptor = descriptor

    def lines(self) -> Iterator[bytes]:
        """The complete lines. The rest of a line was cut off when its process ended, before `append` returned."""
        with open(self.descriptor, "rb", closefd=False) as file:
            for line in file:
                # After a power loss, a file may contain zeros.
                if line.startswith(b"{") and line.endswith(b"}\n") and b"\0" not in line:
                    yield line


class Spool:
    """A folder of files with one line for each record.

    Each process appends to a file of its own, which it holds locked (`flock`) until it seals it. A file
    without a lock is sealed, or the process that wrote it is gone, however it ended: any process may claim it.
    """

    def __init__(self, folder: str, max_bytes: int) -> None:
        self.folder = os.path.abspath(folder)
        self._max_bytes = max_bytes
        self._removed: Set[str] = set()
        self._claimed: Set[int] = set()
        self._lock = threading.Lock()
        self._descriptor = -1
        self._path = ""
        self._size = 0
        self._grant = 0
        self._full_until = 0.0
        self._broken_until = 0.0
        self._is_broken = False

    def append(self, line: bytes) -> None:
        """Writes the line to the process's file: after this, the end of the process does not lose it.

        Raises `SpoolFull`, or `OSError` if the disk is full, read-only, or cannot be written to.
        """
        with self._lock:
            if len(line) > self._grant:
                self._account(len(line))
            if self._descriptor < 0:
                self._open()
            try:
                written = os.write(self._descriptor, line)
                if written != len(line):
                    raise OSError(errno.ENOSPC, "No space left on device", self._path)
            except OSError:
                self._give_up()
                raise
            self._is_broken = False
            self._size += written
            self._grant -= written
            if self._size >= SEGMENT_BYTES:
                self._seal()

    def seal(self) -> None:
        """Ends the process's file, so that it can be claimed; the next line begins another one."""
        with self._lock:
            self._seal()

    def claim(self) -> Iterator[Segment]:
        """The sealed files, and those of processes that are gone, oldest first. Each is locked by this process."""
        for name in self._names():
            path = os.path.join(self.folder, name)
            if path in self._removed:
                continue
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                continue
            if not _is_ours(descriptor):
                os.close(descriptor)
                continue
            self._claimed.add(descriptor)
            yield Segment(path, descriptor)

    def remove(self, segment: Segment) -> None:
        """Removes a file that was uploaded. On a read-only disk, this process remembers not to upload it again."""
        try:
            os.unlink(segment.path)
        except OSError:
            self._removed.add(segment.path)
        self._claimed.discard(segment.descriptor)
        _unlock_and_close(segment.descriptor)

    def release_all(self) -> None:
        """Leaves all claimed files to the next claim, of this process or another one."""
        while self._claimed:
            _unlock_and_close(self._claimed.pop())

    def works_since(self, seconds: float) -> bool:
        """Whether the last line was written, and none has failed for this many seconds."""
        return not self._is_broken and time.monotonic() > self._broken_until + seconds

    def measure(self) -> None:
        """Measures the folder, so that `append` rarely has to."""
        with self._lock:
            self._grant = min(GRANT_BYTES, self._max_bytes - self._bytes())
            if self._grant > 0:
                self._full_until = 0.0

    def abandon(self) -> None:
        """Forgets the files of the parent, in a process that was just forked. Closing does not unlock them."""
        for descriptor in (*self._claimed, self._descriptor):
            if descriptor >= 0:
                os.close(descriptor)
        self._claimed = set()
        self._lock = threading.Lock()
        self._descriptor = -1

    def _account(self, count: int) -> None:
        """Measures the folder when what was granted is used up. Raises `SpoolFull`."""
        now = time.monotonic()
        if now < self._full_until:
            raise SpoolFull(self.folder)
        self._grant = min(GRANT_BYTES, self._max_bytes - self._bytes())
        if count > self._grant:
            self._full_until = now + 1.0
            raise SpoolFull(self.folder)

    def _bytes(self) -> int:
        total = 0
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and entry.path not in self._removed:
                        total += _size(entry)
        except OSError:
            pass  # There is no folder yet, or `_open` fails as well and says why.
        return total

    def _names(self) -> Iterator[str]:
        try:
            names = os.listdir(self.folder)
        except OSError:
            names = []
        return iter(sorted(name for name in names if name.endswith(SUFFIX)))

    def _open(self) -> None:
        if time.monotonic() < self._broken_until:
            raise OSError(errno.EAGAIN, "could not be written a moment ago", self.folder)
        try:
            while not self._create():
                pass
        except OSError:
            self._break()
            raise

    def _create(self) -> bool:
        """Creates a file and locks it. Between the two, another process may have claimed and removed it."""
        name = f"{int(time.time() * 1000):013d}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        path = os.path.join(self.folder, name)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        try:
            descriptor = os.open(path, flags, 0o600)
        except FileNotFoundError:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            descriptor = os.open(path, flags, 0o600)
        if not _is_ours(descriptor):
            os.close(descriptor)
            return False
        self._descriptor, self._path, self._size = descriptor, path, 0
        return True

    def _give_up(self) -> None:
        """Ends the file. What was written of the line stays unfinished, and `Segment.lines` leaves it out."""
        self._break()
        if self._size == 0:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        self._seal()

    def _break(self) -> None:
        self._is_broken = True
        self._broken_until = time.monotonic() + RETRY_SECONDS

    def _seal(self) -> None:
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            _unlock_and_close(descriptor)


def _is_ours(descriptor: int) -> bool:
    """Locks the file. False if another process has it, or has just removed it.

    A disk that cannot lock (some network file systems) is used without: then processes may upload a file
    twice, which the server counts as duplicates.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return os.fstat(descriptor).st_nlink > 0


def _unlock_and_close(descriptor: int) -> None:
    """Unlocks explicitly: a process that was forked meanwhile has the same lock until it closes it."""
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _size(entry: os.DirEntry[str]) -> int:
    """The bytes that a file needs on disk: a small one needs a whole block."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return 0
    return max(status.st_size, status.st_blocks * 512)
