"""The files in the folder of a spool: their names, and how much of the disk they need."""

from __future__ import annotations

import os
from typing import Container, List, Tuple

SUFFIX = ".ndjson"
# A file that its process writes to, or wrote to until it was killed.
OPEN = ".open" + SUFFIX
# A file that its process could not lock: only that process may claim it.
UNLOCKED = ".unlocked" + SUFFIX


def paths_in(folder: str) -> List[str]:
    """The paths of the files with lines, oldest first; none if there is no folder yet."""
    try:
        names = os.listdir(folder)
    except OSError:
        names = []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(SUFFIX)]


def measure(folder: str, own: str, removed: Container[str], grant: int) -> int:
    """The bytes of the folder, with a grant for each file that a process other than the `own` one may write to."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX) and entry.path not in removed:
                    is_growing = entry.name.endswith((OPEN, UNLOCKED)) and entry.path != own
                    total += _size(entry) + (grant if is_growing else 0)
    except OSError:
        pass  # There is no folder yet, or opening a file fails as well and says why.
    return total


def mark_sealed(path: str) -> str:
    """Renames a file that no process writes to any longer. Returns its path; on a read-only disk, the one it had."""
    if not path.endswith(OPEN):
        return path
    sealed = path[: -len(OPEN)] + SUFFIX
    try:
        os.rename(path, sealed)
    except OSError:
        return path
    return sealed


def mark_unlocked(path: str) -> Tuple[str, bool]:
    """Renames a new file, so that no other process claims it once the disk has locks again.

    False if it is gone: another process could lock it, and has removed it.
    """
    unlocked = path[: -len(OPEN)] + UNLOCKED
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
