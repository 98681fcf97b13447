"""What a recorder uploads, and what it costs a sender when something is wrong with a record."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Callable, List

import pytest

import landfall
from landfall import LandfallRecorder, labels, new_id

from .server import Server

Make = Callable[..., LandfallRecorder]


def test_a_response_is_posted_with_its_fields_and_removed_from_the_spool(
    server: Server, recorder: LandfallRecorder, spool: Path
) -> None:
    before = int(time.time() * 1000)
    identifier = new_id()
    assert recorder.record("apns", notification_id=identifier, status=410, reason="Unregistered", token="ab", topic=None)
    assert recorder.flush(60)
    (item,) = server.items
    assert before <= item.pop("sent_at") <= int(time.time() * 1000)
    assert item == {
        "type": "response", "provider": "apns", "notification_id": identifier, "status": 410,
        "reason": "Unregistered", "token": "ab",
    }  # fmt: skip
    assert server.requests[0]["Authorization"] == "Bearer lf_server_key"
    assert server.requests[0]["path"] == "/v1/events"
    assert os.listdir(spool) == []


def test_responses_are_gathered_into_requests_in_order(server: Server, make: Make) -> None:
    recorder = make(interval=60)
    ids = [new_id() for _ in range(12_000)]
    for identifier in ids:
        recorder.record("fcm", notification_id=identifier, status=200, token="t")
    assert recorder.flush(60)
    assert server.ids() == ids
    assert max(server.sizes) == 5000


def test_responses_are_uploaded_without_a_flush(server: Server, recorder: LandfallRecorder) -> None:
    recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    _until(lambda: len(server.items) == 1)
    recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    _until(lambda: len(server.items) == 2)


def test_labels_and_the_sender_are_added_and_fields_take_precedence(server: Server, make: Make) -> None:
    recorder = make(sender="checkout")
    with labels(campaign="spring", variant="a"):
        with labels(variant="b"):
            recorder.record("fcm", message_id=new_id(), status=200, token="t")
        recorder.record("fcm", message_id=new_id(), status=200, token="t", campaign="summer", sender="crm")
    recorder.record("fcm", message_id=new_id(), status=200, token="t")
    recorder.flush(60)
    found = [[item.get(name) for name in ("sender", "campaign", "variant")] for item in server.items]
    assert found == [["checkout", "spring", "b"], ["crm", "summer", "a"], ["checkout", None, None]]


def test_many_threads_record_everything_once(server: Server, recorder: LandfallRecorder) -> None:
    ids: List[str] = [new_id() for _ in range(4000)]

    def work(part: List[str]) -> None:
        for identifier in part:
            recorder.record("fcm", notification_id=identifier, status=200, token="t")

    threads = [threading.Thread(target=work, args=(ids[start::8],)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorder.flush(60)
    assert sorted(server.ids()) == sorted(ids)


def test_a_value_that_json_does_not_have_is_text_and_the_sender_sees_no_error(
    server: Server, recorder: LandfallRecorder, caplog: pytest.LogCaptureFixture
) -> None:
    assert recorder.record("fcm", notification_id=new_id(), status=400, error=b"caf\xc3\xa9 \xff")
    assert recorder.record("fcm", notification_id=new_id(), status=400, error=ValueError("no"), reason="half \ud83d")
    circle: "list[object]" = []
    circle.append(circle)
    with caplog.at_level(logging.WARNING, "landfall"):
        assert recorder.record("fcm", notification_id=new_id(), status=400, error=circle) is False
        assert recorder.record("fcm", notification_id=new_id(), status=400, error=circle) is False
        assert recorder.record("fcm", notification_id=new_id(), status=400, error="x" * 70_000) is False
    assert recorder.lost == 3
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    recorder.flush(60)
    assert [item["error"] for item in server.items] == ["café \ufffd", "no"]
    assert server.items[1]["reason"] == "half ?"


def test_a_url_or_key_that_cannot_be_one_is_an_error_at_once(make: Make) -> None:
    with pytest.raises(ValueError, match="https://"):
        make(url="push.example.com")
    with pytest.raises(ValueError, match="key create"):
        make(key=" ")
    for key in ("lf_server_a\nb", "lf_server_a b", "Bearer\tx", "lf_servér"):
        with pytest.raises(ValueError, match="copy it again") as raised:
            make(key=key)
        assert key not in str(raised.value)
    with pytest.raises(ValueError, match="lf_device_….*--kind server"):
        make(key="lf_device_abc")
    with pytest.raises(ValueError, match="lf_hook_ab….*--kind server"):
        make(key="lf_hook_abc")


def test_a_log_handler_that_raises_stops_neither_a_push_nor_the_uploads(server: Server, recorder: LandfallRecorder) -> None:
    class Broken(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise RuntimeError("broken")

    handler = Broken()
    logging.getLogger("landfall").addHandler(handler)
    try:
        # It cannot be recorded, and a line says so.
        assert not recorder.record("fcm", notification_id=new_id(), status=200, token="t" * 200_000)
        server.reply = lambda items: (500, {}, {})
        recorder.record("fcm", notification_id=new_id(), status=200, token="t")
        _until(lambda: len(server.requests) > 0)
        server.reply = lambda items: None
        assert recorder.flush(60)
    finally:
        logging.getLogger("landfall").removeHandler(handler)
    assert len(server.items) == 1


def test_a_number_that_json_cannot_express_is_not_recorded(server: Server, recorder: LandfallRecorder) -> None:
    assert not recorder.record("fcm", notification_id=new_id(), status=200, token="t", sent_at=float("nan"))  # type: ignore[arg-type]
    recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    assert recorder.flush(60)
    assert len(server.items) == 1


def test_a_signal_handler_records_at_any_time(server: Server, spool: Path) -> None:
    program = """
