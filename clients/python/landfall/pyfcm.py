"""pyfcm: `fcm = recorded(FCMNotification(…), recorder)`."""

from __future__ import annotations

import contextvars
import functools
import importlib
import time
from typing import Any, List, Optional, TypeVar

from .payload import KEY, fits, marked_text, with_others
from .recorder import LandfallRecorder

Client = TypeVar("Client")

# The response to the push that this thread is sending: the library's errors do not have it.
_response: contextvars.ContextVar[Any] = contextvars.ContextVar("landfall_pyfcm_response", default=None)
# The list that is being sent.
_list: contextvars.ContextVar[Any] = contextvars.ContextVar("landfall_pyfcm_many", default=None)


def recorded(client: Client, recorder: LandfallRecorder) -> Client:
    """Records each response that FCM returns to the client, and returns the client.

    `data_payload` is sent with `landfall`, and so is the `data` of `android_config` and `webpush_config`. Pushes
    to a topic or condition, and dry runs, are sent as they are.
    """
    fcm: Any = client
    originals = {name: _original(getattr(fcm, name)) for name in _wrapped}
    notify, notify_many, parse = (originals[name] for name in _wrapped)

    @functools.wraps(notify)
    def recorded_notify(fcm_token: Optional[str] = None, *arguments: Any, **names: Any) -> Any:
        if arguments:  # Nothing but the token is usual without a name.
            names.update(zip(_names, arguments))
        names["fcm_token"] = fcm_token
        fields = None
        with recorder.quiet:
            names, fields = _marked(names, recorder)
        token = _response.set(None)
        try:
            result = notify(**names)
        except BaseException as error:
            _record(recorder, fields, _failure(_response.get(), error))
            raise
        finally:
            _response.reset(token)
        _record(recorder, fields, _outcome(result))
        return result

    @functools.wraps(notify_many)
    def recorded_notify_many(params_list: Optional[List[Any]] = None, timeout: Any = 5) -> Any:
        pushes = [(names, None) for names in params_list or []]
        with recorder.quiet:
            pushes = [_marked(names, recorder) for names in params_list or []]
            _record_single_requests()
        many = _Many([fields for _, fields in pushes], recorder)
        token = _list.set(many)
        try:
            results = notify_many([names for names, _ in pushes], timeout)
        except BaseException as error:
            many.fail(error)
            raise
        finally:
            _list.reset(token)
        for index, result in enumerate(results):
            many.record(index, _outcome(result))
        return results

    @functools.wraps(parse)
    def recorded_parse(response: Any) -> Any:
        _response.set(response)
        return parse(response)

    for name, wrapper in zip(_wrapped, (recorded_notify, recorded_notify_many, recorded_parse)):
        wrapper.__landfall__ = originals[name]  # type: ignore[attr-defined]
        setattr(fcm, name, wrapper)
    return client


_wrapped = ("notify", "async_notify_multiple_devices", "parse_response")
# The parameters of `notify` after the token.
_names = (
    "notification_title", "notification_body", "notification_image", "data_payload", "topic_name", "topic_condition",
    "android_config", "webpush_config", "apns_config", "fcm_options", "dry_run", "timeout",
)  # fmt: skip


def _original(method: Any) -> Any:
    return getattr(method, "__landfall__", method)


def _marked(names: Any, recorder: LandfallRecorder) -> Any:
    """The parameters as they are sent, and what is known of the push before its response."""
    token = names.get("fcm_token")
    data = names.get("data_payload")
    # The library raises an error for data that is no dict.
    if not token or names.get("dry_run") or not (data is None or isinstance(data, dict)):
        return names, None
    android = names.get("android_config") or {}
    webpush = names.get("webpush_config") or {}
    changed, ids = marked_text(with_others(data, android.get("data"), webpush.get("data")), recorder.receipt_key)
    apns = names.get("apns_config") or {}
    headers = {str(name).lower(): value for name, value in (apns.get("headers") or {}).items()}
    aps = (apns.get("payload") or {}).get("aps") or {}
    fields = {
        **ids,
        "sent_at": int(time.time() * 1000),
        "token": token,
        "priority": headers.get("apns-priority") or android.get("priority"),
        "collapse_id": headers.get("apns-collapse-id") or android.get("collapse_key"),
        "push_type": headers.get("apns-push-type"),
        "mutable_content": aps.get("mutable-content"),
        "content_available": aps.get("content-available"),
    }
    sent = {**names}
    # Without a title or body, the library sends no notification, not even an image, once there is data.
    if data or names.get("notification_title") or names.get("notification_body"):
        sent["data_payload"] = changed
    for name, config in (("android_config", android), ("webpush_config", webpush)):
        if config.get("data"):
            sent[name] = {**config, "data": {**config["data"], KEY: changed[KEY]}}
    if not fits(sent):
        recorder.log.too_large()
        return names, fields
    return sent, fields


def _record(recorder: LandfallRecorder, fields: Any, outcome: Any) -> None:
    with recorder.quiet:
        if fields is not None and outcome is not None:
            recorder.record("fcm", **outcome, **fields)


def _outcome(result: Any) -> Any:
    """What FCM's body says: the name of the message, or an error with its status."""
    error = result.get("error") if isinstance(result, dict) else None
    if isinstance(error, dict):
        return {"status": error.get("code"), "error": result}
    return {"status": 200, "provider_id": result.get("name") if isinstance(result, dict) else None}


def _failure(response: Any, error: BaseException) -> Any:
    """FCM's response; status 0 if there was none, because of the network; `None` if nothing was sent."""
    if response is not None:
        return {"status": response.status_code, "error": response.text[:4096]}
    is_lost = isinstance(error, OSError) or not isinstance(error, Exception)
    return {"status": 0, "reason": type(error).__name__} if is_lost else None


class _Many:
    """The pushes of one list. Each is recorded once: the library raises the first error, and drops all results."""

    def __init__(self, pushes: List[Any], recorder: LandfallRecorder) -> None:
        self._pushes = pushes
        self._recorder = recorder
        self._sent = 0

    def next(self) -> int:
        """The index of the push that is sent now: the library sends them in order."""
        self._sent += 1
        return self._sent - 1

    def record(self, index: int, outcome: Any) -> None:
        if index < len(self._pushes):
            fields, self._pushes[index] = self._pushes[index], None
            _record(self._recorder, fields, outcome)

    def fail(self, error: BaseException) -> None:
        """Records that the pushes that have been sent, and are not recorded, have no response."""
        for index in range(self._sent):
            self.record(index, {"status": 0, "reason": type(error).__name__})


def _record_single_requests() -> None:
    """Replaces the function that sends one push of a list."""
    module = importlib.import_module("pyfcm.async_fcm")
    send = _original(module.send_request)

    @functools.wraps(send)
    def send_request(*arguments: Any, **names: Any) -> Any:
        many = _list.get()
        request = send(*arguments, **names)
        return request if many is None else _recording(request, many, many.next())

    send_request.__landfall__ = send  # type: ignore[attr-defined]
    setattr(module, "send_request", send_request)


async def _recording(request: Any, many: _Many, index: int) -> Any:
    try:
        result = await request
    except BaseException as error:
        many.record(index, {"status": 0, "reason": type(error).__name__})
        raise
    many.record(index, _outcome(result))
    return result
