"""The background thread, which uploads what the spool has."""

from __future__ import annotations

import atexit
import contextlib
import os
import random
import threading
import time
import weakref
from typing import List, Optional, Set

from .log import Log
from .memory import MemoryQueue
from .segment import batches
from .spool import Spool, SpoolFull
from .upload import Response, post

BATCH_ITEMS = 5000
# Rejected single responses, while none is accepted, after which the request itself counts as the cause.
MOST_REJECTED = 20
IDLE_SECONDS = 30.0
MOST_PAUSE = 300.0
REST_SECONDS = 5.0
# Until a flush tries again while another process uploads a file of this one.
HELD_SECONDS = 0.2
# A disk that is nearly full fails and works in turns: the log says that it works after this.
CALM_SECONDS = 60.0


class Uploader:
    """Uploads the files of the spool, and what waits in memory, in a thread that the first news starts.

    `interval` is how long responses are gathered, `timeout` bounds a request, and `exit_timeout` the upload
    when the process ends, in seconds.
    """

    def __init__(
        self, url: str, key: str, spool: Spool, memory: MemoryQueue, log: Log, interval: float, timeout: float,
        exit_timeout: float,
    ) -> None:  # fmt: skip
        self.url, self.key = url, key
        self.retry_at = 0.0
        self.failures = 0
        self._spool, self._memory, self._log = spool, memory, log
        self._interval, self._timeout, self._exit_timeout = interval, timeout, exit_timeout
        self._batch_items = BATCH_ITEMS
        self._process = os.getpid()
        self._thread: Optional[threading.Thread] = None
        self._starting = threading.Lock()
        self._news, self._hurry = threading.Event(), threading.Event()
        self._is_noticed = False
        self._turn = threading.Condition()
        self._wanted = self._served = self._waiting = 0
        # The files of this process that an upload has to leave none of.
        self._sealed: Set[str] = set()

    def start(self) -> None:
        """Uploads what earlier processes left, in the background."""
        self._news.set()
        self._start()

    def notice(self) -> None:
        """Wakes the thread, after something was recorded."""
        if not self._is_noticed:
            # Before `set`, which a signal handler that interrupts it must not call: it would wait for its lock.
            self._is_noticed = True
            self._news.set()
        if self._thread is None:
            self._start()

    def flush(self, timeout: float) -> bool:
        """Uploads what was recorded before, and what no other process is uploading.

        False if something that this process recorded is left after that time, or has to wait for longer.
        """
        deadline = time.monotonic() + timeout
        with self._turn:
            self._wanted += 1
            self._waiting += 1
            ticket = self._wanted
        self._start()
        self._news.set()
        self._hurry.set()
        with self._turn:
            try:
                while self._served < ticket and self.retry_at <= deadline and time.monotonic() < deadline:
                    self._turn.wait(deadline - time.monotonic())
            finally:
                self._waiting -= 1
            return self._served >= ticket

    def _start(self) -> None:
        if self._thread is not None or not self._starting.acquire(blocking=False):
            return  # Another thread starts it now, or this one does, and a signal handler has interrupted it.
        try:
            if self._thread is None:
                thread = threading.Thread(target=self._work, name="landfall", daemon=True)
                thread.start()
                self._thread = thread
                atexit.register(_at_exit, weakref.ref(self))
        except RuntimeError as error:  # There are too many threads, or the process is ending.
            self._log.once("thread", f"no thread to upload responses, the spool keeps them: {error}")
        finally:
            self._starting.release()

    def end(self) -> None:
        """Uploads what this process has left when it ends. A forked child inherits the call, but not the thread."""
        if self._process == os.getpid() and (self._memory or not self._spool.is_done()):
            self.flush(self._exit_timeout)

    def _work(self) -> None:
        while True:
            self._news.wait(IDLE_SECONDS)
            self._hurry.wait(self._interval)
            self._news.clear()
            self._is_noticed = False
            self._hurry.clear()
            ticket = self._wanted
            try:
                pause = self.upload()
                if pause == 0 and self._waiting and self._spool.has(self._sealed):
                    pause = HELD_SECONDS
            except Exception as error:  # A bug must not end the thread.
                self._log.once("bug", f"an upload failed, it will be repeated: {type(error).__name__}: {error}")
                pause = MOST_PAUSE
            with self._turn:
                self.retry_at = time.monotonic() + pause
                if pause == 0:
                    self._served = ticket
                self._turn.notify_all()
            while self.retry_at > time.monotonic():
                time.sleep(min(max(self.retry_at - time.monotonic(), 0.0), REST_SECONDS))
                self._look_after_the_disk()
            if pause:
                self._news.set()
                if self._waiting:
                    self._hurry.set()

    def _look_after_the_disk(self) -> None:
        with contextlib.suppress(Exception):  # It must not end the thread, and the next upload says what is wrong.
            self.empty_memory()
            self._spool.measure()

    def upload(self) -> float:
        """Uploads everything there is. Returns 0, or the seconds until it should be tried again."""
        self._spool.seal()
        self.empty_memory()
        self._sealed = self._spool.seal()
        for lines in self._memory.batches(lambda: self._batch_items):
            pause = self.deliver(lines)
            if pause:
                return pause
            self._memory.remove(len(lines))
        try:
            for batch in batches(self._spool.claim(), lambda: self._batch_items):
                pause = self.deliver(batch.lines) if batch.lines else 0.0
                if pause:
                    return pause
                for segment in batch.finished:
                    self._spool.remove(segment)
                if batch.partial:
                    self._spool.advance(*batch.partial)
        finally:
            self._spool.release_all()
            self._spool.measure()
            for problem, text in self._spool.troubles():
                self._log.once(problem, text)
        for problem in ("full", "memory"):
            self._log.over(problem, f"responses are recorded again; {self._log.lost} were lost")
        return 0.0

    def empty_memory(self) -> None:
        """Writes to disk what waits in memory, once the disk can be written to again."""
        while self._memory:
            try:
                self._spool.append(self._memory.first())
            except (OSError, SpoolFull):
                return
            self._memory.remove(1)
        if self._spool.works_since(CALM_SECONDS):
            self._log.over("disk", f"{self._spool.folder} can be written to again")

    def deliver(self, lines: List[bytes]) -> float:
        """Posts the lines, in parts if the server rejects the whole. Returns 0, or the seconds to wait.

        A response that is rejected on its own is lost if another one is accepted. If none is, the request is at
        fault, not its content: all of them are kept.
        """
        parts, accepted, is_too_large = [lines], 0, False
        rejected: List[Response] = []
        while parts:
            part = parts.pop()
            response = post(self.url, self.key, part, self._timeout)
            if response.status == 200:
                self._succeeded(response)
                accepted = max(accepted, len(part))
            elif not response.is_of_the_content:
                return self.failed(response)
            elif len(part) > 1:
                half = len(part) // 2
                parts += [part[half:], part[:half]]
                is_too_large = is_too_large or response.status == 413
            else:
                rejected.append(response)
                if not accepted and len(rejected) >= MOST_REJECTED:
                    break
        if not accepted:
            self._batch_items = BATCH_ITEMS  # The next batch has others with them, if there are any by then.
            return self.failed(rejected[0])
        if is_too_large:
            self._batch_items = accepted
        elif len(lines) >= self._batch_items:
            self._batch_items = min(self._batch_items + self._batch_items // 16 + 1, BATCH_ITEMS)
        for response in rejected:
            self._log.lose(
                f"status {response.status}", f"the server rejected a response, it is lost: {response.words()}"
            )
        return 0.0

    def _succeeded(self, response: Response) -> None:
        self.failures = 0
        self._log.over("upload", "responses are uploaded again")
        self._log.verdict(response.rejections, response.warnings)

    def failed(self, response: Response) -> float:
        """Logs why a request failed. Returns the seconds until it should be tried again."""
        self.failures += 1
        if response.status in (401, 403, 404, 405) or 300 <= response.status < 400:
            fix = "check the key" if response.status in (401, 403) else "check the URL"
            pause = MOST_PAUSE
        else:
            fix, pause = "it is repeated", min(2.0 ** min(self.failures, 9), MOST_PAUSE)
        self._log.once(
            f"upload {response.status}",
            f"{self.url} does not accept responses, {fix}; the spool keeps them: {response.words()}",
        )
        jitter = random.uniform(0.5, 1.0)
        if response.retry_after is not None:
            return max(response.retry_after, 0.1) * (1.5 - jitter / 2)
        return pause * jitter


def _at_exit(reference: "weakref.ref[Uploader]") -> None:
    uploader = reference()
    if uploader is not None:
        uploader.end()
