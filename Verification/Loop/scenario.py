"""What is sent to whom, and what must be reported in the end.

Every token has a fate: what its provider returns for each push to it. `FATES` says next to each fate how the push
counts and what becomes of the token, worked out by hand from docs/http.md and docs/tokens.md.
"""

from __future__ import annotations

import random
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Iterator

TOPIC = "com.example.shop"


@dataclass(frozen=True)
class Fate:
    """`counts_as` is accepted or the class of the rejection; `token` the state of the token afterward."""

    counts_as: str
    token: str = "active"
    devices: int = 2


FATES = {
    "apns": {
        "ok": Fate("accepted", devices=12),
        # 410 Unregistered with a timestamp after the registration, and one of the day before it.
        "gone": Fate("token_dead", "retired"),
        "gone_before": Fate("token_dead"),
        "bad_device_token": Fate("token_suspect", "suspect"),
        "expired_provider_token": Fate("auth_error"),
        "too_large": Fate("payload_error"),
        "throttled": Fate("throttled"),
        "error_500": Fate("provider_error"),
        "error_503": Fate("provider_error"),
        # The connection ends before the response; aioapns sends again on another one.
        "goaway": Fate("accepted"),
        # No response, until the sender gives up.
        "silence": Fate("provider_error"),
    },
    "fcm": {
        "ok": Fate("accepted", devices=12),
        "gone": Fate("token_dead", "retired"),
        "bad_token": Fate("token_suspect", "suspect"),
        "other_sender": Fate("wrong_topic"),
        "apns_credentials": Fate("auth_error"),
        "throttled": Fate("throttled"),
        # 429 and 503 with Retry-After, which firebase-admin observes, and then 200.
        "throttled_once": Fate("accepted"),
        "error_503_once": Fate("accepted"),
        "error_500": Fate("provider_error"),
        "silence": Fate("provider_error"),
    },
    "webpush": {
        "ok": Fate("accepted", devices=12),
        "gone": Fate("token_dead", "retired"),
        "missing": Fate("token_dead", "retired"),
        "other_vapid_key": Fate("auth_error"),
        "too_large": Fate("payload_error"),
        "throttled": Fate("throttled"),
        "error_500": Fate("provider_error"),
        "error_503": Fate("provider_error"),
        "silence": Fate("provider_error"),
    },
    "expo": {
        "ok": Fate("accepted", devices=8),
        "gone": Fate("token_dead", "retired"),
        # The ticket is ok, and the receipt is not.
        "gone_later": Fate("token_dead", "retired"),
        "too_large_later": Fate("payload_error"),
        "throttled": Fate("throttled"),
        "error_503": Fate("provider_error"),
        "silence": Fate("provider_error"),
    },
}


@dataclass
class Device:
    """An installation with one token."""

    number: int
    provider: str
    fate_name: str
    token: str
    device_id: str

    @property
    def fate(self) -> Fate:
        return FATES[self.provider][self.fate_name]


@dataclass
class Job:
    """One push to one device. `id` is `None` if the sender leaves it to Landfall's wrapper."""

    number: int
    device: Device
    campaign: str
    id: str | None = None
    # Jobs with the same multicast are one message of FCM.
    multicast: int | None = None

    @property
    def name(self) -> str:
        """What the payload calls the push: with the token, it is unique."""
        return f"{self.campaign} {self.multicast or 0}"

    @property
    def is_accepted(self) -> bool:
        return self.device.fate.counts_as == "accepted"

    @property
    def arrives(self) -> bool:
        return self.is_accepted and self.number % 3 != 0

    @property
    def is_clicked(self) -> bool:
        return self.arrives and self.number % 4 == 0


@dataclass
class Scenario:
    devices: list[Device]
    # Sent by processes that are killed; their jobs are in a queue, which chose the ids.
    first: list[Job] = field(default_factory=list)
    # Sent afterward, with the ids of the wrappers.
    second: list[Job] = field(default_factory=list)

    @property
    def jobs(self) -> list[Job]:
        return self.first + self.second


def scenario(seed: int) -> Scenario:
    randomness = random.Random(seed)
    devices = list(_devices(randomness))
    result = Scenario(devices)
    numbers = iter(range(1, 100_000))
    for device in devices:
        result.first.append(Job(next(numbers), device, "spring", _new_id(randomness)))
        result.second.append(Job(next(numbers), device, "summer"))
    multicast = [device for device in devices if device.provider == "fcm" and device.fate_name in ("ok", "gone", "other_sender")]
    for number in (1, 2):
        result.second += [Job(next(numbers), device, "many", multicast=number) for device in multicast]
    randomness.shuffle(result.first)
    randomness.shuffle(result.second)
    return result


def _devices(randomness: random.Random) -> Iterator[Device]:
    number = 0
    for provider, fates in FATES.items():
        for name, fate in fates.items():
            for _ in range(fate.devices):
                number += 1
                token = _token(provider, name, randomness)
                yield Device(number, provider, name, token, str(uuid.UUID(int=randomness.getrandbits(128), version=4)))


def _new_id(randomness: random.Random) -> str:
    """A random UUID of version 4, as many job queues have."""
    return str(uuid.UUID(int=randomness.getrandbits(128), version=4))


def _token(provider: str, fate: str, randomness: random.Random) -> str:
    digits = f"{randomness.getrandbits(256):064x}"
    if provider == "apns":
        return digits
    if provider == "fcm":
        return f"{digits[:22]}:APA91b{digits}{digits}"
    if provider == "webpush":
        host = "web.push.apple.com" if fate == "other_vapid_key" else "updates.push.services.mozilla.com/wpush/v2"
        return f"https://{host}/{digits}"
    return f"ExponentPushToken[{digits[:22]}]"


def truth(jobs: list[Job]) -> dict[tuple[str, str], Counter[str]]:
    """What the funnel must count, by provider and campaign."""
    result: dict[tuple[str, str], Counter[str]] = {}
    for job in jobs:
        device = job.device
        # The host of the endpoint decides that a subscription is Apple's.
        provider = "webpush_apple" if "web.push.apple.com" in device.token else device.provider
        counts = result.setdefault((provider, job.campaign), Counter())
        counts["attempted"] += 1
        if job.is_accepted:
            counts["accepted"] += 1
        else:
            counts["rejected." + device.fate.counts_as] += 1
        counts["arrived"] += job.arrives
        counts["confirmed"] += job.arrives
        counts["clicked"] += job.is_clicked
    return {key: +counts for key, counts in result.items()}
