"""Lines on disk, in files that several processes write and any of them uploads."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import threading
import time
from typing import Dict, Iterator, List, Set, Tuple

from .segment import Segment, lock, open_to_lock, unlock_and_close

SUFFIX = ".ndjson"
# A file that its process could not lock: only that process may claim it.
UNLOCKED = ".unlocked" + SUFFIX
SEGMENT_BYTES = 8 << 20
GRANT_BYTES = 16 << 20
RETRY_SECONDS = 5.0


class SpoolFull(Exception):
    """The folder has as many bytes as it may."""


class Spool:
    """A folder of files with one line for each record.

    Each process appends to a file of its own, which it holds locked (`flock`) until it seals it. A file
    without a lock is sealed, or the process that wrote it is gone, however it ended: any process may claim it.
    If the disk cannot lock (`has_locks`), each process claims only its own files.
    """

    def __init__(self, folder: str, max_bytes: int) -> None:
        self.folder = os.path.abspath(folder)
        self._max_bytes = max_bytes
        self.has_locks = True
        self._removed: Set[str] = set()
        self._sealed: Set[str] = set()
        self._posted: Dict[str, int] = {}
        self._claimed: Set[int] = set()
        # A signal handler may send a push while its thread appends a line.
        self._lock = threading.RLock()
        self._descriptor = -1
        self._path = ""
        self._size = 0
        self._appended = 0
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
            self._appended += written
            self._grant -= written
            if self._size >= SEGMENT_BYTES:
                self._seal()

    def seal(self) -> None:
        """Ends the process's file, so that it can be claimed; the next line begins another one."""
        with self._lock:
            self._seal()

    def claim(self) -> Iterator[Segment]:
        """The sealed files, and those of processes that are gone, oldest first. Each is locked by this process."""
        paths = [os.path.join(self.folder, name) for name in self._names()]
        self._posted = {path: self._posted[path] for path in self._posted.keys() & set(paths)}
        for path in paths:
            if path in self._removed or (path.endswith(UNLOCKED) and path not in self._sealed):
                continue
            try:
                descriptor = open_to_lock(path)
            except OSError:
                continue
            is_ours = lock(descriptor)
            if is_ours is None:
                self.has_locks = False
                is_ours = path in self._sealed
            if not is_ours:
                os.close(descriptor)
                continue
            self._claimed.add(descriptor)
            yield Segment(path, descriptor, self._posted.get(path, 0))

    def advance(self, segment: Segment, offset: int) -> None:
        """Remembers that the lines before this offset were uploaded, in case the file has to be claimed again."""
        self._posted[segment.path] = offset

    def remove(self, segment: Segment) -> None:
        """Removes a file that was uploaded. On a read-only disk, this process remembers not to upload it again."""
        try:
            os.unlink(segment.path)
        except OSError:
            self._removed.add(segment.path)
        self._posted.pop(segment.path, None)
        self._sealed.discard(segment.path)
        self._claimed.discard(segment.descriptor)
        unlock_and_close(segment.descriptor)

    def release_all(self) -> None:
        """Leaves all claimed files to the next claim, of this process or another one."""
        while self._claimed:
            unlock_and_close(self._claimed.pop())

    def works_since(self, seconds: float) -> bool:
        """Whether the last line was written, and none has failed for this many seconds."""
        return not self._is_broken and time.monotonic() > self._broken_until + seconds

    def measure(self) -> None:
        """Measures the folder, so that `append` rarely has to, and does not wait for it."""
        before = self._appended
        total = self._bytes()
        with self._lock:
            self._grant = min(GRANT_BYTES, self._max_bytes - total - (self._appended - before))
            if self._grant > 0:
                self._full_until = 0.0

    def abandon(self) -> None:
        """Forgets the files of the parent, in a process that was just forked. Closing does not unlock them."""
        for descriptor in (*self._claimed, self._descriptor):
            if descriptor >= 0:
                os.close(descriptor)
        self._claimed, self._sealed, self._posted = set(), set(), {}
        self._lock = threading.RLock()
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

    def _names(self) -> List[str]:
        try:
            names = os.listdir(self.folder)
        except OSError:
            names = []
        return sorted(name for name in names if name.endswith(SUFFIX))

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
        is_ours = lock(descriptor)
        if is_ours is None:
            self.has_locks = False
            path, is_ours = _mark_unlocked(path)
        if not is_ours:
            os.close(descriptor)
            return False
        self._seal()  # A signal handler may have opened another one.
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
            if self._path.endswith(UNLOCKED):
                self._sealed.add(self._path)
            unlock_and_close(descriptor)


def _mark_unlocked(path: str) -> Tuple[str, bool]:
    """Renames a new file, so that no other process claims it once the disk has locks again.

    False if it is gone: another process could lock it, and has removed it.
    """
    unlocked = path[: -len(SUFFIX)] + UNLOCKED
    try:
        os.rename(path, unlocked)
    except FileNotFoundError:
        return path, False
    return unlocked, True


def _size(entry: os.DirEntry[str]) -> int:
    """The bytes that a file needs on disk: a small one needs a whole block."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return 0
    return max(status.st_size, status.st_blocks * 512)
