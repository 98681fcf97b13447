"""The object `landfall` of a payload: the notification's or message's id, and its receipt."""

from __future__ import annotations

import contextlib
import json
import marshal
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, cast

from .ids import new_id
from .line import encoder
from .signing import receipt

if TYPE_CHECKING:
    from .fields import ResponseFields

KEY = "landfall"
_chunks = encoder(", ", ": ")
_own = ("id", "message", "receipt")
# The most bytes of a payload of APNs, FCM and Expo; Apple allows 5,120 for VoIP.
PAYLOAD_BYTES = 4096


def mark(existing: Any, receipt_key: Optional[str], for_many: bool = False) -> Tuple[Dict[str, Any], ResponseFields]:
    """The object for a payload, and the id as fields of the response.

    `existing` is what the payload already has, as an object or as JSON: an id that the sender chose is kept, `id`
    rather than `message`. Otherwise it is a new one, `message` instead of `id` if one payload goes to many devices.
    """
    if existing is None and not for_many:  # As most often: the rest returns the same.
        identifier = new_id()
        made = {"id": identifier}
        if receipt_key:
            made["receipt"] = receipt(receipt_key, identifier)
        return made, {"notification_id": identifier}
    found = {name: value for name, value in _object(existing).items() if name not in _own or not _is_empty(value)}
    name = "id" if "id" in found else "message" if "message" in found or for_many else "id"
    identifier = found[name] = str(found[name]) if name in found else new_id()
    if receipt_key and "receipt" not in found:
        found["receipt"] = receipt(receipt_key, identifier)
    field = "notification_id" if name == "id" else "message_id"
    return found, cast("ResponseFields", {field: identifier})


def marked(
    payload: Optional[Mapping[str, Any]], receipt_key: Optional[str], for_many: bool = False
) -> Tuple[Dict[str, Any], ResponseFields]:
    """A copy of the payload with the object `landfall`, and the id as fields of the response."""
    copy = dict(payload or {})
    copy[KEY], fields = mark(copy.get(KEY), receipt_key, for_many)
    return copy, fields


def marked_text(
    payload: Optional[Mapping[str, Any]], receipt_key: Optional[str], for_many: bool = False
) -> Tuple[Dict[str, Any], ResponseFields]:
    """The same for the `data` of FCM, whose values are texts: the object is JSON."""
    copy, fields = marked(payload, receipt_key, for_many)
    copy[KEY] = json.dumps(copy[KEY], separators=(",", ":"))
    return copy, fields


def with_others(data: Optional[Mapping[str, Any]], *others: Any) -> Dict[str, Any]:
    """The `data` of a message, with the id that one of its `others` has if it has none.

    FCM sends the `data` of its Android or Web Push configuration instead of the message's.
    """
    payloads = [data, *(other for other in others if isinstance(other, dict))]
    existing = next((payload[KEY] for payload in payloads if fields_of(payload)), None)  # type: ignore[index]
    return {**(data or {}), KEY: existing}


def fits(payload: Any, limit: int = PAYLOAD_BYTES) -> bool:
    """Whether the payload is within the provider's limit, as aioapns writes it, the longest of all.

    Most are far below it. Their size as Python's own format, which is made four times as fast, says so: JSON is at
    most three times as long. Only hundreds of booleans, nulls or control characters in one payload would make it longer.
    """
    with contextlib.suppress(ValueError):  # It knows no subclasses of text, number, list and dictionary.
        if 3 * len(marshal.dumps(payload, 2)) <= limit:
            return True
    text = "".join(_chunks(payload, 0))
    # A character has at most four bytes.
    return 4 * len(text) <= limit or len(text.encode()) <= limit


def fields_of(payload: Any) -> ResponseFields:
    """The id that a payload has, as fields of the response; empty if there is none."""
    found = _object(payload.get(KEY)) if isinstance(payload, dict) else {}
    for name, field in (("id", "notification_id"), ("message", "message_id")):
        if not _is_empty(found.get(name)):
            return cast("ResponseFields", {field: str(found[name])})
    return {}


def _is_empty(value: Any) -> bool:
    return value is None or value == ""


def _object(value: Any) -> Dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, (str, bytes)):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    return dict(value) if isinstance(value, dict) else {}
