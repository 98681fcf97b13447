"""pywebpush: the library itself, with a push service in the test's process."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
import uuid
from pathlib import Path
from typing import Any

import http_ece
import pytest
import pywebpush
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import landfall.pywebpush
from landfall import LandfallRecorder

from .provider import Provider
from .server import Server

CALLS = ["webpush", "webpush_async"]


class Browser:
    """A subscription, and what the browser decrypts."""

    def __init__(self, url: str) -> None:
        self.endpoint = url + "/push/abc"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {"endpoint": self.endpoint, "keys": {"p256dh": _text(point), "auth": _text(self._secret)}}

    def decrypt(self, body: bytes) -> str:
        text: bytes = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return text.decode()


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def vapid_key() -> str:
    """A private key, as the library reads it from text."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))


@pytest.fixture
def browser(provider: Provider) -> Browser:
    provider.reply = lambda path, body: (201, "")
    return Browser(provider.url)


def _push(call: str, recorder: LandfallRecorder, *arguments: Any, **names: Any) -> Any:
    function = landfall.pywebpush.recorded(getattr(pywebpush, call), recorder)
    result = function(*arguments, **names)
    return asyncio.run(result) if call == "webpush_async" else result


@pytest.mark.parametrize("call", CALLS)
def test_a_push_is_recorded_with_the_id_in_its_payload(
    server: Server, recorder: LandfallRecorder, provider: Provider, browser: Browser, call: str
) -> None:
    data = json.dumps({"title": "Grüße"})
    before = int(time.time() * 1000)
    response = _push(call, recorder, browser.subscription, data, ttl=60, headers={"Urgency": "high", "Topic": "orders"})
    assert getattr(response, "status_code", None) == 201 or response.status == 201
    recorder.flush(60)
    (item,) = server.items
    payload = json.loads(browser.decrypt(provider.bodies[0]))
    assert payload == {"title": "Grüße", "landfall": {"id": item["notification_id"]}}
    assert uuid.UUID(item["notification_id"]).version == 7
    assert before <= item.pop("sent_at") <= item.pop("expires_at") - 60_000
    assert item == {
        "type": "response", "provider": "webpush", "notification_id": item["notification_id"], "status": 201,
        "token": browser.endpoint, "priority": "high", "collapse_id": "orders",
    }  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [404, 410, 429])
def test_an_error_is_recorded_with_its_text_and_raised(
    server: Server, recorder: LandfallRecorder, provider: Provider, browser: Browser, call: str, status: int
) -> None:
    provider.reply = lambda path, body: (status, "push subscription has unsubscribed or expired")
    with pytest.raises(pywebpush.WebPushException) as raised:
        _push(call, recorder, subscription_info=browser.subscription, data='{"title":"Hi"}')
    assert raised.value.response is not None
    recorder.flush(60)
    (item,) = server.items
    assert (item["status"], item["token"]) == (status, browser.endpoint)
    assert item["error"] == "push subscription has unsubscribed or expired"


@pytest.mark.parametrize("data", ["plain text", "[1]", b"\x00\xff", None])
def test_a_payload_that_is_no_object_is_sent_as_it_is(
    server: Server, recorder: LandfallRecorder, provider: Provider, browser: Browser, data: Any
) -> None:
    _push("webpush", recorder, browser.subscription, data)
    recorder.flush(60)
    assert server.items[0]["status"] == 201
    if isinstance(data, str):
        assert browser.decrypt(provider.bodies[0]) == data


@pytest.mark.parametrize("call", CALLS)
def test_no_response_is_recorded_as_such(
    server: Server, recorder: LandfallRecorder, provider: Provider, browser: Browser, call: str
) -> None:
    provider.close()
    with pytest.raises(Exception):
        _push(call, recorder, browser.subscription, '{"title":"Hi"}')
    recorder.flush(60)
    assert [item["status"] for item in server.items] == [0]
    assert "Connect" in server.items[0]["reason"]


def test_a_call_that_sends_nothing_is_not_recorded(
    server: Server, recorder: LandfallRecorder, provider: Provider, browser: Browser,
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)  # where the library writes a file for curl
    with pytest.raises(pywebpush.WebPushException):
        _push("webpush", recorder, browser.subscription, '{"title":"Hi"}', vapid_claims={"sub": "mailto:a@b.example"})
    assert "curl" in _push("webpush", recorder, browser.subscription, "text", curl=True)
    with pytest.raises(pywebpush.WebPushException):
        _push("webpush", recorder, {}, '{"title":"Hi"}')
    assert recorder.flush(60)
    assert server.items == [] and provider.bodies == []


@pytest.mark.parametrize("error", [asyncio.CancelledError, asyncio.TimeoutError])
def test_a_call_that_is_cancelled_or_times_out_is_recorded_without_a_response(
    server: Server, recorder: LandfallRecorder, browser: Browser, error: "type[BaseException]"
) -> None:
    async def original(subscription_info: Any, data: Any = None) -> Any:
        raise error()

    with pytest.raises(error):
        asyncio.run(landfall.pywebpush.recorded(original, recorder)(browser.subscription, '{"title":"Hi"}'))
    recorder.flush(60)
    assert [(item["status"], item["reason"]) for item in server.items] == [(0, error.__name__)]
