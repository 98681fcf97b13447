"""The fields of a response, and labels that many of them share."""

from __future__ import annotations

import contextlib
import contextvars
from typing import Any, Iterator, Mapping, TypedDict, Union


class ResponseFields(TypedDict, total=False):
    """What a response may contain; docs/http.md explains every field.

    Instants are milliseconds since 1970. `None` counts as absent.
    """

    notification_id: Union[str, None]
    message_id: Union[str, None]
    device_id: Union[str, None]
    sent_at: Union[int, str, None]
    status: Union[int, str, None]
    reason: Union[str, None]
    error: Any
    timestamp: Union[int, str, None]
    final: Union[bool, None]
    token: Union[str, None]
    token_kind: Union[str, None]
    token_malformed: Union[bool, None]
    channel: Union[str, None]
    environment: Union[str, None]
    topic: Union[str, None]
    push_type: Union[str, None]
    priority: Union[int, str, None]
    mutable_content: Union[bool, int, None]
    content_available: Union[bool, int, None]
    collapse_id: Union[str, None]
    expires_at: Union[int, str, None]
    sender: Union[str, None]
    provider_id: Union[str, None]
    campaign: Union[str, None]
    variant: Union[str, None]


_labels: contextvars.ContextVar[Mapping[str, str]] = contextvars.ContextVar("landfall_labels", default={})
current_labels = _labels.get


@contextlib.contextmanager
def labels(**names: str) -> Iterator[None]:
    """Adds `campaign`, `variant` or `sender` to every response that is recorded inside the `with` block.

    They follow asyncio tasks that are created inside, but not threads.
    """
    token = _labels.set({**_labels.get(), **names})
    try:
        yield
    finally:
        _labels.reset(token)
