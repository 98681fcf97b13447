"""What is sent to whom, and what must be reported in the end.

Every token has a fate: what its provider returns for each push to it. How these count was worked out by hand from
docs/http.md and docs/tokens.md.
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
    """What a provider returns for each push to a token, and what has to be reported of it.

    `counts_as` is accepted or the class of the rejection, `says` the status and reason in the report of
    rejections, and `token` the state of the token afterward.
    """

    counts_as: str
    says: str = ""
    token: str = "active"
    devices: int = 2


FATES = {
    "apns": {
        "ok": Fate("accepted", devices=12),
        # A timestamp after the registration, and one of the day before it.
        "gone": Fate("token_dead", "410 Unregistered", "retired"),
        "gone_before": Fate("token_dead", "410 Unregistered"),
        "bad_device_token": Fate("token_suspect", "400 BadDeviceToken", "suspect"),
        "expired_provider_token": Fate("auth_error", "403 ExpiredProviderToken"),
        "too_large": Fate("payload_error", "413 PayloadTooLarge"),
        "throttled": Fate("throttled", "429 TooManyRequests"),
        "error_500": Fate("provider_error", "500 InternalServerError"),
        "error_503": Fate("provider_error", "503 ServiceUnavailable"),
        # The connection ends before the response; aioapns sends again on another one.
        "goaway": Fate("accepted"),
        # No response, until the sender gives up.
        "silence": Fate("provider_error", "0 CancelledError"),
    },
    "fcm": {
        "ok": Fate("accepted", devices=12),
        "gone": Fate("token_dead", "404 UNREGISTERED", "retired"),
        "bad_token": Fate(
            "token_suspect", "400 INVALID_ARGUMENT+message not a valid FCM registration token", "suspect"
        ),
        "other_sender": Fate("wrong_topic", "403 SENDER_ID_MISMATCH"),
        "apns_credentials": Fate("auth_error", "401 THIRD_PARTY_AUTH_ERROR"),
        "throttled": Fate("throttled", "429 QUOTA_EXCEEDED"),
        # 429 and 503 with Retry-After, which firebase-admin observes, and then 200.
        "throttled_once": Fate("accepted"),
        "error_503_once": Fate("accepted"),
        "error_500": Fate("provider_error", "500 INTERNAL"),
        "silence": Fate("provider_error", "0 UnavailableError"),
    },
    "webpush": {
        "ok": Fate("accepted", devices=12),
        "gone": Fate("token_dead", "410 Gone", "retired"),
        "missing": Fate("token_dead", "404 Not Found", "retired"),
        "too_large": Fate("payload_error", "413 Payload Too Large"),
        "throttled": Fate("throttled", "429"),
        "error_500": Fate("provider_error", "500"),
        "error_503": Fate("provider_error", "503 Service Unavailable"),
        "silence": Fate("provider_error", "0 ReadTimeout"),
    },
    # The host of the endpoint decides that a subscription is Apple's.
    "webpush_apple": {"other_vapid_key": Fate("auth_error", "403 VapidPkHashMismatch")},
    "expo": {
        "ok": Fate("accepted", devices=8),
        "gone": Fate("token_dead", "200 DeviceNotRegistered", "retired"),
        # The ticket is ok, and the receipt is not.
        "gone_later": Fate("token_dead", "200 DeviceNotRegistered", "retired"),
        "too_large_later": Fate("payload_error", "200 MessageTooBig"),
        "throttled": Fate("throttled", "200 MessageRateExceeded"),
        "error_503": Fate("provider_error", "503 non-JSON body"),
        "silence": Fate("provider_error", "0 ReadTimeout"),
    },
}

# The process that sends for a provider.
SENDERS = {"webpush_apple": "webpush"} | {name: name for name in FATES if name != "webpush_apple"}


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
        return self.is_accepted and (self.device.number + len(self.campaign)) % 3 != 0

    @property
    def is_clicked(self) -> bool:
        return self.arrives and self.device.number % 2 == 0


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
    multicast = [
        device for device in devices if device.provider == "fcm" and device.fate_name in ("ok", "gone", "other_sender")
    ]
    for number in (1, 2):
        result.second += [Job(next(numbers), device, "many", multicast=number) for device in multicast]
    randomness.shuffle(result.first)
    result.first.sort(key=_turn)
    randomness.shuffle(result.second)
    return result


def _turn(job: Job) -> int:
    """GOAWAYs come first, then pushes that are accepted.

    aioapns raises h2's ProtocolError for what it sends on a connection that has just got a GOAWAY. The sender
    repeats that, and only an acceptance makes the first outcome disappear from all reports.
    """
    return 0 if job.device.fate_name == "goaway" else 1 if job.is_accepted else 2


def _devices(randomness: random.Random) -> Iterator[Device]:
    number = 0
    for provider, fates in FATES.items():
        for name, fate in fates.items():
            for _ in range(fate.devices):
                number += 1
                token = _token(provider, randomness)
                yield Device(number, provider, name, token, str(uuid.UUID(int=randomness.getrandbits(128), version=4)))


def _new_id(randomness: random.Random) -> str:
    """A random UUID of version 4, as many job queues have."""
    return str(uuid.UUID(int=randomness.getrandbits(128), version=4))


def _token(provider: str, randomness: random.Random) -> str:
    digits = f"{randomness.getrandbits(256):064x}"
    if provider == "apns":
        return digits
    if provider == "fcm":
        return f"{digits[:22]}:APA91b{digits}{digits}"
    if provider == "webpush":
        return f"https://updates.push.services.mozilla.com/wpush/v2/{digits}"
    if provider == "webpush_apple":
        return f"https://web.push.apple.com/{digits}"
    return f"ExponentPushToken[{digits[:22]}]"


def funnel_truth(jobs: list[Job]) -> dict[tuple[str, str], Counter[str]]:
    """What the funnel must count, by provider and campaign."""
    result: dict[tuple[str, str], Counter[str]] = {}
    for job in jobs:
        counts = result.setdefault((job.device.provider, job.campaign), Counter())
        counts["attempted"] += 1
        counts["accepted" if job.is_accepted else "rejected." + job.device.fate.counts_as] += 1
        counts["arrived"] += job.arrives
        counts["confirmed"] += job.arrives
        counts["clicked"] += job.is_clicked
    return {key: +counts for key, counts in result.items()}


def rejections_truth(jobs: list[Job]) -> Counter[str]:
    """What the report of rejections must count, by provider, status, reason and class."""
    fates = [(job.device.provider, job.device.fate) for job in jobs if not job.is_accepted]
    return Counter(f"{provider} {fate.says}: {fate.counts_as}" for provider, fate in fates)
