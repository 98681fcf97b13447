"""A sender: real libraries with Landfall's wrappers, told what to send by a file.

python sender.py PROVIDER CONFIGURATION JOBS

Prints the number of each job when the wrapped call has returned: from then on its response must not be lost.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import ssl
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from h2.exceptions import ProtocolError
from scenario import TOPIC

from landfall import LandfallRecorder, labels


def patience(job: Any) -> float:
    """The seconds after which the sender gives up: short where the provider is known to be silent, so that on a busy
    machine nothing else is taken for silence."""
    return 1.5 if job["is_silent"] else 60


def done(job: Any) -> None:
    os.write(1, f"{job['number']}\n".encode())


def marks(job: Any) -> dict[str, Any]:
    """What the sender itself puts into a payload: a name, and the id if its queue chose one."""
    return {"name": job["name"]} | ({"landfall": {"id": job["id"]}} if job["id"] else {})


def send_apns(config: Any, jobs: list[Any], recorder: LandfallRecorder) -> None:
    asyncio.run(_send_apns(config, jobs, recorder))


async def _send_apns(config: Any, jobs: list[Any], recorder: LandfallRecorder) -> None:
    from aioapns import APNs, NotificationRequest, PushType
    from aioapns.connection import APNsProductionClientProtocol

    import landfall.aioapns

    APNsProductionClientProtocol.APNS_SERVER = "127.0.0.1"
    APNsProductionClientProtocol.APNS_PORT = config["apns_port"]
    client = landfall.aioapns.recorded(
        APNs(
            key=Path(config["ec_key"]).read_text(), key_id="K", team_id="T", topic=TOPIC,
            ssl_context=ssl.create_default_context(cafile=config["certificate"]),
        ),
        recorder,
    )  # fmt: skip
    few = asyncio.Semaphore(4)

    async def send(job: Any) -> None:
        message = {"aps": {"alert": "Hello", "mutable-content": 1}, **marks(job)}
        request = NotificationRequest(job["token"], message, push_type=PushType.ALERT, time_to_live=3600)
        async with few:
            with labels(campaign=job["campaign"]):
                try:
                    await _until_sent(client, request, patience(job))
                except asyncio.TimeoutError:
                    pass
        done(job)

    await asyncio.gather(*(send(job) for job in jobs))


async def _until_sent(client: Any, request: Any, seconds: float) -> None:
    """Sends again what aioapns tried to send on a connection that had just got a GOAWAY, for which it raises."""
    while True:
        try:
            return await asyncio.wait_for(client.send_notification(request), seconds)
        except ProtocolError:
            await asyncio.sleep(0.05)


def send_fcm(config: Any, jobs: list[Any], recorder: LandfallRecorder) -> None:
    import firebase_admin
    from firebase_admin import credentials, messaging

    import landfall.firebase_admin

    account = {
        "type": "service_account", "project_id": "shop", "client_email": "sender@shop.iam.gserviceaccount.com",
        "private_key": Path(config["rsa_key"]).read_text(), "token_uri": config["https"] + "/token",
    }  # fmt: skip
    messaging._MessagingService.FCM_URL = config["https"] + "/v1/projects/{0}/messages:send"
    # The library has one timeout for each app.
    apps: dict[float, Any] = {}
    landfall.firebase_admin.recorded(messaging, recorder)

    def data(job: Any) -> dict[str, str]:
        return {name: value if isinstance(value, str) else json.dumps(value) for name, value in marks(job).items()}

    def key(job: Any) -> Any:
        return job["campaign"], job["multicast"] or 0, patience(job)

    for (campaign, multicast, seconds), group in itertools.groupby(sorted(jobs, key=key), key):
        waiting = list(group)
        if seconds not in apps:
            options = {"httpTimeout": seconds}
            apps[seconds] = firebase_admin.initialize_app(
                credentials.Certificate(account), options, f"after {seconds} s"
            )
        app = apps[seconds]
        while waiting:
            batch, waiting = (waiting, []) if multicast else (waiting[:8], waiting[8:])
            with labels(campaign=campaign):
                if multicast:
                    tokens = [job["token"] for job in batch]
                    shared = {"name": batch[0]["name"]}
                    messaging.send_each_for_multicast(messaging.MulticastMessage(tokens=tokens, data=shared), app=app)
                else:
                    messages = [messaging.Message(token=job["token"], data=data(job)) for job in batch]
                    messaging.send_each(messages, app=app)
            for job in batch:
                done(job)


def send_webpush(config: Any, jobs: list[Any], recorder: LandfallRecorder) -> None:
    import pywebpush
    import requests
    from requests.adapters import HTTPAdapter

    import landfall.pywebpush

    class ToMock(HTTPAdapter):
        """Sends what is for any push service to the mock, which gets to know the host by its header."""

        def send(self, request: Any, *arguments: Any, **names: Any) -> Any:
            address = urlsplit(request.url)
            request.headers["Host"] = address.netloc
            request.url = config["https"] + address.path
            return super().send(request, *arguments, **names)

    webpush = landfall.pywebpush.recorded(pywebpush.webpush, recorder)
    session = requests.Session()
    session.mount("https://", ToMock())
    for job in jobs:
        with labels(campaign=job["campaign"]):
            try:
                webpush(
                    job["subscription"], json.dumps({"title": "Hello", **marks(job)}), ttl=3600, timeout=patience(job),
                    vapid_private_key=config["ec_key"], vapid_claims={"sub": "mailto:push@example.com"},
                    requests_session=session,
                )  # fmt: skip
            except (pywebpush.WebPushException, requests.RequestException):
                pass
        done(job)


def send_expo(config: Any, jobs: list[Any], recorder: LandfallRecorder) -> None:
    import requests
    from exponent_server_sdk import PushClient, PushMessage, PushServerError

    import landfall.exponent_server_sdk

    for job in jobs:
        client = PushClient(host=config["https"], timeout=patience(job))
        landfall.exponent_server_sdk.recorded(client, recorder)
        with labels(campaign=job["campaign"]):
            try:
                tickets = client.publish_multiple([PushMessage(to=job["token"], body="Hello", data=marks(job))])
                client.check_receipts_multiple([ticket for ticket in tickets if ticket.is_success()])
            except (PushServerError, requests.RequestException):
                pass
        done(job)


if __name__ == "__main__":
    provider, configuration, queue = (
        sys.argv[1],
        json.loads(Path(sys.argv[2]).read_text()),
        json.loads(Path(sys.argv[3]).read_text()),
    )
    senders = {"apns": send_apns, "fcm": send_fcm, "webpush": send_webpush, "expo": send_expo}
    recorder = LandfallRecorder(
        configuration["url"], configuration["server_key"], configuration["spool"], sender=f"loop-{provider}"
    )
    senders[provider](configuration, queue, recorder)
    recorder.flush(60)
