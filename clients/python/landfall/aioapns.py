"""aioapns: `client = recorded(APNs(…), recorder)`."""

from __future__ import annotations

import time
from typing import Any, Dict, Set, Tuple, TypeVar

from .ids import is_uuid, new_id
from .payload import PAYLOAD_BYTES, fits, marked
from .recorder import LandfallRecorder

Client = TypeVar("Client")
VOIP_BYTES = 5120


def recorded(client: Client, recorder: LandfallRecorder) -> Client:
    """Records each response that the client gets from APNs, and returns the client.

    Each call of `send_notification` is one push with an id of its own, which is in the payload as `landfall.id`
    and is sent as `apns-id`, unless a push with the same id is being sent. The request is not changed, and the
    result has the request's `notification_id`.
    """
    pool: Any = getattr(client, "pool")
    send = getattr(pool.send_notification, "__landfall__", pool.send_notification)
    in_flight: Set[str] = set()

    async def send_notification(request: Any) -> Any:
        sent: Any = None
        started = time.time()
        with recorder.quiet:
            sent, fields = _planned(request, pool, recorder, started, in_flight)
        if sent is None:
            return await send(request)
        identifier = sent.notification_id
        in_flight.add(identifier)
        try:
            result = await send(sent)
        except (TypeError, ValueError):  # The payload is not JSON: nothing was sent.
            raise
        except BaseException as error:  # CancelledError as well: the response is not known then.
            recorder.record("apns", status=0, reason=type(error).__name__, **fields)
            raise
        finally:
            in_flight.discard(identifier)
        with recorder.quiet:
            recorder.record("apns", status=result.status, reason=result.description, timestamp=result.timestamp, **fields)
            result.notification_id = request.notification_id
        return result

    send_notification.__landfall__ = send  # type: ignore[attr-defined]
    pool.send_notification = send_notification
    return client


class _Sent:
    """A request with another message and id. Everything else is the request's. A copy takes 5 µs more."""

    __slots__ = ("_request", "message", "notification_id")

    def __init__(self, request: Any, message: Any, notification_id: Any) -> None:
        self._request = request
        self.message = message
        self.notification_id = notification_id

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)


def _planned(
    request: Any, pool: Any, recorder: LandfallRecorder, now: float, in_flight: Set[str]
) -> Tuple[_Sent, Dict[str, Any]]:
    """The request as it is sent, and what is known of it before the response."""
    original = request.message
    message, ids = marked(original, recorder.receipt_key)
    topic = getattr(request, "apns_topic", None) or pool.apns_topic
    if not fits(message, VOIP_BYTES if str(topic).endswith(".voip") else PAYLOAD_BYTES):
        message = original
        recorder.log.too_large()
    identifier = ids.get("notification_id")
    # APNs accepts nothing but UUIDs, and the library finds the request of a response by this id alone.
    apns_id = identifier if identifier is not None and is_uuid(identifier) else request.notification_id
    if apns_id in in_flight:
        apns_id = request.notification_id if request.notification_id not in in_flight else new_id()
    aps = message.get("aps") or {}
    ttl = request.time_to_live
    push_type = request.push_type
    return _Sent(request, message, apns_id), {
        **ids,
        "sent_at": int(now * 1000),
        "token": request.device_token,
        "topic": topic,
        "environment": "sandbox" if "Development" in pool.protocol_class.__name__ else "production",
        "push_type": getattr(push_type, "value", push_type),
        "priority": request.priority,
        "collapse_id": request.collapse_key,
        # APNs tries once if the expiration is 0.
        "expires_at": int((now + ttl) * 1000) if ttl else None,
        "mutable_content": aps.get("mutable-content"),
        "content_available": aps.get("content-available"),
    }
