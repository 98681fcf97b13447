"""A disk that is full, read-only or missing: one line in the log, and responses wait in memory."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Callable, Iterator, List

import pytest

from landfall import LandfallRecorder, new_id, spool as module, uploader as uploader_module

from .process import run
from .server import Server
from .test_recorder import Make, _until

Mount = Callable[..., None]


@pytest.fixture
def mount(spool: Path) -> Iterator[Mount]:
    """Mounts a small disk on the spool; only root can."""
    spool.mkdir()
    mounted: List[str] = []

    def mount(*options: str) -> None:
        command = ["mount", *options, str(spool)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("cannot mount a disk here")
        mounted.append(str(spool))

    yield mount
    if mounted:
        subprocess.run(["umount", "--lazy", mounted[0]], check=True)


def _lines(caplog: pytest.LogCaptureFixture) -> List[str]:
    return [record.getMessage() for record in caplog.records if record.name == "landfall"]


def _record(recorder: LandfallRecorder, count: int) -> List[str]:
    ids = [new_id() for _ in range(count)]
    return [identifier for identifier in ids if recorder.record("fcm", notification_id=identifier, status=200, token="t")]


def test_a_full_disk_is_survived_and_used_again(
    server: Server, make: Make, spool: Path, mount: Mount, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mount("-t", "tmpfs", "-o", "size=64k", "landfall-test")
    recorder = make(url="http://127.0.0.1:1")
    ids = _record(recorder, 2000)
    assert len(ids) == 2000 and recorder.lost == 0 and len(recorder._memory) > 1000
    assert len(_lines(caplog)) <= 2 and "cannot write to" in "".join(_lines(caplog))
    # Another process with the same folder uploads what fits; this one then has room for the rest.
    assert make().flush(60)
    waiting = len(recorder._memory)
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.0)
    recorder._spool._broken_until = 0.0
    recorder._uploader.empty_memory()
    assert len(recorder._memory) < waiting
    recorder._uploader.url = server.url
    recorder._uploader.retry_at = 0.0
    _until(lambda: set(server.ids()) == set(ids))
    monkeypatch.setattr(uploader_module, "CALM_SECONDS", 0.0)
    _until(lambda: bool(_record(recorder, 1)) and any("can be written to again" in line for line in _lines(caplog)))


def test_a_limit_on_the_size_of_files_is_survived(server: Server, spool: Path) -> None:
    program = """
import logging
logging.basicConfig()
resource.setrlimit(resource.RLIMIT_FSIZE, (10_050, 10_050))
recorder = landfall.LandfallRecorder("http://127.0.0.1:1", "key", spool)
ids = [landfall.new_id() for _ in range(500)]
assert all(record(recorder, identifier) for identifier in ids)
assert recorder.lost == 0
recorder._spool.seal()
recorder._uploader.url = url
assert recorder._uploader.upload() == 0
"""
    errors = run(program, server.url, spool).stderr
    assert errors.count("cannot write to") == 1
    assert len(server.items) == len(set(server.ids())) == 500


def test_a_read_only_folder_is_survived_and_uploaded_once(
    server: Server, make: Make, spool: Path, mount: Mount, caplog: pytest.LogCaptureFixture
) -> None:
    if os.geteuid() == 0:
        mount("-t", "tmpfs", "-o", "size=1m", "landfall-test")
    (spool / "0000000000001-1-aa.ndjson").write_text('{"notification_id":"left"}\n')
    if os.geteuid() == 0:
        subprocess.run(["mount", "-o", "remount,ro", str(spool)], check=True)
    else:
        spool.chmod(0o500)
    recorder = make(interval=60)
    ids = _record(recorder, 300)
    assert recorder.flush(60)
    ids += _record(recorder, 1)
    assert recorder.flush(60)
    assert len(ids) == 301 and sorted(server.ids()) == sorted([*ids, "left"])
    assert len(_lines(caplog)) == 1 and "cannot write to" in _lines(caplog)[0]
    if os.geteuid() != 0:
        spool.chmod(0o700)


def test_a_folder_that_cannot_be_made_leaves_the_memory(server: Server, make: Make, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    recorder = make(spool=str(tmp_path / "file" / "spool"))
    ids = _record(recorder, 50)
    assert recorder.flush(60)
    assert server.ids() == ids


def test_the_memory_has_a_bound(server: Server, make: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("not a folder")
    recorder = make(spool=str(tmp_path / "file"), max_memory=10_000, interval=60)
    ids = _record(recorder, 500)
    assert 50 < len(ids) < 100 and recorder.lost == 500 - len(ids)
    assert len(_lines(caplog)) == 2 and "max_memory" in _lines(caplog)[1]
    assert recorder.flush(60)
    assert server.ids() == ids
    assert f"{recorder.lost} were lost" in _lines(caplog)[2]
    assert len(_record(recorder, 10)) == 10
