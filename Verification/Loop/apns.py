"""A mock of APNs: HTTP/2 over TLS, with PyPI's h2."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from typing import Any

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, Event, RequestReceived, StreamEnded

from provider import Providers, now_ms

DAY_MS = 86_400_000


def response(fate: str) -> tuple[int, dict[str, Any] | None]:
    """Status and body. Apple: "Handling notification responses from APNs"; a timestamp is in milliseconds."""
    return {
        "ok": (200, None),
        "goaway": (200, None),
        "gone": (410, {"reason": "Unregistered", "timestamp": now_ms()}),
        "gone_before": (410, {"reason": "Unregistered", "timestamp": now_ms() - DAY_MS}),
        "bad_device_token": (400, {"reason": "BadDeviceToken"}),
        "expired_provider_token": (403, {"reason": "ExpiredProviderToken"}),
        "too_large": (413, {"reason": "PayloadTooLarge"}),
        "throttled": (429, {"reason": "TooManyRequests"}),
        "error_500": (500, {"reason": "InternalServerError"}),
        "error_503": (503, {"reason": "ServiceUnavailable"}),
    }[fate]


class _Connection(asyncio.Protocol):
    def __init__(self, providers: Providers) -> None:
        self._providers = providers
        self._h2 = H2Connection(H2Configuration(client_side=False))
        self._headers: dict[int, dict[str, str]] = {}
        self._bodies: dict[int, bytearray] = {}

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._h2.initiate_connection()
        self._write()

    def data_received(self, data: bytes) -> None:
        for event in self._h2.receive_data(data):
            self._handle(event)
        self._write()

    def _handle(self, event: Event) -> None:
        if isinstance(event, RequestReceived):
            self._headers[event.stream_id] = {
                bytes(name).decode(): bytes(value).decode() for name, value in event.headers
            }
            self._bodies[event.stream_id] = bytearray()
        elif isinstance(event, DataReceived):
            self._bodies[event.stream_id] += event.data
            self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, StreamEnded):
            self._respond(event.stream_id)

    def _respond(self, stream: int) -> None:
        if self._transport.is_closing():
            return
        headers, payload = self._headers.pop(stream), json.loads(self._bodies.pop(stream))
        device = self._providers.device(headers[":path"].rsplit("/", 1)[1])
        attempt = self._providers.received(device, payload)
        if device.fate_name == "silence":
            return
        if device.fate_name == "goaway" and attempt == 1:
            self._h2.close_connection(last_stream_id=stream)
            self._write()
            self._transport.close()
            return
        status, body = response(device.fate_name)
        fields = [(":status", str(status)), ("apns-id", headers["apns-id"])]
        if status == 429:
            fields.append(("retry-after", "1"))
        self._h2.send_headers(stream, fields, end_stream=body is None)
        if body is not None:
            self._h2.send_data(stream, json.dumps(body).encode(), end_stream=True)

    def _write(self) -> None:
        self._transport.write(self._h2.data_to_send())


def start_apns(providers: Providers, certificate: str, key: str) -> int:
    """Starts the mock in a thread of its own, and returns its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(lambda: _Connection(providers), "127.0.0.1", 0, ssl=context))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return int(server.sockets[0].getsockname()[1])
