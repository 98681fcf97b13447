"""exponent-server-sdk: the library itself, with an Expo in the test's process."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import pytest
from exponent_server_sdk import PushClient, PushMessage, PushServerError, PushTicket

import landfall.exponent_server_sdk
from landfall import LandfallRecorder
from landfall.ids import milliseconds_of

from .provider import Provider
from .server import Server

DEAD = {"status": "error", "message": "not registered", "details": {"error": "DeviceNotRegistered"}}


def expo(path: str, body: Any) -> Tuple[int, Any]:
    """Tickets `ok` except for the token `[dead]`; `[late]` is dead only in its receipt."""
    if path.endswith("getReceipts"):
        return 200, {"data": {ticket: DEAD if "late" in ticket else {"status": "ok"} for ticket in body["ids"]}}
    tickets: List[Dict[str, Any]] = []
    for message in body:
        token = message["to"]
        tickets.append(DEAD if "dead" in token else {"status": "ok", "id": "ticket-" + token[18:-1]})
    return 200, {"data": tickets}


@pytest.fixture
def client(provider: Provider, recorder: LandfallRecorder) -> Any:
    provider.reply = expo
    return landfall.exponent_server_sdk.recorded(PushClient(host=provider.url, timeout=5), recorder)


def _message(name: str, **names: Any) -> Any:
    return PushMessage(to=f"ExponentPushToken[{name}]", title="On its way", **names)


def test_tickets_are_recorded_with_the_id_in_the_data(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    messages = [_message("a", data={"order": 42}, priority="high"), _message("dead"), _message("b")]
    tickets = client.publish_multiple(messages)
    assert [ticket.is_success() for ticket in tickets] == [True, False, True]
    assert messages[0].data == {"order": 42}
    recorder.flush(60)
    sent = provider.bodies[0]
    assert [message["data"]["landfall"] for message in sent] == [{"id": identifier} for identifier in server.ids()]
    assert sent[0]["data"]["order"] == 42 and len(set(server.ids())) == 3
    assert [(item["token"], item["status"]) for item in server.items] == [
        ("ExponentPushToken[a]", "ok"), ("ExponentPushToken[dead]", "error"), ("ExponentPushToken[b]", "ok"),
    ]  # fmt: skip
    assert server.items[0]["provider_id"] == "ticket-a" and server.items[0]["priority"] == "high"
    assert server.items[1]["error"] == DEAD
    assert all("final" not in item for item in server.items)


@pytest.mark.parametrize("call", ["check_receipts", "check_receipts_multiple"])
def test_a_receipt_is_final_and_belongs_to_the_push_of_its_ticket(
    server: Server, recorder: LandfallRecorder, client: Any, call: str
) -> None:
    tickets = [client.publish(_message("a")), client.publish(_message("late"))]
    recorder.flush(60)
    sent = server.items.copy()
    server.items.clear()
    receipts = getattr(client, call)(tickets)
    assert [receipt.is_success() for receipt in receipts] == [True, False]
    recorder.flush(60)
    assert [item["final"] for item in server.items] == [True, True]
    for ticket, receipt in zip(sent, server.items):
        assert ticket["notification_id"] == receipt["notification_id"]
        assert ticket["token"] == receipt["token"] and ticket["provider_id"] == receipt["provider_id"]
        assert receipt["sent_at"] == milliseconds_of(receipt["notification_id"])
    assert server.items[1]["error"] == DEAD and server.items[1]["status"] == "error"


def test_a_receipt_of_a_ticket_that_does_not_know_its_push_is_logged_once(
    server: Server, recorder: LandfallRecorder, client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    ticket = PushTicket(push_message=None, status="ok", message="", details=None, id="ticket-a")
    client.check_receipts([ticket])
    client.check_receipts([ticket])
    assert recorder.flush(60)
    assert server.items == []
    assert [record.getMessage()[:38] for record in caplog.records] == ["a receipt of Expo was not recorded, be"]


def test_an_error_of_the_request_is_recorded_for_each_message(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    provider.reply = lambda path, body: (400, {"errors": [{"code": "API_ERROR", "message": "no"}]})
    with pytest.raises(PushServerError):
        client.publish_multiple([_message("a"), _message("b")])
    provider.close()
    with pytest.raises(OSError):
        client.publish(_message("c"))
    with pytest.raises(ValueError):
        client.publish(PushMessage(to="not a token"))
    recorder.flush(60)
    assert [item["status"] for item in server.items] == [400, 400, 0]
    assert "API_ERROR" in server.items[0]["error"]


def test_an_id_of_the_sender_brings_the_time_of_sending_to_its_receipt(
    server: Server, recorder: LandfallRecorder, provider: Provider, client: Any
) -> None:
    tickets = client.publish_multiple([_message("a", data={"landfall": {"id": "order-42"}})])
    client.check_receipts(tickets)
    recorder.flush(60)
    ticket, receipt = server.items
    assert ticket["notification_id"] == receipt["notification_id"] == "order-42"
    assert ticket["sent_at"] == receipt["sent_at"] == provider.bodies[0][0]["data"]["landfall"]["sent_at"]
