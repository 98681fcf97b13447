"""The recorder: responses go to a spool on disk, and a background thread uploads them."""

from __future__ import annotations

import os
import re
import time
import weakref
from typing import TYPE_CHECKING, Any, Dict, Optional

from .fields import current_labels
from .line import line
from .log import Log, Quiet
from .memory import MemoryQueue
from .spool import Spool, SpoolFull
from .uploader import Uploader

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .fields import ResponseFields

# The server reads no longer item.
LINE_BYTES = 64 << 10


class LandfallRecorder:
    """Records what providers return for pushes. No method blocks or raises while pushes are sent.

    `url` is the server's, without a path. `key` is a server key. `spool` is a folder on a local disk, which
    several processes may share. `sender` names the service that sends. `receipt_key` signs receipts
    (docs/trust.md). `max_disk` bounds the folder, and `max_memory` what waits in memory while the disk cannot
    be written to, in bytes. `interval` is how long responses are gathered before an upload, `timeout` bounds a
    request, and `exit_timeout` the upload when the process ends, in seconds. Raises `ValueError` if the URL or
    the key cannot be one.
    """

    def __init__(
        self,
        url: str,
        key: str,
        spool: str,
        *,
        sender: Optional[str] = None,
        receipt_key: Optional[str] = None,
        max_disk: int = 256 << 20,
        max_memory: int = 8 << 20,
        interval: float = 1.0,
        timeout: float = 30.0,
        exit_timeout: float = 2.0,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url is {url!r}: it must begin with https:// or http://")
        if not key.strip():
            raise ValueError("key is empty: create one with 'landfall key create --kind server'")
        if not re.fullmatch("[A-Za-z0-9_-]+", key.strip()):  # The error of an HTTP client would quote it in the log.
            raise ValueError("key has characters that no key has: copy it again, as 'landfall key create' printed it")
        if key.strip().startswith(("lf_device_", "lf_report_", "lf_hook_", "lf_receipt_", "lf_account_")):
            # The server would put every response into quarantine.
            raise ValueError(f"key is {key.strip()[:10]}…: create one with 'landfall key create --kind server'")
        self.receipt_key = receipt_key
        self.log = Log()
        self.quiet = Quiet(self.log)
        self._sender = {"sender": sender} if sender else {}
        self._spool = Spool(spool, max_disk)
        self._max_memory = max_memory
        self._settings: Any = {
            "url": url.rstrip("/"), "key": key.strip(), "spool": self._spool, "log": self.log, "interval": interval,
            "timeout": timeout, "exit_timeout": exit_timeout,
        }  # fmt: skip
        self._begin()
        _recorders.add(self)
        if self._spool.has_files():
            self._uploader.start()

    @property
    def lost(self) -> int:
        """How many responses were lost: those for which `record` returned false, or that no server accepts."""
        return self.log.lost

    def record(self, provider: str, **fields: Unpack[ResponseFields]) -> bool:
        """Records a response, with the fields of docs/http.md; `sent_at` is now if it is missing.

        Returns true once the response is on disk, or in memory while the disk cannot be written to. False means
        that it is lost: both are full, or it has a value that cannot be written. The log names the reason.
        """
        with self.quiet:
            item: Dict[str, Any] = {
                "type": "response", "provider": provider, "sent_at": int(time.time() * 1000), **self._sender,
                **current_labels(),
            }  # fmt: skip
            for name, value in fields.items():
                if value is not None:
                    item[name] = value
            return self._keep(line(item))
        return self.log.count_lost()

    def flush(self, timeout: float = 10.0) -> bool:
        """Uploads what was recorded before. Returns whether it is done, at the latest after `timeout` seconds.

        True means that the server has everything that this process recorded, whichever process uploaded it, and
        what other processes left. False if the server cannot be reached, or has asked for a longer pause: the spool
        keeps the rest.
        """
        return self._uploader.flush(timeout)

    def _keep(self, text: bytes) -> bool:
        if len(text) > LINE_BYTES:
            return self.log.lose("line", f"a response of {len(text)} bytes was not recorded: at most {LINE_BYTES} are")
        try:
            self._spool.append(text)
        except SpoolFull:
            return self.log.lose(
                "full", f"{self._spool.folder} has reached max_disk: further responses are lost until it is uploaded"
            )
        except OSError as error:
            self.log.once(
                "disk", f"cannot write to {self._spool.folder}, responses wait in memory: {error.strerror or error}"
            )
            if not self._memory.append(text):
                return self.log.lose("memory", "max_memory is reached, so responses are lost until the disk works")
        self._uploader.notice()
        return True

    def _begin(self) -> None:
        """The state of a process, at the start and after a fork: the parent uploads what is its own."""
        self._memory = MemoryQueue(self._max_memory)
        self._uploader = Uploader(memory=self._memory, **self._settings)

    def _forked(self) -> None:
        self._spool.abandon()
        self.log.forked()
        self._begin()


_recorders: "weakref.WeakSet[LandfallRecorder]" = weakref.WeakSet()


def _after_fork() -> None:
    for recorder in list(_recorders):
        recorder._forked()


os.register_at_fork(after_in_child=_after_fork)
