"""aioapns: the library itself, up to the connection to Apple."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any, Callable, List

import pytest
from aioapns import APNs, NotificationRequest, PushType
from aioapns.common import NotificationResult
from aioapns.connection import APNsBaseConnectionPool

import landfall.aioapns
from landfall import LandfallRecorder, new_id
from landfall.signing import receipt

from .server import Server
from .test_recorder import Make

TOKEN = "80f4d1a6" * 8
PAYLOAD = {"aps": {"alert": {"title": "On its way"}, "mutable-content": 1}}


class Connection:
    """What the pool gets from `acquire`: it keeps requests as the library would send them."""

    def __init__(self, respond: Callable[[Any], NotificationResult]) -> None:
        self.sent: List[Any] = []
        self.respond = respond

    async def send_notification(self, request: Any) -> NotificationResult:
        self.sent.append(request)
        return self.respond(request)


def accepted(request: Any) -> NotificationResult:
    return NotificationResult(request.notification_id, "200")


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch) -> Connection:
    connection = Connection(accepted)

    async def acquire(pool: Any) -> Connection:
        return connection

    monkeypatch.setattr(APNsBaseConnectionPool, "acquire", acquire)
    return connection


def _client(**names: Any) -> Any:
    return APNs(key="key", key_id="id", team_id="team", topic="com.example.shop", **names)


def _send(recorder: LandfallRecorder, *requests: Any, **names: Any) -> List[Any]:
    async def main() -> List[Any]:
        client = landfall.aioapns.recorded(_client(**names), recorder)
        return [await client.send_notification(request) for request in requests]

    return asyncio.run(main())


def test_an_accepted_push_is_recorded_with_the_id_in_its_payload(
    server: Server, recorder: LandfallRecorder, connection: Connection
) -> None:
    request = NotificationRequest(
        TOKEN, PAYLOAD, time_to_live=3600, priority=10, collapse_key="order-42", push_type=PushType.ALERT
    )
    before = int(time.time() * 1000)
    (result,) = _send(recorder, request)
    assert recorder.flush(60)
    (item,) = server.items
    identifier = item["notification_id"]
    assert uuid.UUID(identifier).version == 7
    (sent,) = connection.sent
    assert sent.message == {**PAYLOAD, "landfall": {"id": identifier}}
    assert sent.notification_id == identifier and sent.device_token == TOKEN and sent.time_to_live == 3600
    # The caller sees what it sees without the recorder.
    assert result.notification_id == request.notification_id != identifier and result.is_successful
    assert request.message is PAYLOAD and "landfall" not in PAYLOAD
    assert before <= item.pop("sent_at") <= int(time.time() * 1000)
    assert before + 3_600_000 <= item.pop("expires_at") <= int(time.time() * 1000) + 3_600_000
    assert item == {
        "type": "response", "provider": "apns", "notification_id": identifier, "status": "200", "token": TOKEN,
        "topic": "com.example.shop", "environment": "production", "push_type": "alert", "priority": 10,
        "collapse_id": "order-42", "mutable_content": 1,
    }  # fmt: skip


def test_a_rejected_push_has_its_reason_and_its_timestamp_in_milliseconds(
    server: Server, recorder: LandfallRecorder, connection: Connection
) -> None:
    connection.respond = lambda request: NotificationResult(
        request.notification_id, "410", "Unregistered", 1_771_990_000_000
    )
    told: List[Any] = []

    async def on_error(request: Any, result: Any) -> None:
        told.append((request, result.notification_id))

    request = NotificationRequest(TOKEN, PAYLOAD, apns_topic="com.example.other")
    _send(recorder, request, use_sandbox=True, err_func=on_error)
    assert recorder.flush(60)
    (item,) = server.items
    assert (item["status"], item["reason"], item["timestamp"]) == ("410", "Unregistered", 1_771_990_000_000)
    assert (item["topic"], item["environment"]) == ("com.example.other", "sandbox")
    assert told == [(request, request.notification_id)]


def test_each_call_is_a_push_of_its_own(server: Server, recorder: LandfallRecorder, connection: Connection) -> None:
    request = NotificationRequest(TOKEN, PAYLOAD)
    _send(recorder, request, request)
    recorder.flush(60)
    assert len(set(server.ids())) == 2


def test_an_id_of_the_sender_is_kept_with_its_receipt(server: Server, make: Make, connection: Connection) -> None:
    chosen = new_id()
    recorder = make(receipt_key="lf_receipt_key")
    _send(
        recorder,
        NotificationRequest(TOKEN, {**PAYLOAD, "landfall": {"id": chosen}}),
        NotificationRequest(TOKEN, {**PAYLOAD, "landfall": {"message": "spring"}}),
    )
    recorder.flush(60)
    first, second = connection.sent
    assert first.message["landfall"] == {"id": chosen, "receipt": receipt("lf_receipt_key", chosen)}
    assert first.notification_id == chosen and server.items[0]["notification_id"] == chosen
    assert server.items[1]["message_id"] == "spring" and "notification_id" not in server.items[1]
    assert second.notification_id != "spring"


def test_one_id_that_is_sent_to_several_devices_at_a_time_has_an_apns_id_for_each(
    server: Server, recorder: LandfallRecorder, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = new_id()

    async def both(request: Any) -> NotificationResult:
        connection.sent.append(request)
        while len(connection.sent) < 3:
            await asyncio.sleep(0)
        return accepted(request)

    monkeypatch.setattr(connection, "send_notification", both)
    requests = [NotificationRequest(token * 64, {**PAYLOAD, "landfall": {"id": chosen}}) for token in "ab"]

    async def main() -> None:
        client = landfall.aioapns.recorded(_client(), recorder)
        await asyncio.gather(*(client.send_notification(request) for request in [*requests, requests[1]]))
        await client.send_notification(requests[0])

    asyncio.run(main())
    assert len({sent.notification_id for sent in connection.sent[:3]}) == 3
    assert [sent.notification_id for sent in connection.sent[:2]] == [chosen, requests[1].notification_id]
    assert connection.sent[3].notification_id == chosen
    recorder.flush(60)
    assert server.ids() == [chosen] * 4


def test_no_response_is_recorded_as_such_and_raised(
    server: Server, recorder: LandfallRecorder, connection: Connection
) -> None:
    def lost(request: Any) -> NotificationResult:
        raise OSError("connection reset")

    connection.respond = lost
    with pytest.raises(OSError, match="reset"):
        _send(recorder, NotificationRequest(TOKEN, PAYLOAD))

    async def cancelled() -> None:
        client = landfall.aioapns.recorded(_client(), recorder)

        async def never(request: Any) -> NotificationResult:
            await asyncio.sleep(60)
            raise AssertionError

        setattr(connection, "send_notification", never)
        await asyncio.wait_for(client.send_notification(NotificationRequest(TOKEN, PAYLOAD)), 0.05)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(cancelled())
    recorder.flush(60)
    assert [(item["status"], item["reason"]) for item in server.items] == [(0, "OSError"), (0, "CancelledError")]


def test_a_payload_that_cannot_be_marked_is_sent_as_it_is(
    server: Server, recorder: LandfallRecorder, connection: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    payload: Any = ["not", "a", "payload"]
    _send(recorder, NotificationRequest(TOKEN, payload))
    assert connection.sent[0].message is payload
    assert len(caplog.records) == 1 and "not recorded" in caplog.records[0].getMessage()


def test_a_client_that_is_recorded_twice_records_once(
    server: Server, recorder: LandfallRecorder, connection: Connection
) -> None:
    async def main() -> None:
        client = landfall.aioapns.recorded(landfall.aioapns.recorded(_client(), recorder), recorder)
        await client.send_notification(NotificationRequest(TOKEN, PAYLOAD))

    asyncio.run(main())
    recorder.flush(60)
    assert len(server.items) == 1
