"""pywebpush: `webpush = recorded(webpush, recorder)`."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import time
from typing import Any, Callable, TypeVar, cast

from .payload import fits, marked
from .recorder import LandfallRecorder

Function = TypeVar("Function", bound=Callable[..., Any])
# A push service accepts 4,096 bytes (RFC 8030, 7.2), of which encryption needs 103 (RFC 8188 and 8291).
PLAIN_BYTES = 3993


def recorded(webpush: Function, recorder: LandfallRecorder) -> Function:
    """`webpush` or `webpush_async`, which also records each response of the push service.

    If `data` is a JSON object, it is sent with `landfall`, by which the service worker reports. Anything else
    is sent as it is.
    """
    original = getattr(webpush, "__landfall__", webpush)

    if inspect.iscoroutinefunction(original):

        @functools.wraps(original)
        async def wrapped(subscription_info: Any, data: Any = None, *arguments: Any, **names: Any) -> Any:
            push = _Push(subscription_info, data, names, recorder)
            try:
                response = await original(subscription_info, push.data, *arguments, **names)
            except BaseException as error:
                push.fail(error)
                raise
            push.record(response)
            return response

    else:

        @functools.wraps(original)
        def wrapped(subscription_info: Any, data: Any = None, *arguments: Any, **names: Any) -> Any:
            push = _Push(subscription_info, data, names, recorder)
            try:
                response = original(subscription_info, push.data, *arguments, **names)
            except BaseException as error:
                push.fail(error)
                raise
            push.record(response)
            return response

    wrapped.__landfall__ = original  # type: ignore[attr-defined]
    return cast(Function, wrapped)


class _Push:
    """A push as it is sent, and what is known of it before the response."""

    def __init__(self, subscription: Any, data: Any, names: Any, recorder: LandfallRecorder) -> None:
        self.data = data
        self._recorder = recorder
        self._fields: Any = None
        now = time.time()
        with recorder.quiet:
            payload = _object(data)
            changed, ids = marked(payload, recorder.receipt_key)
            headers = {str(name).lower(): value for name, value in (names.get("headers") or {}).items()}
            ttl = names.get("ttl") or headers.get("ttl")
            self._fields = {
                **ids,
                "sent_at": int(now * 1000),
                "token": subscription["endpoint"],
                "priority": headers.get("urgency"),
                "collapse_id": headers.get("topic"),
                "expires_at": int((now + int(ttl)) * 1000) if ttl else None,
            }
            if payload is not None and fits(changed, PLAIN_BYTES):
                self.data = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
            elif payload is not None:
                recorder.log.too_large()

    def record(self, response: Any) -> None:
        """Records a response of requests or aiohttp; the text of `curl=True` is none."""
        with self._recorder.quiet:
            status = _status(response)
            if self._fields is not None and status is not None:
                self._recorder.record("webpush", status=status, **self._fields)

    def fail(self, error: BaseException) -> None:
        """Records an error of the push service, or that there was no response.

        The library raises errors of its own before it sends, and those have no response either: only an error
        of the HTTP client says that there was none.
        """
        with self._recorder.quiet:
            if self._fields is None:
                return
            response = getattr(error, "response", None)
            if response is not None:
                self._recorder.record("webpush", status=_status(response), error=_text(response), **self._fields)
            elif _is_of_the_network(error):
                self._recorder.record("webpush", status=0, reason=type(error).__name__, **self._fields)


def _object(data: Any) -> Any:
    """The JSON object that the data is; `None` if it is anything else."""
    try:
        value = json.loads(data)
    except (TypeError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _status(response: Any) -> Any:
    return getattr(response, "status_code", None) or getattr(response, "status", None)


def _text(response: Any) -> Any:
    """The body: a property of requests; in aiohttp a coroutine, whose body the library has read by then."""
    text = getattr(response, "text", None)
    if isinstance(text, str):
        return text[:4096]
    body = getattr(response, "_body", None)
    return body[:4096] if isinstance(body, bytes) else None


def _is_of_the_network(error: BaseException) -> bool:
    """Errors of requests are OSErrors; aiohttp's are OSErrors or ClientErrors. A call may also be cancelled.

    Before Python 3.11, `asyncio.TimeoutError` is no OSError.
    """
    if isinstance(error, (OSError, asyncio.TimeoutError)) or not isinstance(error, Exception):
        return True
    return any(kind.__name__ == "ClientError" for kind in type(error).__mro__)