import signal, sys
import landfall
recorder = landfall.LandfallRecorder(sys.argv[1], "key", sys.argv[2], interval=0.001)
interrupted = []
def handler(number, frame):
    identifier = landfall.new_id()
    assert recorder.record("fcm", notification_id=identifier, status=200, token="t")
    interrupted.append(identifier)
    signal.setitimer(signal.ITIMER_REAL, 0.0005)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0005)
ids = []
while len(interrupted) < 300:
    identifier = landfall.new_id()
    assert recorder.record("fcm", notification_id=identifier, status=200, token="t")
    ids.append(identifier)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
assert recorder.flush(60)
print(*ids, *interrupted)
"""
    root = str(Path(landfall.__file__).parents[1])
    command = [sys.executable, "-c", program, server.url, str(spool)]
    output = subprocess.run(command, check=True, timeout=300, cwd=root, capture_output=True, text=True).stdout
    assert sorted(server.ids()) == sorted(output.split())


def test_the_end_of_the_process_uploads_what_is_left(server: Server, spool: Path) -> None:
    program = (
        "import landfall, sys\n"
        "recorder = landfall.LandfallRecorder(sys.argv[1], 'key', sys.argv[2], interval=60, exit_timeout=60)\n"
        "recorder.record('fcm', notification_id=landfall.new_id(), status=200, token='t')\n"
    )
    root = str(Path(landfall.__file__).parents[1])
    subprocess.run([sys.executable, "-c", program, server.url, str(spool)], check=True, timeout=300, cwd=root)
    assert len(server.items) == 1
    assert os.listdir(spool) == []


def test_a_flush_of_a_server_that_is_away_returns_at_once_and_keeps_everything(make: Make, spool: Path) -> None:
    recorder = make(url="http://127.0.0.1:1")
    recorder.record("fcm", notification_id=new_id(), status=200, token="t")
    assert recorder.flush(0.4) is False
    assert sum(path.stat().st_size for path in spool.iterdir()) > 0


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
