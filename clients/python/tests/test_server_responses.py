"""What the recorder does with each response of the server: nothing is lost, and the log says each problem once."""

from __future__ import annotations

import email.utils
import os
import socket
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest

from landfall import LandfallRecorder, new_id, uploader as module
from landfall.uploader import Uploader
from landfall.upload import read, retry_seconds

from .server import Reply, Server
from .test_recorder import Make, _until


def _record(recorder: LandfallRecorder, count: int) -> List[str]:
    ids = [new_id() for _ in range(count)]
    for identifier in ids:
        assert recorder.record("fcm", notification_id=identifier, status=200, token="t")
    return ids


def _lines(caplog: pytest.LogCaptureFixture) -> List[str]:
    return [record.getMessage() for record in caplog.records if record.name == "landfall"]


def test_a_batch_that_is_too_large_is_split_until_it_fits(server: Server, make: Make) -> None:
    recorder = make(interval=60)
    server.reply = lambda items: (413, {}, {"code": "too_many_items", "detail": "at most 10"}) if len(items) > 10 else None
    ids = _record(recorder, 100)
    assert recorder.flush(60)
    assert sorted(server.ids()) == sorted(ids)
    # The next batches are as large as those that fit.
    server.sizes.clear()
    _record(recorder, 30)
    assert recorder.flush(60)
    assert max(server.sizes) <= 12


def test_one_item_that_makes_the_request_invalid_does_not_hold_up_the_others(
    server: Server, make: Make, caplog: pytest.LogCaptureFixture, spool: Path
) -> None:
    recorder = make(interval=60)

    def reply(items: List[Dict[str, Any]]) -> "Reply | None":
        poisoned = any(item["token"] == "bad" for item in items)
        return (400, {}, {"code": "invalid_body", "detail": "cannot be read"}) if poisoned else None

    server.reply = reply
    ids = _record(recorder, 20)
    recorder.record("fcm", notification_id=new_id(), status=200, token="bad")
    ids += _record(recorder, 20)
    assert recorder.flush(60)
    assert sorted(server.ids()) == sorted(ids)
    assert recorder.lost == 1
    assert len(_lines(caplog)) == 1 and "cannot be read" in _lines(caplog)[0]
    assert os.listdir(spool) == []


@pytest.mark.parametrize(
    "reply", [(415, {}, {"code": "unsupported_encoding", "detail": "gzip"}), (400, {}, {"code": "invalid_encoding"})]
)
def test_a_body_that_was_damaged_on_its_way_keeps_everything(
    server: Server, make: Make, reply: Reply
) -> None:
    recorder = make(interval=60)
    server.reply = lambda items: reply
    ids = _record(recorder, 50)
    assert recorder.flush(0.5) is False
    _until(lambda: recorder._uploader.failures == 1)
    assert len(server.requests) == 1 and recorder.lost == 0
    server.reply = lambda items: None
    assert make().flush(60)
    assert server.ids() == ids


@pytest.mark.parametrize("count", [1, 5, 200])
def test_if_every_response_is_rejected_the_request_is_at_fault_and_all_are_kept(
    server: Server, make: Make, caplog: pytest.LogCaptureFixture, count: int
) -> None:
    recorder = make(interval=60)
    server.reply = lambda items: (400, {}, {"code": "invalid_json", "detail": "cannot be read"})
    ids = _record(recorder, count)
    assert recorder.flush(1) is False
    _until(lambda: recorder._uploader.failures == 1)
    assert len(server.requests) < 60 and recorder.lost == 0
    assert len(_lines(caplog)) == 1 and "the spool keeps them" in _lines(caplog)[0]
    server.reply = lambda items: None
    assert make().flush(60)
    assert server.ids() == ids


