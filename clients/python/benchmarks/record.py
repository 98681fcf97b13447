"""The cost of a push in the thread that sends it: CPU microseconds of `record`, and of whole wrappers.

    python benchmarks/record.py [--records 200000]

The server is a port without a listener, so the background thread does nothing but try again.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).parent.parent))

import landfall.aioapns
import landfall.firebase_admin
from landfall import LandfallRecorder, new_id

TOKEN = "80f4d1a6c3" * 6 + "aaaa"


def measure(name: str, count: int, work: Callable[[int], None]) -> float:
    """CPU time of this thread for each of `count` pushes, the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        started = time.thread_time()
        work(count)
        best = min(best, (time.thread_time() - started) / count * 1e6)
    print(f"{name:<44} {best:6.1f} µs")
    return best


class Pool:
    apns_topic = "com.example.shop"
    protocol_class = type("APNsProductionClientProtocol", (), {})

    async def send_notification(self, request: Any) -> Any:
        return Result(request.notification_id)


class Result:
    status, description, timestamp = "200", None, None

    def __init__(self, notification_id: str) -> None:
        self.notification_id = notification_id


class Request:
    device_token, notification_id, apns_topic = TOKEN, "0b7e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f", None
    time_to_live, priority, collapse_key, push_type = 3600, 10, None, None
    # 1,100 bytes, as a shop sends them.
    message = {
        "aps": {
            "alert": {
                "title": "Unterwegs zu dir", "subtitle": "Bestellung 4711", "loc-key": "ORDER_SHIPPED",
                "loc-args": ["4711", "3", "Thursday"], "body": 3 * (
                    "Your order was handed to our partner today, and will be with you on Thursday between 9 and 12. "
                ),
            },
            "badge": 3, "sound": "default", "mutable-content": 1, "category": "ORDER", "thread-id": "orders",
        },
        "order": {
            "id": 4711, "total": 79.9, "is_gift": False, "items": [
                {"sku": f"A-{number}", "count": 1, "name": "Shirt “Größe M”"} for number in range(6)
            ],
        },
        "url": "https://shop.example.com/orders/4711?from=push",
        "image": "https://cdn.example.com/images/0b7e3c1e6d0a4f6b9d430a8f7c1d2e3f.jpg",
    }  # fmt: skip


class ShortRequest(Request):
    message = {"aps": {"alert": {"title": "On its way", "body": "Your order was shipped"}, "mutable-content": 1}}


class Client:
    def __init__(self) -> None:
        self.pool = Pool()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=50_000)
    count = parser.parse_args().records
    folder = tempfile.mkdtemp(prefix="landfall-benchmark-")
    recorder = LandfallRecorder("http://127.0.0.1:1", "lf_server_key", folder, max_disk=8 << 30)
    signing = LandfallRecorder("http://127.0.0.1:1", "lf_server_key", folder, max_disk=8 << 30, receipt_key="lf_receipt_key")

    def record(count: int) -> None:
        for _ in range(count):
            recorder.record(
                "apns", notification_id="0b7e3c1e-6d0a-7f6b-9d43-0a8f7c1d2e3f", status=200, token=TOKEN,
                topic="com.example.shop", push_type="alert", priority=10, mutable_content=1, campaign="spring",
            )  # fmt: skip

    def ids(count: int) -> None:
        for _ in range(count):
            new_id()

    def send(with_recorder: LandfallRecorder, request: Request) -> Callable[[int], None]:
        client = landfall.aioapns.recorded(Client(), with_recorder)

        async def sending(count: int) -> None:
            for _ in range(count):
                await client.pool.send_notification(request)

        return lambda count: asyncio.run(sending(count))

    try:
        measure("new_id", count, ids)
        measure("record", count, record)
        for size, request in (("1,100 bytes", Request()), ("100 bytes", ShortRequest())):
            measure(f"aioapns, {size}: id, payload, record", count, send(recorder, request))
            measure(f"aioapns, {size}: with a receipt", count, send(signing, request))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
