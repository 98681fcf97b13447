"""Ids of notifications."""

from __future__ import annotations

import os
import time
import uuid
from typing import Optional


def new_id(now: Optional[float] = None) -> str:
    """A UUID of version 7 (RFC 9562, 5.7): the milliseconds of `now`, in seconds since 1970, and random bits."""
    milliseconds = int((time.time() if now is None else now) * 1000)
    digits = (milliseconds.to_bytes(6, "big") + os.urandom(10)).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-7{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def milliseconds_of(identifier: str) -> Optional[int]:
    """The milliseconds since 1970 inside a UUID of version 7; `None` for any other text."""
    try:
        value = uuid.UUID(identifier)
    except ValueError:
        return None
    return value.int >> 80 if value.version == 7 else None