def test_responses_that_are_all_too_large_do_not_hold_up_later_ones(server: Server, make: Make, spool: Path) -> None:
    def reply(items: List[Dict[str, Any]]) -> Optional[Reply]:
        return (413, {}, b"<html>") if any(item["token"] == "large" for item in items) else None

    server.reply = reply
    recorder = make(interval=60)
    for _ in range(3):
        recorder.record("fcm", notification_id=new_id(), status=200, token="large")
    assert recorder.flush(1) is False
    _until(lambda: recorder._uploader.failures == 1)
    assert recorder.lost == 0
    ids = _record(recorder, 10)
    _until(lambda: recorder.flush(0.1))
    assert server.ids() == ids and recorder.lost == 3
    assert os.listdir(spool) == []


def test_a_repeated_upload_begins_after_the_batches_that_were_accepted(server: Server, make: Make) -> None:
    recorder = make(interval=60)
    recorder._uploader._batch_items = 10
    replies: List[Optional[Reply]] = [None, None, (503, {"Retry-After": "0"}, b"")]
    server.reply = lambda items: replies.pop(0) if replies else None
    ids = _record(recorder, 40)
    recorder.flush(0.1)
    _until(lambda: recorder._uploader.failures == 1 and recorder._uploader.retry_at > 0)
    _until(lambda: recorder.flush(0.1))
    assert server.ids() == ids and replies == []


def test_batches_grow_again_after_one_that_was_too_large(server: Server, make: Make) -> None:
    recorder = make(interval=60)
    limits = [10]
    server.reply = lambda items: (413, {}, {"code": "too_many_items"}) if len(items) > limits[0] else None
    _record(recorder, 40)
    assert recorder.flush(60)
    limits[0] = 10_000
    server.sizes.clear()
    _record(recorder, 2000)
    assert recorder.flush(60)
    assert server.sizes[0] <= 11 and max(server.sizes) > 40


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_url_keeps_the_spool_and_is_seldom_tried_and_logged_once(
    server: Server, make: Make, caplog: pytest.LogCaptureFixture, spool: Path, status: int
) -> None:
    recorder = make(interval=60)
    server.reply = lambda items: (status, {}, {"code": "unauthorized", "detail": "the key is unknown"})
    _record(recorder, 3)
    assert recorder.flush(0.5) is False
    _until(lambda: recorder._uploader.retry_at - time.monotonic() > 60)
    _record(recorder, 3)
    assert len(server.requests) == 1
    (line,) = _lines(caplog)
    assert "check the" in line and "the key is unknown" in line
    server.reply = lambda items: None
    assert make().flush(60)  # as after a restart with another key; the first recorder holds its own file
    assert len(server.items) == 3


def test_retry_after_is_obeyed_and_a_flush_does_not_override_it(server: Server, make: Make) -> None:
    recorder = make()
    server.reply = lambda items: (429, {"Retry-After": "600"}, {"code": "rate_limited", "detail": "slower"})
    _record(recorder, 1)
    assert recorder.flush(0.3) is False
    _until(lambda: recorder._uploader.retry_at > 0)
    assert recorder.flush(0.3) is False
    assert len(server.requests) == 1
    assert 500 <= recorder._uploader.retry_at - time.monotonic() <= 750


