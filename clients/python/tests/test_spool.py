"""The spool: what is on disk survives processes that are killed, forked, or share the folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import List

import pytest

from landfall import new_id
from landfall.spool import Spool, SpoolFull

from .process import run, start
from .server import Server
from .test_recorder import Make, _until

NOWHERE = "http://127.0.0.1:1"

# Prints each id once `record` has returned.
ENDLESS = """
recorder = make()
while True:
    identifier = landfall.new_id()
    assert record(recorder, identifier)
    os.write(1, (identifier + "\\n").encode())
"""


def _kill_after(count: int, url: str, spool: Path) -> List[str]:
    """The ids that a process recorded until it was killed, at least this many."""
    process = start(ENDLESS, url, spool)
    assert process.stdout is not None
    ids = [process.stdout.readline() for _ in range(count)]
    process.send_signal(signal.SIGKILL)
    ids += process.stdout.readlines()
    process.communicate()
    return [line.strip() for line in ids if line.endswith("\n")]


def test_a_killed_process_loses_nothing_that_it_recorded(server: Server, make: Make, spool: Path) -> None:
    ids = [identifier for run in range(4) for identifier in _kill_after(1 + 300 * run, NOWHERE, spool)]
    assert len(ids) >= 1804
    assert make().flush(60)
    assert set(server.ids()) >= set(ids)
    # At most the last record of each process was on disk and not printed.
    assert len(server.items) == len(set(server.ids())) <= len(ids) + 4
    assert os.listdir(spool) == []


def test_a_process_killed_during_uploads_loses_nothing(server: Server, make: Make, spool: Path) -> None:
    ids: List[str] = []
    for run in range(4):
        process = start(ENDLESS, server.url, spool)
        assert process.stdout is not None
        requests = len(server.requests)
        lines = [process.stdout.readline()]
        while len(server.requests) <= requests + run:
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
        process.communicate()
        ids += [line.strip() for line in lines if line.endswith("\n")]
    assert make().flush(60)
    assert set(server.ids()) >= set(ids)
    assert os.listdir(spool) == []


def test_processes_share_a_folder_and_upload_each_record_once(server: Server, make: Make, spool: Path) -> None:
    program = """
recorder = make()
for _ in range(3000):
    identifier = landfall.new_id()
    assert record(recorder, identifier)
    print(identifier)
    if _ % 500 == 0:
        time.sleep(0.02)
assert recorder.flush(60)
"""
    processes = [start(program, server.url, spool) for _ in range(4)]
    ids = [line for process in processes for line in process.communicate(timeout=300)[0].split()]
    assert [process.returncode for process in processes] == [0] * 4
    assert len(ids) == 12_000
    assert make().flush(60)
    assert sorted(server.ids()) == sorted(ids)
    assert os.listdir(spool) == []


def test_a_living_process_uploads_what_a_killed_one_left(server: Server, make: Make, spool: Path) -> None:
    recorder = make()
    assert recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    assert recorder.flush(60)
    ids = _kill_after(300, NOWHERE, spool)
    recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    _until(lambda: set(server.ids()) >= set(ids))


def test_forked_workers_record_for_themselves(server: Server, spool: Path) -> None:
    program = """
recorder = make()
assert record(recorder, landfall.new_id())     # starts the thread before the fork, as a preloaded worker does
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        for _ in range(200):
            assert record(recorder, landfall.new_id())
        sys.exit(0)                            # uploads at the end of its own process
    children.append(child)
for _ in range(200):
    assert record(recorder, landfall.new_id())
assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
assert recorder.flush(60)
"""
    run(program, server.url, spool)
    assert len(server.items) == len(set(server.ids())) == 801
    assert os.listdir(spool) == []


def test_a_child_that_outlives_its_parent_does_not_keep_its_file_locked(server: Server, make: Make, spool: Path) -> None:
    program = """
recorder = landfall.LandfallRecorder("http://127.0.0.1:1", "key", spool)
assert record(recorder, landfall.new_id())
if os.fork() == 0:
    os.close(1); os.close(2)
    time.sleep(30)
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""
    process = start(program, server.url, spool)
    process.communicate(timeout=300)
    assert process.returncode == -signal.SIGKILL
    assert make().flush(60)
    assert len(server.items) == 1


