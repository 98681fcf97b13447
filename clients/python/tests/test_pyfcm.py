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
    recorder.flush(5)
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
    recorder.flush(5)
    assert [item["status"] for item in server.items] == [404, 403, 429]
    for item, name in zip(server.items, ("gone", "other", "fast")):
        assert ERRORS[name][2] in item["error"]


def test_pushes_of_a_list_are_recorded_one_by_one(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    pushes = [{"fcm_token": "t1", "notification_title": "Hi"}, {"fcm_token": "gone"}, {"topic_name": "news"}]
    results = client.async_notify_multiple_devices(pushes)
    assert len(results) == 3 and pushes[1] == {"fcm_token": "gone"}
    recorder.flush(5)
    assert [(item["token"], item["status"]) for item in server.items] == [("t1", 200), ("gone", 404)]
    assert len(set(server.ids())) == 2


def test_topics_dry_runs_and_errors_before_sending_are_not_recorded(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    client.notify(topic_name="news", notification_title="Hi")
    client.notify("t1", notification_title="Hi", dry_run=True)
    with pytest.raises(pyfcm.errors.InvalidDataError):
        client.notify("t1", data_payload="text")
    assert recorder.flush(5)
    assert server.items == []
    assert all("data" not in body["message"] for body in provider.bodies)


def test_no_response_is_recorded_as_such(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any, **names: Any) -> Any:
        raise ConnectionError("refused")

    monkeypatch.setattr(client, "send_request", refuse)
    with pytest.raises(ConnectionError):
        client.notify("t1", notification_title="Hi")
    recorder.flush(5)
    assert [(item["status"], item["reason"]) for item in server.items] == [(0, "ConnectionError")]
