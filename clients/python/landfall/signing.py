"""Signatures of a backend: receipts and account proofs, as docs/trust.md defines them."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
from typing import Any, Sequence, Tuple

from .ids import bytes_of


def receipt(key: str, identifier: str) -> str:
    """The receipt of a notification's or message's id, 22 characters.

    `key` is the whole text that `landfall key create --kind receipt` printed. The id is a UUID or any
    other text.
    """
    inner, outer = (begun.copy() for begun in _begun(key))
    inner.update(bytes_of(identifier))
    outer.update(inner.digest())
    return _text(outer.digest()[:16])


@functools.lru_cache(maxsize=16)
def _begun(key: str) -> Tuple[Any, Any]:
    """The inner and outer SHA-256 of an HMAC (RFC 2104, 2), which begin with the key: half of its time."""
    block = key.encode() if len(key.encode()) <= 64 else hashlib.sha256(key.encode()).digest()
    inner, outer = (bytes(byte ^ pad for byte in block.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


def account_proof(key: str, account: str, device_id: str, expires: int, tags: Sequence[str] = ()) -> str:
    """The proof that a device belongs to an account, and has these tags.

    `key` is the whole text that `landfall key create --kind account` printed. `expires` is in seconds since
    1970, at most 400 days from now. `tags` are in the order in which the device posts them. Raises `ValueError`
    if the account or a tag contains a line feed, which cannot be signed.
    """
    if any("\n" in text for text in (account, *tags)):
        raise ValueError("an account or tag with a line feed cannot be signed: remove the line feed")
    signed = "\n".join(["v1", account, *tags, device_id.lower(), str(expires)])
    return f"{expires}." + _text(hmac.digest(key.encode(), signed.encode(), "sha256"))


def _text(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