def test_a_line_that_was_cut_off_or_is_not_one_is_left_out(server: Server, make: Make, spool: Path) -> None:
    spool.mkdir()
    good = [b'{"notification_id":"%d"}\n' % number for number in range(3)]
    (spool / "0000000000001-1-aa.ndjson").write_bytes(good[0] + b"\0" * 50 + b"\n" + good[1] + b'{"notification_id":"x')
    (spool / "0000000000002-1-aa.ndjson").write_bytes(b"")
    (spool / "0000000000003-1-aa.ndjson").write_bytes(good[2])
    (spool / "notes.txt").write_text("of another program")
    assert make().flush(60)
    assert server.ids() == ["0", "1", "2"]
    assert os.listdir(spool) == ["notes.txt"]


def test_files_are_private(make: Make, spool: Path) -> None:
    recorder = make(url=NOWHERE)
    recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    (file,) = spool.iterdir()
    assert spool.stat().st_mode & 0o777 == 0o700 and file.stat().st_mode & 0o777 == 0o600


def test_the_folder_has_a_bound_and_what_is_in_it_is_never_dropped(
    server: Server, make: Make, spool: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = make(url=NOWHERE, max_disk=100_000, interval=60)  # Its thread takes no file meanwhile.
    ids = [new_id() for _ in range(2000)]
    kept = [identifier for identifier in ids if recorder.record("fcm", notification_id=identifier, status=200, token="t")]
    assert 400 < len(kept) < 1000 and kept == ids[: len(kept)]
    assert recorder.lost == 2000 - len(kept)
    assert sum(file.stat().st_size for file in spool.iterdir()) <= 100_000
    full = [record.getMessage() for record in caplog.records if "max_disk" in record.getMessage()]
    assert len(full) == 1
    recorder._spool.seal()
    assert make().flush(60)
    assert server.ids() == kept
    # There is room again.
    _until(lambda: recorder.record("fcm", notification_id=new_id(), status=200, token="t"))


def test_small_files_count_with_the_blocks_that_they_need(spool: Path) -> None:
    spool.mkdir()
    for number in range(50):
        (spool / f"{number:013d}-1-aa.ndjson").write_bytes(b"{}\n")
    blocks = sum(file.stat().st_blocks * 512 for file in spool.iterdir())
    with pytest.raises(SpoolFull):
        Spool(str(spool), max(blocks, 150)).append(b"{}\n")


def test_what_other_processes_write_counts_as_well(spool: Path) -> None:
    first, second = Spool(str(spool), 20_000), Spool(str(spool), 20_000)
    line = b"{" + b"x" * 997 + b"}\n"
    for _ in range(18):
        first.append(line)
    with pytest.raises(SpoolFull):
        for _ in range(5):
            second.append(line)


def test_many_processes_together_stay_within_the_bound(spool: Path) -> None:
    bound = 3 << 20
    line = b"{" + b"x" * 997 + b"}\n"
    # Each has been granted something before any of the others has written.
    writers = [Spool(str(spool), bound) for _ in range(20)]
    for writer in writers:
        writer.append(line)
    for writer in writers:
        with contextlib.suppress(SpoolFull):
            while True:
                writer.append(line)
        writer.measure()
    size = sum(file.stat().st_size for file in spool.iterdir())
    assert bound // 2 < size <= bound


def test_the_end_of_a_process_that_has_nothing_left_does_not_wait(server: Server, make: Make, spool: Path) -> None:
    Spool(str(spool), 1 << 20).append(b'{"notification_id":"of another process"}\n')
    recorder = make(url=NOWHERE)
    recorder._uploader.flush = None  # type: ignore[method-assign, assignment]
    recorder._uploader.end()


def test_what_is_left_is_uploaded_when_a_recorder_is_made(server: Server, make: Make, spool: Path) -> None:
    ids = _kill_after(10, NOWHERE, spool)
    recorder = make()
    _until(lambda: set(server.ids()) >= set(ids))
    del recorder


def test_a_flush_is_done_once_another_process_has_uploaded_the_file_that_it_claimed(
    server: Server, make: Make, spool: Path
) -> None:
    recorder = make(interval=60)
    recorder.record("fcm", notification_id="a", status=200, token="t")
    recorder._spool.seal()
    other = Spool(str(spool), 1 << 20)
    (segment,) = other.claim()
    assert not recorder.flush(0.5)
    flushed: List[bool] = []
    thread = threading.Thread(target=lambda: flushed.append(recorder.flush(60)))
    thread.start()
    recorder.record("fcm", notification_id="b", status=200, token="t")
    _until(lambda: "b" in server.ids())
    assert not flushed
    other.remove(segment)
    thread.join()
    assert flushed == [True] and server.ids() == ["b"]


def test_a_flush_uploads_a_file_that_another_process_claimed_and_left(server: Server, make: Make, spool: Path) -> None:
    recorder = make(interval=60)
    recorder.record("fcm", notification_id="a", status=200, token="t")
    recorder._spool.seal()
    other = Spool(str(spool), 1 << 20)
    assert len(list(other.claim())) == 1
    flushed: List[bool] = []
    thread = threading.Thread(target=lambda: flushed.append(recorder.flush(60)))
    thread.start()
    _until(lambda: recorder._uploader._sealed != set())
    assert not flushed and server.ids() == []
    other.release_all()
    thread.join()
    assert flushed == [True] and server.ids() == ["a"]


def test_files_of_the_client_for_node_in_the_same_folder_are_left_alone(
    server: Server, make: Make, spool: Path
) -> None:
    spool.mkdir()
    names = ["1795424400000-17-0a1b2c3d4e5f.jsonl", "1795424400000-17-0a1b2c3d4e5f.open", "rejected.jsonl", "uploading"]
    for name in names:
        (spool / name).write_bytes(b'{"type":"response"}\n' * 10_000)
    recorder = make(max_disk=100_000)  # They have a bound of their own.
    assert recorder.record("fcm", notification_id="a", status=200, token="t")
    assert recorder.flush(60)
    assert server.ids() == ["a"] and sorted(os.listdir(spool)) == names


def test_a_file_that_two_claim_goes_to_one(spool: Path) -> None:
    writer = Spool(str(spool), 1 << 20)
    writer.append(b"{}\n")
    assert list(Spool(str(spool), 1 << 20).claim()) == []
    writer.seal()
    first, second = Spool(str(spool), 1 << 20), Spool(str(spool), 1 << 20)
    (segment,) = first.claim()
    assert list(second.claim()) == []
    first.release_all()
    (segment,) = second.claim()
    assert list(segment.lines()) == [(b"{}\n", 0)]
    second.remove(segment)
    assert list(first.claim()) == []


def test_what_killed_processes_left_needs_no_grant_once_it_was_claimed(spool: Path) -> None:
    for _ in range(20):
        start("record(make(), landfall.new_id()); os.kill(os.getpid(), 9)", NOWHERE, spool).communicate(timeout=300)
    reader = Spool(str(spool), 1 << 20)
    assert len(list(reader.claim())) == 20
    reader.release_all()
    assert not [name for name in os.listdir(spool) if ".open" in name]
    Spool(str(spool), 256 << 10).append(b"{}\n")


def test_a_program_that_inherited_the_lock_does_not_keep_it(spool: Path) -> None:
    writer = Spool(str(spool), 1 << 20)
    writer.append(b"{}\n")
    sleeper = subprocess.Popen(["sleep", "60"], pass_fds=[writer._descriptor])
    try:
        writer.seal()
        assert len(list(Spool(str(spool), 1 << 20).claim())) == 1
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_file_that_was_claimed_between_creation_and_lock_is_replaced(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    removed: List[Path] = []

    def claimed_meanwhile(descriptor: int, operation: int) -> None:
        if not removed:
            removed.extend(spool.iterdir())
            removed[0].unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", claimed_meanwhile)
    writer = Spool(str(spool), 1 << 20)
    writer.append(b"{}\n")
    (file,) = spool.iterdir()
    assert file != removed[0] and file.read_bytes() == b"{}\n"
