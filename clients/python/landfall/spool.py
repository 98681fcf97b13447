"""Lines on disk, in files that several processes write and any of them uploads."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import threading
import time
from typing import Dict, Iterator, Set, Tuple

from .files import OPEN, UNLOCKED, mark_sealed, mark_unlocked, measure, paths_in
from .segment import Segment, lock, open_to_lock, unlock_and_close

SEGMENT_BYTES = 8 << 20
# The most that a process may write until it measures the folder again. It has room for the longest line.
LEAST_GRANT, MOST_GRANT = 64 << 10, 256 << 10
RETRY_SECONDS = 5.0


class SpoolFull(Exception):
    """The folder has as many bytes as it may."""


class Spool:
    """A folder of files with one line for each record.

    Each process appends to a file of its own, which it holds locked (`flock`) until it seals it. A file
    without a lock is sealed, or the process that wrote it is gone, however it ended: any process may claim it.
    If the disk cannot lock (`has_locks`), each process claims only its own files.

    The bound is of all processes together. Each may write a grant more than the folder has, so whoever measures
    adds one for each file that another process has open. A process therefore opens its file before it measures.
    """

    def __init__(self, folder: str, max_bytes: int) -> None:
        self.folder = os.path.abspath(folder)
        self._max_bytes = max_bytes
        self._most_grant = min(max(max_bytes // 256, LEAST_GRANT), MOST_GRANT)
        self.has_locks = True
        self._unreadable = ""
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

    def seal(self) -> Set[str]:
        """Ends the process's file, so that it can be claimed. Returns the paths of all its files that are left."""
        with self._lock:
            self._seal()
            self._sealed = {path for path in self._sealed if os.path.exists(path)}
            return set(self._sealed)

    def claim(self) -> Iterator[Segment]:
        """The sealed files, and those of processes that are gone, oldest first. Each is locked by this process."""
        paths = paths_in(self.folder)
        self._posted = {path: self._posted[path] for path in self._posted.keys() & set(paths)}
        for path in paths:
            if path in self._removed or (path.endswith(UNLOCKED) and path not in self._sealed):
                continue
            try:
                descriptor = open_to_lock(path)
            except FileNotFoundError:
                continue  # Another process has uploaded it.
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EPERM):
                    self._unreadable = f"{path}: {error.strerror}"
                continue
            is_ours = lock(descriptor)
            if is_ours is None:
                self.has_locks = False
                is_ours = path in self._sealed
            # Its process may have sealed it just now: it has another name then, and is claimed the next time.
            if not is_ours or not os.path.exists(path):
                unlock_and_close(descriptor)
                continue
            # Its process is gone, so no grant is kept for it any longer.
            path = mark_sealed(path)
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

    def has_files(self) -> bool:
        return bool(paths_in(self.folder))

    def troubles(self) -> Iterator[Tuple[str, str]]:
        """What keeps files of the folder from being claimed: a name, and a text for the log."""
        if not self.has_locks:
            yield "locks", (
                f"{self.folder} cannot lock files, so what a process leaves when it ends is not uploaded: choose a"
                " folder on a local disk"
            )
        if self._unreadable:
            yield "unreadable", (
                f"{self._unreadable}, so it is not uploaded: let one user run all processes with this folder, or give"
                " each user another one"
            )

    def has(self, paths: Set[str]) -> bool:
        """Whether one of the files was not uploaded, because another process has claimed it for example."""
        return any(os.path.exists(path) for path in paths - self._removed)

    def is_done(self) -> bool:
        """Whether nothing is left of what this process has written."""
        with self._lock:
            return self._size == 0 and not self.has(self._sealed)

    def works_since(self, seconds: float) -> bool:
        """Whether the last line was written, and none has failed for this many seconds."""
        return not self._is_broken and time.monotonic() > self._broken_until + seconds

    def measure(self) -> None:
        """Measures the folder, so that `append` rarely has to, and does not wait for it."""
        before, path = self._appended, self._path
        total = self._bytes()
        with self._lock:
            room = self._max_bytes - total - (self._appended - before)
            if room > 0:
                self._full_until = 0.0
            if self._descriptor >= 0 and self._path == path:
                self._grant = min(self._most_grant, room)

    def abandon(self) -> None:
        """Forgets the files of the parent, in a process that was just forked. Closing does not unlock them."""
        for descriptor in (*self._claimed, self._descriptor):
            if descriptor >= 0:
                os.close(descriptor)
        self._claimed, self._sealed, self._posted = set(), set(), {}
        self._lock = threading.RLock()
        self._descriptor, self._size, self._grant = -1, 0, 0

    def _account(self, count: int) -> None:
        """Opens a file if there is none, and measures the folder for the next grant. Raises `SpoolFull`."""
        now = time.monotonic()
        if now < self._full_until:
            raise SpoolFull(self.folder)
        if self._descriptor < 0:
            self._open()
        self._grant = min(self._most_grant, self._max_bytes - self._bytes())
        if count > self._grant:
            self._full_until = now + 1.0
            raise SpoolFull(self.folder)

    def _bytes(self) -> int:
        return measure(self.folder, self._path, self._removed, self._most_grant)

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
        name = f"{int(time.time() * 1000):013d}-{os.getpid()}-{secrets.token_hex(4)}{OPEN}"
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
            path, is_ours = mark_unlocked(path)
        if not is_ours:
            os.close(descriptor)
            return False
        self._seal()  # A signal handler may have opened another one.
        self._descriptor, self._path, self._size, self._grant = descriptor, path, 0, 0
        return True

    def _give_up(self) -> None:
        """Ends the file. What was written of the line stays unfinished, and `Segment.lines` leaves it out."""
        self._break()
        self._seal()

    def _break(self) -> None:
        self._is_broken = True
        self._broken_until = time.monotonic() + RETRY_SECONDS

    def _seal(self) -> None:
        """Ends the file under the name of a sealed one, or removes it if it has no line. Without a file, does nothing."""
        if self._descriptor < 0:
            return
        descriptor, path, size = self._descriptor, self._path, self._size
        self._descriptor, self._size, self._grant = -1, 0, 0
        if size:
            self._sealed.add(mark_sealed(path))
        else:
            with contextlib.suppress(OSError):
                os.unlink(path)
        unlock_and_close(descriptor)
