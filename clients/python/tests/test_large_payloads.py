"""A payload without room for the id is sent as it is: no push fails because it is recorded."""

from __future__ import annotations

import json
from typing import Any, List

import pytest
from aioapns import NotificationRequest
from exponent_server_sdk import PushMessage
from firebase_admin import messaging

import landfall
from landfall import LandfallRecorder
from landfall.payload import fits

from .provider import Provider
from .server import Server
from .test_aioapns import TOKEN, Connection, _send, connection  # noqa: F401
from .test_exponent_server_sdk import client as expo_client  # noqa: F401
from .test_firebase_admin import firebase  # noqa: F401
from .test_pyfcm import client as fcm_client  # noqa: F401
from .test_pywebpush import Browser, _push, browser  # noqa: F401

# Bytes of text with which a payload is within the limits, with and without the id, and only without it.
SMALL, TIGHT = "x" * 3700, "x" * 3890


def _check(server: Server, recorder: LandfallRecorder, marks: List[bool], caplog: pytest.LogCaptureFixture) -> None:
    assert marks == [True, False]
    assert recorder.flush(60)
    assert len(server.items) == 2
    assert len([record for record in caplog.records if "no room for its id" in record.getMessage()]) == 1


def test_the_limit_counts_bytes() -> None:
    assert fits({"a": "x" * 4084}, 4096) and not fits({"a": "x" * 4100}, 4096)
    assert fits({"a": "日" * 1360}, 4096) and not fits({"a": "日" * 1370}, 4096)
    assert fits({"a": "😀" * 1020}, 4096) and not fits({"a": "😀" * 1030}, 4096)
    assert fits({"a": "\n" * 2000}, 4096) and not fits({"a": '"' * 2050}, 4096)
    assert not fits({"a": "\x01" * 1400}, 4096)


def test_aioapns(
    server: Server, recorder: LandfallRecorder, connection: Connection, caplog: pytest.LogCaptureFixture  # noqa: F811
) -> None:
    requests = [NotificationRequest(TOKEN, {"aps": {"alert": text}}) for text in (SMALL, TIGHT + "x" * 130)]
    _send(recorder, *requests)
    _check(server, recorder, ["landfall" in sent.message for sent in connection.sent], caplog)
    assert connection.sent[1].message == requests[1].message
    # The id is Apple's, in any case, and VoIP has more room.
    assert [sent.notification_id for sent in connection.sent] == server.ids()
    voip = NotificationRequest(TOKEN, {"aps": {"alert": TIGHT + "x" * 130}}, apns_topic="com.example.shop.voip")
    _send(recorder, voip)
    assert "landfall" in connection.sent[2].message


def test_firebase_admin(
    server: Server, recorder: LandfallRecorder, firebase: Provider, caplog: pytest.LogCaptureFixture  # noqa: F811
) -> None:
    landfall.firebase_admin.recorded(messaging, recorder)
    for text in (SMALL, TIGHT + "x" * 100):
        payload = messaging.APNSPayload(messaging.Aps(alert=messaging.ApsAlert(body=text)))
        messaging.send(messaging.Message(token="t", apns=messaging.APNSConfig(payload=payload)))
    _check(server, recorder, ["data" in body["message"] for body in firebase.bodies], caplog)
    multicast = messaging.MulticastMessage(tokens=["t"], notification=messaging.Notification(body="x" * 4080))
    messaging.send_each_for_multicast(multicast)
    assert "data" not in firebase.bodies[2]["message"]


def test_pyfcm(
    server: Server, recorder: LandfallRecorder, provider: Provider, fcm_client: Any,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    for text in (SMALL, TIGHT + "x" * 130):
        fcm_client.notify("t1", notification_title="Hi", notification_body=text)
    _check(server, recorder, ["data" in body["message"] for body in provider.bodies], caplog)


def test_expo(
    server: Server, recorder: LandfallRecorder, provider: Provider, expo_client: Any,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    expo_client.publish_multiple([PushMessage(to="ExponentPushToken[a]", body=text) for text in ("x" * 3500, "x" * 4060)])
    _check(server, recorder, ["data" in message for message in provider.bodies[0]], caplog)


def test_pywebpush(
    server: Server, recorder: LandfallRecorder, provider: Provider, browser: Browser,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    for text in (SMALL, TIGHT + "x" * 50):
        _push("webpush", recorder, browser.subscription, json.dumps({"a": text}))
    _check(server, recorder, ["landfall" in json.loads(browser.decrypt(body)) for body in provider.bodies], caplog)
    assert all(len(body) <= 4096 for body in provider.bodies)
