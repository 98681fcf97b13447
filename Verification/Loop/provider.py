"""What all mock providers share: a record of the pushes that they got."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from scenario import Device


@dataclass
class Push:
    """A push as a provider got it."""

    device: Device
    payload: dict[str, Any]


class Providers:
    """The devices that the mock providers know, and the pushes that they accepted."""

    def __init__(self, devices: list[Device]) -> None:
        self._by_token = {device.token: device for device in devices}
        self._attempts: Counter[str] = Counter()
        self._lock = threading.Lock()
        # By token, and the name that is in the payload next to `landfall`; what is sent again replaces the one before.
        self.pushes: dict[tuple[str, str], Push] = {}
        self.requests = 0
        self.contradictions: list[str] = []

    def device(self, token: str) -> Device:
        return self._by_token[token]

    def received(self, device: Device, payload: dict[str, Any]) -> int:
        """Notes a push, and returns how many the token has got."""
        key = (device.token, str(payload["name"]))
        with self._lock:
            self.requests += 1
            before = self.pushes.get(key)
            if before is not None and id_of(payload) != id_of(before.payload):
                self.contradictions.append(f"{key} was sent as {id_of(before.payload)} and as {id_of(payload)}")
            self.pushes[key] = Push(device, payload)
            self._attempts[device.token] += 1
            return self._attempts[device.token]


def landfall_of(payload: dict[str, Any]) -> dict[str, Any]:
    """The object `landfall` of a payload, which is a text in FCM's data."""
    value = payload.get("landfall", {})
    return json.loads(value) if isinstance(value, str) else value


def id_of(payload: dict[str, Any]) -> str | None:
    found = landfall_of(payload)
    return found.get("id") or found.get("message")


def now_ms() -> int:
    return int(time.time() * 1000)
