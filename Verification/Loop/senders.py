"""Runs the senders, one process for each provider, and kills them."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from https import Browser
from scenario import SENDERS, Job

ROOT = Path(__file__).resolve().parents[2]


class Sender(threading.Thread):
    """Sends the jobs of one provider, in a process that is killed after some of them, and started again."""

    def __init__(self, provider: str, jobs: list[Job], config: dict[str, Any], folder: Path, kills: list[int]) -> None:
        super().__init__(daemon=True)
        self._provider, self._jobs, self._config, self._folder = provider, jobs, config, folder
        # How many more jobs must be done before each kill.
        self._kills = list(kills)
        self.done: set[int] = set()
        self.kills = 0
        self._process: subprocess.Popen[str] | None = None
        self.failure: str | None = None

    def run(self) -> None:
        while len(self.done) < len(self._jobs) and self.failure is None:
            self._start()

    def stop(self) -> None:
        """Ends a sender that still runs, because the loop has given up."""
        if self.is_alive():
            self.failure = "it was stopped"
            if self._process is not None:
                self._process.kill()

    def _start(self) -> None:
        queue = self._folder / f"{self._provider}.json"
        queue.write_text(json.dumps([_described(job) for job in self._jobs if job.number not in self.done]))
        configuration = self._folder / "configuration.json"
        configuration.write_text(json.dumps(self._config))
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT / "clients/python"), "REQUESTS_CA_BUNDLE": self._config["certificate"],
        }  # fmt: skip
        with open(self._folder / f"{self._provider}.log", "ab") as log:
            process = self._process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("sender.py"), self._provider, configuration, queue],
                stdout=subprocess.PIPE, stderr=log, text=True, env=environment,
            )  # fmt: skip
        limit = self._kills.pop(0) if self._kills else None
        assert process.stdout is not None
        for count, line in enumerate(process.stdout, 1):
            self.done.add(int(line))
            if count == limit:
                process.kill()
                self.kills += 1
        if process.wait() not in (0, -9):
            self.failure = f"the sender of {self._provider} exited with {process.returncode}: {log.name}"


def _described(job: Job) -> dict[str, Any]:
    described: dict[str, Any] = {
        "number": job.number, "name": job.name, "token": job.device.token, "campaign": job.campaign, "id": job.id,
        "multicast": job.multicast,
        "is_silent": job.device.fate_name == "silence",
    }  # fmt: skip
    if SENDERS[job.device.provider] == "webpush":
        described["subscription"] = Browser(job.device.number).subscription(job.device.token)
    return described


def send(jobs: list[Job], config: dict[str, Any], folder: Path, randomness: random.Random, kills: int) -> list[Sender]:
    """Sends the jobs with all senders at the same time, and kills each of them so often. Returns them when done."""
    senders = []
    for provider in sorted(set(SENDERS.values())):
        own = [job for job in jobs if SENDERS[job.device.provider] == provider]
        senders.append(
            Sender(
                provider, own, config, folder, [randomness.randint(1, len(own) // (kills + 1)) for _ in range(kills)]
            )
        )
    try:
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
    finally:
        for sender in senders:
            sender.stop()
    return senders
