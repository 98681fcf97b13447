"""Ids of notifications."""

from __future__ import annotations

import os
import re
import time
import unicodedata
from typing import Optional

# As the server reads UUIDs: no braces, no prefix.
is_uuid = re.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch


def new_id(now: Optional[float] = None) -> str:
    """A UUID of version 7 (RFC 9562, 5.7): the milliseconds of `now`, in seconds since 1970, and random bits."""
    milliseconds = int((time.time() if now is None else now) * 1000)
    digits = (milliseconds.to_bytes(6, "big") + os.urandom(10)).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-7{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


# White space and invisible marks at the ends are no part of an id.
_ends = re.compile("^[\\s\ufeff\u200b\u2060\u200e\u200f]+|[\\s\ufeff\u200b\u2060\u200e\u200f]+$")


def bytes_of(identifier: str) -> bytes:
    """What a receipt signs: the 16 bytes of a UUID, or any other text as the server compares it, in UTF-8."""
    if is_uuid(identifier):
        return bytes.fromhex(identifier.replace("-", ""))
    text = unicodedata.normalize("NFC", _ends.sub("", identifier))
    return bytes.fromhex(text.replace("-", "")) if is_uuid(text) else text.encode()


def milliseconds_of(identifier: str) -> Optional[int]:
    """The milliseconds since 1970 inside a UUID of version 7; `None` for any other text."""
    if not is_uuid(identifier) or identifier[14] != "7":
        return None
    return int.from_bytes(bytes_of(identifier)[:6], "big")
