"""Signatures of a backend: receipts and account proofs, as docs/trust.md defines them."""

from __future__ import annotations

import base64
import hmac
from typing import Sequence

from .ids import uuid_bytes


def receipt(key: str, identifier: str) -> str:
    """The receipt of a notification's or message's id, 22 characters.

    `key` is the whole text that `landfall key create --kind receipt` printed. Raises `ValueError` if the id is
    not a UUID.
    """
    return _text(hmac.digest(key.encode(), uuid_bytes(identifier), "sha256")[:16])


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
