"""One request to `POST /v1/events`, and what its response means."""

from __future__ import annotations

import email.utils
import gzip
import http.client
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any, List, Optional, Sequence, Tuple

VERSION = "0.1.0"
MOST_RETRY_SECONDS = 3600.0
# The most of a response that is read: a verdict names each rejected item.
MOST_BYTES = 16 << 20


@dataclass(frozen=True)
class Response:
    """The response to a request: its status, 0 if there was none, and what it says."""

    status: int
    detail: str = ""
    # The server's code of an error; empty if the response is not Landfall's.
    code: str = ""
    retry_after: Optional[float] = None
    # Of 200: (code, detail) of each rejected item, and of each warning.
    rejections: Sequence[Tuple[str, str]] = field(default_factory=tuple)
    warnings: Sequence[Tuple[str, str]] = field(default_factory=tuple)

    @property
    def is_of_the_content(self) -> bool:
        """Whether a part of the items may be accepted: they are too many, or one of them cannot be read.

        A body whose encoding is damaged or unknown was changed on its way, whatever its items are.
        """
        if self.status == 413:
            return True
        return self.status in (400, 422) and self.code not in ("", "invalid_encoding", "invalid_request")

    def words(self) -> str:
        return " ".join(text for text in (str(self.status or ""), self.code, self.detail) if text)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Python would repeat a redirected POST as a GET, whose 200 would look like a success."""

    def redirect_request(self, *arguments: Any, **names: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def post(url: str, key: str, lines: Sequence[bytes], timeout: float) -> Response:
    """Posts the lines, each of which ends with a line feed, as one request of NDJSON. Never raises."""
    request = urllib.request.Request(
        url + "/v1/events",
        data=gzip.compress(b"".join(lines), 1),
        headers={
            "Authorization": "Bearer " + key,
            "Content-Type": "application/x-ndjson",
            "Content-Encoding": "gzip",
            "User-Agent": "landfall-python/" + VERSION,
        },
        method="POST",
    )
    try:
        with _opener.open(request, timeout=timeout) as response:
            return read(response.status, response.headers, response.read(MOST_BYTES), len(lines))
    except urllib.error.HTTPError as error:
        try:
            body = error.read(MOST_BYTES)
        except (OSError, http.client.HTTPException):
            body = b""
        return read(error.code, error.headers, body, len(lines))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Response(0, f"{type(error).__name__}: {error}")


def read(status: int, headers: Any, body: bytes, count: int) -> Response:
    """Reads a response to `count` items. A 200 that is not Landfall's verdict becomes status 0."""
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {}
    code, detail = str(document.get("code") or ""), str(document.get("detail") or "")
    retry_after = retry_seconds(headers.get("Retry-After"), time.time())
    if status == 422 and code and count == 1:
        return Response(200, rejections=[(code, detail)])
    if status != 200:
        return Response(status, detail or body[:200].decode("utf-8", "replace"), code, retry_after)
    if _items(document) != count:
        return Response(0, f"the response is not Landfall's: {body[:100]!r}")
    return Response(200, rejections=_pairs(document.get("errors")), warnings=_pairs(document.get("warnings")))


def retry_seconds(value: Optional[str], now: float) -> Optional[float]:
    """The seconds that `Retry-After` names, as a number or as a date, at most an hour."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - now
        except (TypeError, ValueError):
            return None
    return min(max(seconds, 0.0), MOST_RETRY_SECONDS)


def _items(document: "dict[str, Any]") -> int:
    counts = [document.get(name) for name in ("accepted", "duplicates", "rejected")]
    return sum(count if isinstance(count, int) else -1 for count in counts)


def _pairs(items: Any) -> List[Tuple[str, str]]:
    found = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [(str(item.get("code", "")), str(item.get("detail", ""))) for item in found]
