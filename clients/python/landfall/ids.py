"""Ids of notifications."""

from __future__ import annotations

import os
import re
import time
from typing import Optional

# As the server reads UUIDs: no braces, no prefix.
is_uuid = re.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch


def new_id(now: Optional[float] = None) -> str:
    """A UUID of version 7 (RFC 9562, 5.7): the milliseconds of `now`, in seconds since 1970, and random bits."""
    milliseconds = int((time.time() if now is None else now) * 1000)
    digits = (milliseconds.to_bytes(6, "big") + os.urandom(10)).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-7{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def uuid_bytes(identifier: str) -> bytes:
    """The 16 bytes of a UUID. Raises `ValueError` for any other text."""
    if not is_uuid(identifier):
        raise ValueError(f"{identifier!r} is not a UUID")
    return bytes.fromhex(identifier.replace("-", ""))


def milliseconds_of(identifier: str) -> Optional[int]:
    """The milliseconds since 1970 inside a UUID of version 7; `None` for any other text."""
    if not is_uuid(identifier) or identifier[14] != "7":
        return None
    return int.from_bytes(uuid_bytes(identifier)[:6], "big")
