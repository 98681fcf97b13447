"""firebase-admin: `recorded(messaging, recorder)`."""

from __future__ import annotations

import copy
import functools
import time
from typing import Any, Callable, List, Sequence, Tuple, TypeVar

from .payload import KEY, fits, marked_text, with_others
from .recorder import LandfallRecorder

Module = TypeVar("Module")


def recorded(messaging: Module, recorder: LandfallRecorder) -> Module:
    """Records each response that FCM returns to the module `firebase_admin.messaging`, and returns the module.

    It replaces `send`, `send_each`, `send_each_for_multicast` and the asynchronous ones in the module, so it
    covers all code that calls them as `messaging.send(…)`. Call it before `from firebase_admin.messaging import
    send`. Messages are not changed: copies with `landfall` in their `data` are sent, and in the `data` for
    Android and Web Push if they have it. A multicast has one `landfall.message` for all of its devices. A dry
    run, and a message to a topic or condition, is sent as it is and not recorded, because FCM says nothing about
    devices then.
    """
    module: Any = messaging
    for name, wrapper in (
        ("send", _send),
        ("send_each", _send_each),
        ("send_each_async", _send_each_async),
        ("send_each_for_multicast", _send_multicast),
        ("send_each_for_multicast_async", _send_multicast_async),
    ):
        function = getattr(module, name, None)
        if function is not None:
            original = getattr(function, "__landfall__", function)
            replacement = functools.wraps(original)(wrapper(original, recorder))
            replacement.__landfall__ = original  # type: ignore[attr-defined]
            setattr(module, name, replacement)
    return messaging


def _send(send: Callable[..., str], recorder: LandfallRecorder) -> Callable[..., str]:
    def wrapped(message: Any, dry_run: bool = False, app: Any = None) -> str:
        batch = _Batch([] if dry_run else [message], recorder)
        try:
            name = send(batch.messages[0] if batch.messages else message, dry_run, app)
        except BaseException as error:
            batch.record([(None, error)])
            raise
        batch.record([(name, None)])
        return name

    return wrapped


def _send_each(send: Callable[..., Any], recorder: LandfallRecorder) -> Callable[..., Any]:
    def wrapped(messages: List[Any], dry_run: bool = False, app: Any = None) -> Any:
        batch = _Batch([] if dry_run else messages, recorder)
        try:
            response = send(batch.messages or messages, dry_run, app)
        except BaseException as error:
            batch.fail(error)
            raise
        batch.read(response)
        return response

    return wrapped


def _send_each_async(send: Callable[..., Any], recorder: LandfallRecorder) -> Callable[..., Any]:
    async def wrapped(messages: List[Any], dry_run: bool = False, app: Any = None) -> Any:
        batch = _Batch([] if dry_run else messages, recorder)
        try:
            response = await send(batch.messages or messages, dry_run, app)
        except BaseException as error:
            batch.fail(error)
            raise
        batch.read(response)
        return response

    return wrapped


def _send_multicast(send: Callable[..., Any], recorder: LandfallRecorder) -> Callable[..., Any]:
    def wrapped(multicast_message: Any, dry_run: bool = False, app: Any = None) -> Any:
        batch = _Multicast(multicast_message, dry_run, recorder)
        try:
            response = send(batch.multicast, dry_run, app)
        except BaseException as error:
            batch.fail(error)
            raise
        batch.read(response)
        return response

    return wrapped


def _send_multicast_async(send: Callable[..., Any], recorder: LandfallRecorder) -> Callable[..., Any]:
    async def wrapped(multicast_message: Any, dry_run: bool = False, app: Any = None) -> Any:
        batch = _Multicast(multicast_message, dry_run, recorder)
        try:
            response = await send(batch.multicast, dry_run, app)
        except BaseException as error:
            batch.fail(error)
            raise
        batch.read(response)
        return response

    return wrapped


