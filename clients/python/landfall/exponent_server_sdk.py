"""exponent-server-sdk: `client = recorded(PushClient(), recorder)`."""

from __future__ import annotations

import time
from typing import Any, List, TypeVar

from .ids import milliseconds_of, new_id
from .payload import KEY, fields_of, fits, marked
from .recorder import LandfallRecorder

Client = TypeVar("Client")


def recorded(client: Client, recorder: LandfallRecorder) -> Client:
    """Records each ticket and each receipt that the client gets from Expo, and returns the client.

    The `push_message` of a ticket is the message as it was sent, with `data["landfall"]`: it tells to which
    push a receipt belongs. So give the tickets themselves to `check_receipts`; keep `push_message` if you store
    them in between.
    """
    publisher: Any = client
    publish = _original(publisher._publish_internal)

    def _publish_internal(push_messages: List[Any]) -> Any:
        messages = push_messages
        with recorder.quiet:
            messages = [_marked(message, recorder) for message in push_messages]
        try:
            tickets = publish(messages)
        except BaseException as error:
            _record_failure(recorder, messages, error)
            raise
        for ticket in tickets:
            _record_ticket(recorder, ticket)
        return tickets

    _set(publisher, "_publish_internal", _publish_internal, publish)
    for name in ("check_receipts", "check_receipts_multiple"):
        check = _original(getattr(publisher, name))
        _set(publisher, name, _checking(check, recorder), check)
    return client


def _checking(check: Any, recorder: LandfallRecorder) -> Any:
    def wrapped(push_tickets: Any) -> Any:
        tickets = list(push_tickets)
        receipts = check(tickets)
        with recorder.quiet:
            known = {ticket.id: ticket for ticket in tickets}
            for receipt in receipts:
                _record_receipt(recorder, receipt, known.get(receipt.id))
        return receipts

    return wrapped


def _original(method: Any) -> Any:
    return getattr(method, "__landfall__", method)


def _set(client: Any, name: str, wrapped: Any, original: Any) -> None:
    wrapped.__landfall__ = original
    setattr(client, name, wrapped)


def _marked(message: Any, recorder: LandfallRecorder) -> Any:
    data, fields = marked(message.data, recorder.receipt_key)
    if milliseconds_of(str(fields.get("notification_id") or fields["message_id"])) is None:
        data[KEY].setdefault("sent_at", int(time.time() * 1000))  # for the receipt, a quarter of an hour later
    changed = message._replace(data=data)
    if not fits(changed):
        recorder.log.too_large()
        return message
    return changed


def _push(message: Any) -> Any:
    """What is known of a push before its response; empty if the message has no id."""
    fields: Any = fields_of(getattr(message, "data", None))
    if not fields:
        return {}
    identifier = fields.get("notification_id") or fields["message_id"]
    return {
        **fields, "sent_at": milliseconds_of(identifier) or message.data[KEY].get("sent_at"), "token": message.to,
        "priority": message.priority, "mutable_content": getattr(message, "mutable_content", None),
    }  # fmt: skip


def _push_or_new(message: Any) -> Any:
    """The same; with a new id if the message had no room for one."""
    return _push(message) or {"notification_id": new_id(), "token": message.to}


def _record_ticket(recorder: LandfallRecorder, ticket: Any) -> None:
    with recorder.quiet:
        recorder.record(
            "expo", status=ticket.status, error=None if ticket.is_success() else _words(ticket),
            provider_id=ticket.id or None, **_push_or_new(ticket.push_message),
        )  # fmt: skip


def _record_receipt(recorder: LandfallRecorder, receipt: Any, ticket: Any) -> None:
    with recorder.quiet:
        fields = _push(getattr(ticket, "push_message", None))
        if not fields:
            recorder.log.once(
                "receipt",
                "a receipt of Expo was not recorded, because its ticket does not say to which push it belongs:"
                " give the tickets that publish returned to check_receipts",
            )
            return
        recorder.record(
            "expo", status=receipt.status, error=None if receipt.is_success() else _words(receipt), final=True,
            provider_id=receipt.id, **fields,
        )  # fmt: skip


def _record_failure(recorder: LandfallRecorder, messages: List[Any], error: BaseException) -> None:
    """Records that Expo rejected the request, or that there was no response. Other errors come before sending."""
    with recorder.quiet:
        response: Any = getattr(error, "response", None)
        if response is not None:
            outcome: Any = {"status": response.status_code, "error": response.text[:4096]}
        elif isinstance(error, OSError) or not isinstance(error, Exception):  # requests.RequestException, or a signal
            outcome = {"status": 0, "reason": type(error).__name__}
        else:
            return
        for message in messages:
            recorder.record("expo", **outcome, **_push_or_new(message))


def _words(response: Any) -> Any:
    return {"status": response.status, "message": response.message, "details": response.details}
