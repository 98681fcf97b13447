"""pyfcm: the library itself, with an FCM in the test's process."""

from __future__ import annotations

import json
from typing import Any

import pyfcm.errors
import pytest
from pyfcm import FCMNotification

import landfall.pyfcm
from landfall import LandfallRecorder

from .provider import Provider
from .server import Server
from .test_firebase_admin import ERRORS, Token, fcm


@pytest.fixture
def client(provider: Provider, recorder: LandfallRecorder) -> Any:
    provider.reply = fcm
    client = FCMNotification(credentials=Token(), project_id="shop")
    client._fcm_end_point = provider.url + "/v1/projects/shop/messages:send"
    return landfall.pyfcm.recorded(client, recorder)


def test_a_push_is_recorded_with_the_id_in_its_data(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    data = {"order": "42"}
    config = {"priority": "high", "collapse_key": "orders"}
    result = client.notify("t1", "On its way", data_payload=data, android_config=config)
    assert result == {"name": "projects/shop/messages/0:t1"} and data == {"order": "42"}
    recorder.flush(60)
    (item,) = server.items
    message = provider.bodies[0]["message"]
    assert message["token"] == "t1" and message["notification"] == {"title": "On its way"}
    assert json.loads(message["data"]["landfall"]) == {"id": item["notification_id"]}
    item.pop("sent_at")
    assert item == {
        "type": "response", "provider": "fcm", "notification_id": item["notification_id"], "status": 200,
        "token": "t1", "provider_id": "projects/shop/messages/0:t1", "priority": "high", "collapse_id": "orders",
    }  # fmt: skip


def test_an_error_is_recorded_with_fcms_body_and_raised(server: Server, recorder: LandfallRecorder, client: Any) -> None:
    with pytest.raises(pyfcm.errors.FCMNotRegisteredError):
        client.notify(fcm_token="gone", notification_title="Hi")
    with pytest.raises(pyfcm.errors.FCMSenderIdMismatchError):
        client.notify(fcm_token="other", notification_title="Hi")
    with pytest.raises(pyfcm.errors.FCMServerError):
        client.notify(fcm_token="fast", notification_title="Hi")
    recorder.flush(60)
    assert [item["status"] for item in server.items] == [404, 403, 429]
    for item, name in zip(server.items, ("gone", "other", "fast")):
        assert ERRORS[name][2] in item["error"]


def test_pushes_of_a_list_are_recorded_one_by_one(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    pushes = [{"fcm_token": "t1", "notification_title": "Hi"}, {"fcm_token": "gone"}, {"topic_name": "news"}]
    results = client.async_notify_multiple_devices(pushes)
    assert len(results) == 3 and pushes[1] == {"fcm_token": "gone"}
    recorder.flush(60)
    assert sorted((item["token"], item["status"]) for item in server.items) == [("gone", 404), ("t1", 200)]
    assert len(set(server.ids())) == 2


def test_a_list_whose_requests_fail_in_part_is_recorded_one_by_one(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    def reply(path: str, body: Any) -> Any:
        # A gateway's page is not JSON, so the library raises, and drops the other results.
        return (502, "<html>") if body["message"].get("token") == "t2" else fcm(path, body)

    provider.reply = reply
    with pytest.raises(json.JSONDecodeError):
        client.async_notify_multiple_devices([{"fcm_token": name, "notification_title": "Hi"} for name in ("t1", "t2", "t3")])
    recorder.flush(60)
    found = {item["token"]: item["status"] for item in server.items}
    assert len(server.items) == 3 and set(found) == {"t1", "t2", "t3"} and found["t2"] == 0
    # What had its response before that has it; what had none by then has status 0.
    assert {found["t1"], found["t3"]} <= {200, 0}
    server.items.clear()
    provider.close()
    with pytest.raises(OSError):
        client.async_notify_multiple_devices([{"fcm_token": "t1"}, {"fcm_token": "t2"}])
    recorder.flush(60)
    assert sorted((item["token"], item["status"]) for item in server.items) == [("t1", 0), ("t2", 0)]
    server.items.clear()
    with pytest.raises(pyfcm.errors.InvalidDataError):
        client.async_notify_multiple_devices([{"fcm_token": "t1"}, {"fcm_token": "t2", "data_payload": "text"}])
    assert recorder.flush(60) and server.items == []


def test_a_response_before_another_one_fails_is_recorded(
    server: Server, recorder: LandfallRecorder, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send(end_point: str, headers: Any, payload: Any, timeout: Any = 5) -> Any:
        if b"t2" in payload:
            raise ConnectionError("reset")
        return {"name": "m"}

    monkeypatch.setattr("pyfcm.async_fcm.send_request", send)
    with pytest.raises(ConnectionError):
        client.async_notify_multiple_devices([{"fcm_token": name} for name in ("t1", "t2", "t3")])
    recorder.flush(60)
    found = [(item["token"], item["status"], item.get("provider_id")) for item in server.items]
    assert found[:2] == [("t1", 200, "m"), ("t2", 0, None)] and len(found) == 3


def test_data_for_android_and_web_push_has_the_same_id(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    config = {"data": {"order": "1"}}
    client.notify("t1", notification_title="Hi", android_config=config, webpush_config={"data": {"order": "2"}})
    recorder.flush(60)
    message = provider.bodies[0]["message"]
    marks = [json.loads(part["data"]["landfall"]) for part in (message, message["android"], message["webpush"])]
    assert marks == [{"id": server.ids()[0]}] * 3 and config == {"data": {"order": "1"}}


def test_a_push_whose_notification_would_be_dropped_with_data_is_sent_without_it(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    client.notify("t1", notification_image="https://shop.example/a.png")
    recorder.flush(60)
    message = provider.bodies[0]["message"]
    assert message == {"token": "t1", "notification": {"image": "https://shop.example/a.png"}}
    assert [item["status"] for item in server.items] == [200]


def test_topics_dry_runs_and_errors_before_sending_are_not_recorded(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    client.notify(topic_name="news", notification_title="Hi")
    client.notify("t1", notification_title="Hi", dry_run=True)
    with pytest.raises(pyfcm.errors.InvalidDataError):
        client.notify("t1", data_payload="text")
    assert recorder.flush(60)
    assert server.items == []
    assert all("data" not in body["message"] for body in provider.bodies)


def test_no_response_is_recorded_as_such(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **names: Any) -> Any:
        raise ConnectionError("reset")

    monkeypatch.setattr(client, "send_request", fail)
    with pytest.raises(ConnectionError):
        client.notify("t1", notification_title="Hi")
    recorder.flush(60)
    assert [(item["status"], item["reason"]) for item in server.items] == [(0, "ConnectionError")]
