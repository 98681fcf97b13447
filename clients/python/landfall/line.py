"""A record as one line of JSON."""

from __future__ import annotations

import json
import json.encoder
from typing import Any, Callable, Dict, Iterable, Optional


def line(item: Dict[str, Any]) -> bytes:
    """The item as JSON in UTF-8, with a line feed. Raises `TypeError` or `ValueError` if it has none."""
    return ("".join(_chunks(item, 0)) + "\n").encode("utf-8", "replace")


def _plain(value: Any) -> str:
    """What JSON cannot express: the bytes of a body, errors, dates."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _none(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} has no JSON")


def encoder(
    comma: str, colon: str, plain: Optional[Callable[[Any], Any]] = None
) -> Callable[[Any, int], Iterable[str]]:
    """A function that returns the parts of an item's JSON; `plain` replaces what JSON cannot express.

    `JSONEncoder.iterencode` makes an encoder in C for each call, which takes longer than encoding.
    """
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is not None:
        basic: Any = json.encoder.encode_basestring
        return make(None, plain or _none, basic, None, colon, comma, False, False, False)  # type: ignore[no-any-return]
    encode = json.JSONEncoder(ensure_ascii=False, separators=(comma, colon), default=plain, allow_nan=False).encode
    return lambda item, level: encode(item)


_chunks = encoder(",", ":", _plain)
