"""firebase-admin: the library itself, with an FCM in the test's process."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any, Dict, Iterator, List, Tuple

import firebase_admin
import google.auth.credentials
import pytest
from firebase_admin import credentials, messaging
from firebase_admin.messaging import _MessagingService

import landfall.firebase_admin
from landfall import LandfallRecorder

from .provider import Provider
from .server import Server
from .test_recorder import Make

FUNCTIONS = ("send", "send_each", "send_each_async", "send_each_for_multicast", "send_each_for_multicast_async")
# What FCM returns for each of these tokens: docs of the FCM v1 API, ErrorCode.
ERRORS: Dict[str, Tuple[int, str, str]] = {
    "gone": (404, "NOT_FOUND", "UNREGISTERED"),
    "other": (403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
    "fast": (429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
    "cert": (401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"),
}


class Token(google.auth.credentials.Credentials):
    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.token = "access"

    def refresh(self, request: Any) -> None:
        self.token = "access"


class Credential(credentials.Base):  # type: ignore[misc]
    def get_credential(self) -> Token:
        return Token()


def fcm(path: str, body: Any) -> Tuple[int, Any]:
    message = body["message"]
    token = message.get("token") or message.get("fid") or ""
    if token in ERRORS:
        status, word, code = ERRORS[token]
        detail = {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}
        return status, {"error": {"code": status, "message": "no", "status": word, "details": [detail]}}
    return 200, {"name": "projects/shop/messages/0:" + token}


@pytest.fixture
def firebase(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """The default app, whose FCM is `provider`; afterward the module is as it was."""
    for name in FUNCTIONS:
        monkeypatch.setattr(messaging, name, getattr(messaging, name))
    monkeypatch.setattr(_MessagingService, "FCM_URL", provider.url + "/v1/projects/{0}/messages:send")
    provider.reply = fcm
    app = firebase_admin.initialize_app(Credential(), {"projectId": "shop"})
    yield provider
    firebase_admin.delete_app(app)


def _message(token: str, **names: Any) -> Any:
    return messaging.Message(data={"order": "42"}, token=token, **names)


def test_a_message_is_recorded_with_the_id_in_its_data(
    server: Server, recorder: LandfallRecorder, firebase: Provider
) -> None:
    assert landfall.firebase_admin.recorded(messaging, recorder) is messaging
    message = _message(
        "t1", android=messaging.AndroidConfig(priority="high", collapse_key="orders"),
        apns=messaging.APNSConfig(payload=messaging.APNSPayload(messaging.Aps(mutable_content=True))),
    )  # fmt: skip
    assert messaging.send(message) == "projects/shop/messages/0:t1"
    assert message.data == {"order": "42"}
    recorder.flush(60)
    (item,) = server.items
    data = firebase.bodies[0]["message"]["data"]
    assert data["order"] == "42" and json.loads(data["landfall"]) == {"id": item["notification_id"]}
    assert uuid.UUID(item["notification_id"]).version == 7
    item.pop("sent_at")
    assert item == {
        "type": "response", "provider": "fcm", "notification_id": item["notification_id"], "status": 200,
        "token": "t1", "provider_id": "projects/shop/messages/0:t1", "priority": "high", "collapse_id": "orders",
        "mutable_content": True,
    }  # fmt: skip


@pytest.mark.parametrize("token", ERRORS)
def test_an_error_is_recorded_with_fcms_body_and_raised(
    server: Server, recorder: LandfallRecorder, firebase: Provider, token: str
) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    kinds = {
        "gone": messaging.UnregisteredError, "other": messaging.SenderIdMismatchError,
        "fast": messaging.QuotaExceededError, "cert": messaging.ThirdPartyAuthError,
    }  # fmt: skip
    with pytest.raises(kinds[token]):
        messaging.send(_message(token))
    recorder.flush(60)
    (item,) = server.items
    status, word, code = ERRORS[token]
    assert item["status"] == status and item["token"] == token
    assert item["error"]["error"]["details"][0]["errorCode"] == code


@pytest.mark.parametrize("is_async", [False, True])
def test_each_message_has_its_own_id_and_response(
    server: Server, recorder: LandfallRecorder, firebase: Provider, is_async: bool
) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    messages = [_message("t1"), _message("gone"), messaging.Message(topic="news", data={"a": "b"}), _message("t2")]
    if is_async:
        response = asyncio.run(messaging.send_each_async(messages))
    else:
        response = messaging.send_each(messages)
    assert [each.success for each in response.responses] == [True, False, True, True]
    recorder.flush(60)
    # A topic has no device.
    assert [(item["token"], item["status"]) for item in server.items] == [("t1", 200), ("gone", 404), ("t2", 200)]
    sent = {body["message"].get("token"): body["message"]["data"] for body in firebase.bodies}
    assert sent[None] == {"a": "b"}
    for item in server.items:
        assert json.loads(sent[item["token"]]["landfall"]) == {"id": item["notification_id"]}
    assert len(set(server.ids())) == 3


@pytest.mark.parametrize("is_async", [False, True])
def test_a_multicast_has_one_message_id(server: Server, make: Make, firebase: Provider, is_async: bool) -> None:
    recorder = make(receipt_key="lf_receipt_key")
    landfall.firebase_admin.recorded(messaging, recorder)
    multicast = messaging.MulticastMessage(tokens=["t1", "gone", "t2"], fids=["f1"], data={"order": "42"})
    if is_async:
        asyncio.run(messaging.send_each_for_multicast_async(multicast))
    else:
        messaging.send_each_for_multicast(multicast)
    assert multicast.data == {"order": "42"}
    recorder.flush(60)
    found = [(item["token"], item["status"], item.get("token_kind")) for item in server.items]
    assert found == [("t1", 200, None), ("gone", 404, None), ("t2", 200, None), ("f1", 200, "fid")]
    (message,) = {item["message_id"] for item in server.items}
    marks = [json.loads(body["message"]["data"]["landfall"]) for body in firebase.bodies]
    assert [mark["message"] for mark in marks] == [message] * 4 and len({mark["receipt"] for mark in marks}) == 1
    assert all("notification_id" not in item for item in server.items)


def test_a_dry_run_and_a_call_that_sends_nothing_are_not_recorded(
    server: Server, recorder: LandfallRecorder, firebase: Provider
) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    messaging.send(_message("t1"), dry_run=True)
    messaging.send_each_for_multicast(messaging.MulticastMessage(tokens=["t1"]), dry_run=True)
    with pytest.raises(ValueError):
        messaging.send(messaging.Message(token="t1", data={"number": 1}))
    with pytest.raises(ValueError):
        messaging.send("not a message")
    with pytest.raises(ValueError):
        messaging.send_each([_message("t")] * 501)
    assert recorder.flush(60)
    assert server.items == []
    assert all("landfall" not in body["message"].get("data", {}) for body in firebase.bodies)


def test_no_response_is_recorded_as_such(server: Server, recorder: LandfallRecorder, firebase: Provider) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    firebase.close()
    with pytest.raises(firebase_admin.exceptions.UnavailableError):
        messaging.send(_message("t1"))
    recorder.flush(60)
    assert [(item["status"], item["reason"]) for item in server.items] == [(0, "UnavailableError")]


def test_the_last_recorder_counts_and_records_once(server: Server, make: Make, firebase: Provider) -> None:
    first, second = make(sender="first"), make(sender="second")
    landfall.firebase_admin.recorded(landfall.firebase_admin.recorded(messaging, first), second)
    messaging.send_each([_message("t1")])
    first.flush(60)
    second.flush(60)
    assert [item["sender"] for item in server.items] == ["second"]


@pytest.mark.parametrize("is_multicast", [False, True])
def test_data_for_android_and_web_push_has_the_same_id(
    server: Server, recorder: LandfallRecorder, firebase: Provider, is_multicast: bool
) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    android = messaging.AndroidConfig(data={"order": "1"})
    names = {"android": android, "webpush": messaging.WebpushConfig(data={"order": "2"})}
    if is_multicast:
        messaging.send_each_for_multicast(messaging.MulticastMessage(tokens=["t1"], **names))
    else:
        messaging.send(messaging.Message(token="t1", **names))
    recorder.flush(60)
    (item,) = server.items
    message = firebase.bodies[0]["message"]
    assert message["android"]["data"]["order"] == "1" and message["webpush"]["data"]["order"] == "2"
    marks = [json.loads(part["data"]["landfall"]) for part in (message, message["android"], message["webpush"])]
    assert marks == [{"message": item["message_id"]} if is_multicast else {"id": item["notification_id"]}] * 3
    assert android.data == {"order": "1"}


def test_an_id_of_the_sender_in_the_data_for_android_is_kept(
    server: Server, recorder: LandfallRecorder, firebase: Provider
) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    android = messaging.AndroidConfig(data={"landfall": '{"id":"order-42"}'})
    messaging.send(messaging.Message(token="t1", android=android, data={"landfall": '{"id":null}'}))
    recorder.flush(60)
    message = firebase.bodies[0]["message"]
    assert server.ids() == ["order-42"]
    assert [json.loads(part["data"]["landfall"]) for part in (message, message["android"])] == [{"id": "order-42"}] * 2


def test_a_call_that_is_cancelled_is_recorded_without_a_response(
    server: Server, recorder: LandfallRecorder, firebase: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: List[Any] = []

    async def never(messages: Any, dry_run: bool = False, app: Any = None) -> Any:
        begun.append(messages)
        await asyncio.sleep(60)

    monkeypatch.setattr(messaging, "send_each_async", never)
    landfall.firebase_admin.recorded(messaging, recorder)

    async def main() -> None:
        task = asyncio.create_task(messaging.send_each_async([_message("t1"), _message("t2")]))
        while not begun:
            await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    recorder.flush(60)
    found = [(item["token"], item["status"], item["reason"]) for item in server.items]
    assert found == [("t1", 0, "CancelledError"), ("t2", 0, "CancelledError")]