def test_an_outage_is_tried_again_and_the_log_says_when_it_is_over(
    server: Server, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    replies: List[Reply] = [(503, {"Retry-After": "0"}, b"<html>"), (502, {"Retry-After": "0"}, b"<html>")]
    server.reply = lambda items: replies.pop(0) if replies else None
    recorder = make()
    ids = _record(recorder, 5)
    _until(lambda: server.ids() == ids)
    _until(lambda: len(_lines(caplog)) == 3)
    assert "503" in _lines(caplog)[0] and "502" in _lines(caplog)[1] and "again" in _lines(caplog)[2]


def test_without_retry_after_pauses_grow_and_differ(make: Make) -> None:
    recorder = make()
    response = read(503, {}, b"", 1)
    pauses = [recorder._uploader.failed(response) for _ in range(12)]
    for attempt, pause in enumerate(pauses, 1):
        assert min(2**attempt, 300) / 2 <= pause <= min(2**attempt, 300)
    assert len({round(pause, 6) for pause in pauses}) > 9
    recorder._uploader.failures = 5000  # as after two weeks
    assert recorder._uploader.failed(response) <= 300


@pytest.mark.parametrize(
    "reply",
    [
        (200, {}, b"<html>Sign in to the Wi-Fi</html>"),
        (200, {}, {"accepted": 0, "duplicates": 0, "rejected": 0}),
        (302, {"Location": "/elsewhere"}, b""),
        (400, {}, b"<html>Bad request</html>"),
    ],
)
def test_a_response_that_is_not_landfalls_loses_nothing(server: Server, make: Make, spool: Path, reply: Reply) -> None:
    server.reply = lambda items: reply
    recorder = make()
    _record(recorder, 2)
    assert recorder.flush(0.2) is False
    _until(lambda: recorder._uploader.failures >= 1)
    assert recorder.lost == 0
    assert sum(path.stat().st_size for path in spool.iterdir()) > 0


def test_rejected_items_and_warnings_are_logged_once_for_each_code(
    server: Server, make: Make, caplog: pytest.LogCaptureFixture, spool: Path
) -> None:
    def reply(items: List[Dict[str, Any]]) -> Reply:
        errors = [{"index": 0, "code": "unknown_provider", "detail": "use one of apns, fcm"}]
        warnings = [{"index": 1, "code": "unregistered_token", "detail": "no app has registered it"}]
        verdict = {"accepted": len(items) - 1, "duplicates": 0, "rejected": 1, "errors": errors, "warnings": warnings}
        return 200, {}, verdict

    server.reply = reply
    recorder = make(interval=60)
    for _ in range(3):
        _record(recorder, 5)
        assert recorder.flush(60)
    rejected, warned = _lines(caplog)
    assert "unknown_provider" in rejected and "use one of apns, fcm" in rejected and "quarantine replay" in rejected
    assert "unregistered_token" in warned
    assert os.listdir(spool) == [] and recorder.lost == 0


def test_a_single_rejected_item_is_in_quarantine_too(
    server: Server, recorder: LandfallRecorder, caplog: pytest.LogCaptureFixture
) -> None:
    server.reply = lambda items: (422, {}, {"code": "invalid_token", "detail": "null is not a token"})
    _record(recorder, 1)
    assert recorder.flush(60)
    assert "quarantine" in _lines(caplog)[0]


def test_a_server_that_says_nothing_does_not_hold_up_the_sender(make: Make, spool: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        recorder = make(url=f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=30)
        _record(recorder, 1)
        assert recorder.flush(0.2) is False
        _until(lambda: bool(recorder._spool._claimed))
        _record(recorder, 1000)  # The background thread is waiting for the response.
        assert len(list(spool.iterdir())) == 2


def test_retry_after_is_seconds_or_a_date_and_at_most_an_hour() -> None:
    now = 1_795_424_400.0
    assert retry_seconds("30", now) == 30
    assert retry_seconds(email.utils.formatdate(now + 90, usegmt=True), now) == 90
    assert retry_seconds("-5", now) == 0
    assert retry_seconds("86400", now) == 3600
    assert retry_seconds("soon", now) is None
    assert retry_seconds(None, now) is None


def test_a_bug_in_the_thread_does_not_end_it(
    server: Server, make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures = iter([RuntimeError("bug")])
    deliver = Uploader.deliver

    def broken(self: Uploader, lines: List[bytes]) -> float:
        for error in failures:
            raise error
        return deliver(self, lines)

    monkeypatch.setattr(Uploader, "deliver", broken)
    monkeypatch.setattr(module, "MOST_PAUSE", 0.05)
    recorder = make()
    ids = _record(recorder, 3)
    _until(lambda: server.ids() == ids)
    assert "RuntimeError: bug" in _lines(caplog)[0]