class _Batch:
    """Messages as they are sent, and the fields of each response that are known before."""

    def __init__(self, messages: Sequence[Any], recorder: LandfallRecorder) -> None:
        self.messages: List[Any] = []
        self._recorder = recorder
        self._pushes: List[Any] = []
        sent_at = int(time.time() * 1000)
        copies: List[Tuple[Any, Any]] = []
        with recorder.quiet:
            for message in messages:
                copies.append(_marked(message, recorder, sent_at))
            self.messages = [message for message, _ in copies]
            self._pushes = [fields for _, fields in copies]

    def read(self, response: Any) -> None:
        with self._recorder.quiet:
            self.record([(each.message_id, each.exception) for each in response.responses])

    def fail(self, error: BaseException) -> None:
        """Records that a call raised, if a push may have been sent: the library raises ValueError before that."""
        if not isinstance(error, ValueError):
            self.record([(None, error)] * len(self._pushes))

    def record(self, outcomes: Sequence[Tuple[Any, Any]]) -> None:
        """Records a message's name, or its error, for each message."""
        with self._recorder.quiet:
            for fields, (name, error) in zip(self._pushes, outcomes):
                if fields is None or isinstance(error, ValueError):
                    continue
                if error is None:
                    self._recorder.record("fcm", status=200, provider_id=name, **fields)
                else:
                    self._recorder.record("fcm", **_failure(error), **fields)


class _Multicast(_Batch):
    """A multicast as it is sent: one payload, with `landfall.message`, to many devices."""

    def __init__(self, multicast: Any, dry_run: bool, recorder: LandfallRecorder) -> None:
        super().__init__([], recorder)
        self.multicast = multicast
        if dry_run:
            return
        with recorder.quiet:
            changed, ids = _copy(multicast, recorder, for_many=True)
            known = {**ids, "sent_at": int(time.time() * 1000), **_traits(multicast)}
            # The order in which the library sends.
            self._pushes = [{**known, "token": token} for token in multicast.tokens or []]
            self._pushes += [{**known, "token": fid, "token_kind": "fid"} for fid in getattr(multicast, "fids", None) or []]
            self.multicast = _if_it_fits(changed, multicast, recorder)


def _marked(message: Any, recorder: LandfallRecorder, sent_at: int) -> Tuple[Any, Any]:
    fid = getattr(message, "fid", None)
    token = fid or message.token
    if not token:
        return message, None
    changed, ids = _copy(message, recorder)
    fields: Any = {**ids, "sent_at": sent_at, "token": token, **_traits(message)}
    if fid:
        fields["token_kind"] = "fid"
    return _if_it_fits(changed, message, recorder), fields


def _copy(message: Any, recorder: LandfallRecorder, for_many: bool = False) -> Tuple[Any, Any]:
    """The message with `landfall` in each `data` that it has, and the id."""
    changed = copy.copy(message)
    parts = [(name, getattr(message, name, None)) for name in ("android", "webpush")]
    configs: Any = {name: part for name, part in parts if getattr(part, "data", None)}
    data = with_others(message.data, *(config.data for config in configs.values()))
    changed.data, ids = marked_text(data, recorder.receipt_key, for_many)
    for name, config in configs.items():
        config = copy.copy(config)
        config.data = {**config.data, KEY: changed.data[KEY]}
        setattr(changed, name, config)
    return changed, ids


def _if_it_fits(changed: Any, message: Any, recorder: LandfallRecorder) -> Any:
    """The changed message, or the original if it is then too large for FCM."""
    parts = (changed.data, changed.notification, changed.android, changed.apns, changed.webpush)
    if fits([_content(part) for part in parts]):
        return changed
    recorder.log.too_large()
    return message


def _content(part: Any) -> Any:
    """What an object of the library contains, without what is not set, as plain values."""
    values = part if isinstance(part, dict) else getattr(part, "__dict__", None)
    if values is None:
        return part if isinstance(part, (str, int, float, bool, list, tuple)) or part is None else str(part)
    return {name: _content(value) for name, value in values.items() if value is not None}


def _traits(message: Any) -> Any:
    """What the message says about its delivery: APNs' headers for iOS, priority and collapse key for Android."""
    aps = getattr(getattr(message.apns, "payload", None), "aps", None)
    headers = {str(name).lower(): value for name, value in (getattr(message.apns, "headers", None) or {}).items()}
    android = message.android
    return {
        "priority": headers.get("apns-priority") or getattr(android, "priority", None),
        "collapse_id": headers.get("apns-collapse-id") or getattr(android, "collapse_key", None),
        "push_type": headers.get("apns-push-type"),
        "mutable_content": getattr(aps, "mutable_content", None),
        "content_available": getattr(aps, "content_available", None),
    }


def _failure(error: Any) -> Any:
    """The status and body of FCM's response; 0 and the name of the error if there was no response."""
    response = getattr(error, "http_response", None)
    if response is None:
        return {"status": 0, "reason": type(error).__name__}
    try:
        body = response.json()
    except ValueError:
        body = response.text
    return {"status": response.status_code, "error": body}
