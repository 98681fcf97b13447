"""The recorder: responses go to a spool on disk, and a background thread uploads them."""

from __future__ import annotations

import atexit
import os
import random
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Tuple

from .fields import current_labels
from .line import line
from .log import Log, Quiet
from .memory import MemoryQueue
from .spool import Segment, Spool, SpoolFull
from .upload import Answer, post

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .fields import ResponseFields

LINE_BYTES = 64 << 10
BATCH_ITEMS = 5000
BATCH_BYTES = 4 << 20
BATCH_FILES = 200
IDLE_SECONDS = 30.0
MOST_PAUSE = 300.0
REST_SECONDS = 5.0
# A disk that is nearly full fails and works in turns: the log says that it works after this.
CALM_SECONDS = 60.0


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
        if key.strip().startswith(("lf_device_", "lf_report_", "lf_receipt_", "lf_account_")):
            # The server would put every response into quarantine.
            raise ValueError(f"key is {key.strip()[:10]}…: create a server key with 'landfall key create --kind server'")
        self.receipt_key = receipt_key
        self.log = Log()
        self.quiet = Quiet(self.log)
        self.lost = 0
        self._url, self._key = url.rstrip("/"), key.strip()
        self._sender = {"sender": sender} if sender else {}
        self._interval, self._timeout, self._exit_timeout = interval, timeout, exit_timeout
        self._spool = Spool(spool, max_disk)
        self._max_memory = max_memory
        self._batch_items = BATCH_ITEMS
        self._begin()
        _recorders.add(self)

    def record(self, provider: str, **fields: Unpack[ResponseFields]) -> bool:
        """Records a response, with the fields of docs/http.md; `sent_at` is now if it is missing.

        Returns true once the response is on disk, or in memory while the disk cannot be written to. False means
        that it is lost: both are full, or it has a value that cannot be written. The log says so.
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
        self.lost += 1
        return False

    def flush(self, timeout: float = 10.0) -> bool:
        """Uploads what was recorded before. Returns whether it is done, at the latest after `timeout` seconds.

        False if the server cannot be reached, or has asked for a longer pause: the spool keeps the rest.
        """
        deadline = time.monotonic() + timeout
        with self._turn:
            self._wanted += 1
            ticket = self._wanted
        self._start()
        self._news.set()
        self._hurry.set()
        with self._turn:
            while self._served < ticket:
                remaining = deadline - time.monotonic()
                if remaining <= 0 or self._retry_at > deadline:
                    return False
                self._turn.wait(remaining)
        return True

    def _keep(self, text: bytes) -> bool:
        if len(text) > LINE_BYTES:
            return self._lose("line", f"a response of {len(text)} bytes was not recorded: at most {LINE_BYTES} are")
        try:
            self._spool.append(text)
        except SpoolFull:
            return self._lose(
                "full", f"{self._spool.folder} has reached max_disk: further responses are lost until it is uploaded"
            )
        except OSError as error:
            self.log.once(
                "disk", f"cannot write to {self._spool.folder}, responses wait in memory: {error.strerror or error}"
            )
            if not self._memory.append(text):
                return self._lose("memory", "max_memory is reached while the disk cannot be written to: responses are lost")
        if not self._news.is_set():
            self._news.set()
        if self._thread is None:
            self._start()
        return True

    def _lose(self, problem: str, text: str) -> bool:
        self.lost += 1
        self.log.once(problem, text)
        return False

    # The background thread.

    def _begin(self) -> None:
        """The state of a process, at the start and after a fork."""
        self._memory = MemoryQueue(self._max_memory)
        self._thread: Optional[threading.Thread] = None
        self._starting = threading.Lock()
        self._news, self._hurry = threading.Event(), threading.Event()
        self._turn = threading.Condition()
        self._wanted = self._served = 0
        self._retry_at = 0.0
        self._failures = 0

    def _forked(self) -> None:
        self._spool.abandon()
        self._begin()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._work, name="landfall", daemon=True)
                try:
                    thread.start()
                except RuntimeError as error:  # There are too many threads, or the process is ending.
                    self.log.once("thread", f"no thread to upload responses, the spool keeps them: {error}")
                    return
                self._thread = thread
                atexit.register(_at_exit, weakref.ref(self))

    def _work(self) -> None:
        while True:
            self._news.wait(IDLE_SECONDS)
            self._hurry.wait(self._interval)
            self._news.clear()
            self._hurry.clear()
            ticket = self._wanted
            try:
                pause = self._upload()
            except Exception as error:  # A bug must not end the thread.
                self.log.once("bug", f"an upload failed, it will be repeated: {type(error).__name__}: {error}")
                pause = MOST_PAUSE
            with self._turn:
                self._retry_at = time.monotonic() + pause
                if pause == 0:
                    self._served = ticket
                self._turn.notify_all()
            if pause:
                self._rest()

    def _rest(self) -> None:
        """Waits until the next attempt, and meanwhile looks after the disk."""
        while True:
            remaining = self._retry_at - time.monotonic()
            if remaining <= 0:
                break
            time.sleep(min(remaining, REST_SECONDS))
            self._empty_memory()
            self._spool.measure()
        self._news.set()

    def _upload(self) -> float:
        """Uploads everything there is. Returns 0, or the seconds until it should be tried again."""
        self._spool.seal()
        self._empty_memory()
        self._spool.seal()
        for lines in self._memory.batches(self._batch_items):
            pause = self._deliver(lines)
            if pause:
                return pause
            self._memory.remove(len(lines))
        try:
            for lines, segments in _batches(self._spool.claim(), self._batch_items):
                pause = self._deliver(lines) if lines else 0.0
                if pause:
                    return pause
                for segment in segments:
                    self._spool.remove(segment)
        finally:
            self._spool.release_all()
            self._spool.measure()
        return 0.0

    def _empty_memory(self) -> None:
        """Writes to disk what waits in memory, once the disk can be written to again."""
        while self._memory:
            try:
                self._spool.append(self._memory.first())
            except (OSError, SpoolFull):
                return
            self._memory.remove(1)
        if self._spool.works_since(CALM_SECONDS):
            self.log.over("disk", f"{self._spool.folder} can be written to again")

    def _deliver(self, lines: List[bytes]) -> float:
        """Posts the lines, in halves if the server rejects the whole. Returns 0, or the seconds to wait."""
        answer = post(self._url, self._key, lines, self._timeout)
        if answer.status == 200:
            self._succeeded(answer)
            return 0.0
        if answer.status == 413 or (answer.code and answer.status in (400, 415, 422)):
            if len(lines) > 1:
                half = len(lines) // 2
                if answer.status == 413:
                    self._batch_items = half
                return self._deliver(lines[:half]) or self._deliver(lines[half:])
            self._lose(f"status {answer.status}", f"the server rejected a response, it is lost: {_words(answer)}")
            return 0.0
        return self._failed(answer)

    def _succeeded(self, answer: Answer) -> None:
        self._failures = 0
        for problem in ("full", "memory"):
            self.log.over(problem, f"responses are recorded again; {self.lost} were lost")
        self.log.over("upload", "responses are uploaded again")
        for code, detail in answer.rejections:
            self.log.once(
                f"rejected {code}",
                f"the server rejected responses as {code}: {detail}. They are in quarantine: see"
                f" 'landfall quarantine list --code {code}', correct the sender, then 'landfall quarantine replay'",
            )
        for code, detail in answer.warnings:
            self.log.once(f"warning {code}", f"the server warns of {code}: {detail}")

    def _failed(self, answer: Answer) -> float:
        self._failures += 1
        if answer.status in (401, 403, 404, 405) or 300 <= answer.status < 400:
            fix = "check the key" if answer.status in (401, 403) else "check the URL"
            pause = MOST_PAUSE
        else:
            fix, pause = "it is repeated", min(2.0**self._failures, MOST_PAUSE)
        self.log.once(f"upload {answer.status}", f"{self._url} does not accept responses, {fix}; the spool keeps them: {_words(answer)}")
        jitter = random.uniform(0.5, 1.0)
        if answer.retry_after is not None:
            return max(answer.retry_after, 0.1) * (1.5 - jitter / 2)
        return pause * jitter


def _words(answer: Answer) -> str:
    return " ".join(text for text in (str(answer.status or ""), answer.code, answer.detail) if text)


def _batches(segments: Iterable[Segment], most: int) -> Iterator[Tuple[List[bytes], List[Segment]]]:
    """Lines for one request, and the files that are done once they are uploaded."""
    lines: List[bytes] = []
    finished: List[Segment] = []
    size = 0
    for segment in segments:
        for line in segment.lines():
            if lines and (len(lines) >= most or size + len(line) > BATCH_BYTES):
                yield lines, finished
                lines, finished, size = [], [], 0
            lines.append(line)
            size += len(line)
        finished.append(segment)
        if len(finished) >= BATCH_FILES:
            yield lines, finished
            lines, finished, size = [], [], 0
    if finished:
        yield lines, finished


_recorders: "weakref.WeakSet[LandfallRecorder]" = weakref.WeakSet()


def _after_fork() -> None:
    for recorder in list(_recorders):
        recorder._forked()


os.register_at_fork(after_in_child=_after_fork)


def _at_exit(reference: "weakref.ref[LandfallRecorder]") -> None:
    recorder = reference()
    if recorder is not None:
        recorder.flush(recorder._exit_timeout)
