"""Locks of the spool: disks without them, signal handlers, and what does not wait for what."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from pathlib import Path

import pytest

from landfall import new_id
from landfall.segment import open_to_lock
from landfall.spool import Spool

from .server import Server
from .test_recorder import Make

LINE = b"{}\n"


def _spool(folder: Path) -> Spool:
    return Spool(str(folder), 1 << 20)


def _without_locks(descriptor: int, operation: int) -> None:
    raise OSError(errno.ENOLCK, "No locks available")


def test_on_a_disk_without_locks_a_process_claims_what_it_has_sealed_and_nothing_else(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fcntl, "flock", _without_locks)
    first, second = _spool(spool), _spool(spool)
    first.append(LINE)
    assert list(first.claim()) == [] and list(second.claim()) == []
    first.seal()
    first.append(b'{"open":1}\n')
    assert list(second.claim()) == [] and not first.has_locks
    (segment,) = first.claim()
    assert list(segment.lines()) == [(LINE, 0)]
    first.remove(segment)
    first.append(b'{"open":2}\n')
    (file,) = spool.iterdir()
    assert file.read_bytes() == b'{"open":1}\n{"open":2}\n'


def test_a_file_that_could_not_be_locked_is_not_claimed_by_others_once_locks_work(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = _spool(spool)
    with monkeypatch.context() as without:
        without.setattr(fcntl, "flock", _without_locks)
        writer.append(LINE)
    assert list(_spool(spool).claim()) == [] and list(writer.claim()) == []
    writer.seal()
    (segment,) = writer.claim()
    assert list(segment.lines()) == [(LINE, 0)]


def test_a_disk_that_locks_only_what_is_open_for_writing_has_locks(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def as_nfs(descriptor: int, operation: int) -> None:
        if operation & fcntl.LOCK_EX and fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "Bad file descriptor")
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", as_nfs)
    writer, other = _spool(spool), _spool(spool)
    writer.append(LINE)
    assert list(other.claim()) == []
    writer.seal()
    (segment,) = other.claim()
    assert list(segment.lines()) == [(LINE, 0)] and other.has_locks


def test_without_locks_responses_are_uploaded_and_the_log_names_the_folder_once(
    server: Server, make: Make, spool: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(fcntl, "flock", _without_locks)
    recorder = make()
    ids = [new_id() for _ in range(20)]
    for identifier in ids:
        assert recorder.record("fcm", notification_id=identifier, status=200, token="t")
    assert recorder.flush(60) and recorder.flush(10)
    assert server.ids() == ids
    assert [record.getMessage() for record in caplog.records if "cannot lock" in record.getMessage()] != []
    assert os.listdir(spool) == []


def test_a_record_does_not_wait_while_the_folder_is_measured(spool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Spool(str(spool), 50_000)
    writer.append(LINE)
    measuring, done = threading.Event(), threading.Event()
    measured = writer._bytes

    def slow() -> int:
        total = measured()
        measuring.set()
        assert done.wait(60)
        return total

    monkeypatch.setattr(writer, "_bytes", slow)
    thread = threading.Thread(target=writer.measure)
    thread.start()
    assert measuring.wait(60)
    writer.append(LINE)
    assert not done.is_set()
    done.set()
    thread.join()
    assert writer._grant == 50_000 - measured_bytes(spool) - len(LINE)


def measured_bytes(spool: Path) -> int:
    """The bytes on disk; the second line is in the first one's block."""
    return sum(max(file.stat().st_size, file.stat().st_blocks * 512) for file in spool.iterdir())


def test_a_file_that_its_process_seals_while_it_is_claimed_is_left_to_the_next_claim(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, other = _spool(spool), _spool(spool)
    writer.append(LINE)

    def sealed_meanwhile(path: str) -> int:
        descriptor = open_to_lock(path)
        writer.seal()
        return descriptor

    monkeypatch.setattr("landfall.spool.open_to_lock", sealed_meanwhile)
    assert list(other.claim()) == []
    (segment,) = other.claim()
    other.remove(segment)
    assert list(spool.iterdir()) == []


def test_files_of_another_user_are_one_line_in_the_log(
    server: Server, make: Make, spool: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    spool.mkdir()
    for number in range(3):
        (spool / f"{number:013d}-1-aa.ndjson").write_bytes(b'{"notification_id":"x"}\n')

    def forbidden(path: str) -> int:  # Root may open every file, so the error is the test's.
        if path.endswith("-1-aa.ndjson"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return open_to_lock(path)

    monkeypatch.setattr("landfall.spool.open_to_lock", forbidden)
    recorder = make()
    identifier = new_id()
    recorder.record("fcm", notification_id=identifier, status=200, token="t")
    assert recorder.flush(60) and recorder.flush(60)
    assert server.ids() == [identifier]
    (line,) = [record.getMessage() for record in caplog.records if record.name == "landfall"]
    assert str(spool) in line and "Permission denied" in line and "one user" in line


def test_a_signal_handler_records_while_its_thread_does(spool: Path) -> None:
    writer = _spool(spool)
    done = threading.Event()

    def work() -> None:
        with writer._lock:  # as in the middle of `append`
            writer.append(LINE)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    assert done.wait(60)
