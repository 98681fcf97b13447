"""Mocks of FCM's v1 API, of Web Push services and of Expo, on one HTTPS server."""

from __future__ import annotations

import base64
import json
import ssl
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from provider import Providers

SILENCE_SECONDS = 30
FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


class Answer:
    def __init__(self, status: int, body: Any = "", retry_after: int | None = None) -> None:
        self.status, self.retry_after = status, retry_after
        self.body = (body if isinstance(body, str) else json.dumps(body)).encode()


def _fcm_error(code: int, status: str, message: str, fcm: str) -> Any:
    """The error object of FCM's v1 API (google.rpc.Status with google.firebase.fcm.v1.FcmError)."""
    return {
        "error": {
            "code": code,
            "message": message,
            "status": status,
            "details": [{"@type": FCM_ERROR, "errorCode": fcm}],
        }
    }


def fcm_answer(fate: str, attempt: int) -> Answer:
    if fate in ("throttled_once", "error_503_once") and attempt > 1:
        fate = "ok"
    throttled = _fcm_error(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", "QUOTA_EXCEEDED")
    return {
        "ok": lambda: Answer(200, {"name": f"projects/shop/messages/0:{uuid.uuid4().int % 10**16}"}),
        "gone": lambda: Answer(404, _fcm_error(404, "NOT_FOUND", "Requested entity was not found.", "UNREGISTERED")),
        "bad_token": lambda: Answer(
            400,
            _fcm_error(
                400,
                "INVALID_ARGUMENT",
                "The registration token is not a valid FCM registration token",
                "INVALID_ARGUMENT",
            ),
        ),
        "other_sender": lambda: Answer(
            403, _fcm_error(403, "PERMISSION_DENIED", "SenderId mismatch", "SENDER_ID_MISMATCH")
        ),
        "apns_credentials": lambda: Answer(
            401,
            _fcm_error(401, "UNAUTHENTICATED", "Auth error from APNS or Web Push Service", "THIRD_PARTY_AUTH_ERROR"),
        ),
        "throttled": lambda: Answer(429, throttled, retry_after=1),
        "throttled_once": lambda: Answer(429, throttled, retry_after=1),
        "error_503_once": lambda: Answer(
            503, _fcm_error(503, "UNAVAILABLE", "Try again.", "UNAVAILABLE"), retry_after=1
        ),
        "error_500": lambda: Answer(500, _fcm_error(500, "INTERNAL", "Internal error encountered.", "INTERNAL")),
    }[fate]()


def webpush_answer(fate: str) -> Answer:
    """Statuses of RFC 8030; bodies as Mozilla's and Apple's services write them."""
    return {
        "ok": Answer(201),
        "gone": Answer(410, {"code": 410, "errno": 106, "error": "Gone", "message": "Request did not validate"}),
        "missing": Answer(404, {"code": 404, "errno": 102, "error": "Not Found", "message": "Invalid endpoint"}),
        "other_vapid_key": Answer(403, {"reason": "VapidPkHashMismatch"}),
        "too_large": Answer(413, {"code": 413, "errno": 104, "error": "Payload Too Large"}),
        "throttled": Answer(429, retry_after=1),
        "error_500": Answer(500),
        "error_503": Answer(503, {"code": 503, "errno": 201, "error": "Service Unavailable"}),
    }[fate]


def expo_ticket(fate: str, token: str) -> Any:
    message = f'"{token}" is not a registered push notification recipient'
    if fate == "gone":
        return {"status": "error", "message": message, "details": {"error": "DeviceNotRegistered"}}
    if fate == "throttled":
        return {"status": "error", "message": "Message rate exceeded", "details": {"error": "MessageRateExceeded"}}
    return {"status": "ok", "id": str(uuid.uuid4())}


def expo_receipt(fate: str) -> Any:
    error = {"gone_later": "DeviceNotRegistered", "too_large_later": "MessageTooBig"}.get(fate)
    return {"status": "ok"} if error is None else {"status": "error", "message": error, "details": {"error": error}}


class Browser:
    """The keys of a subscription, with which its pushes are decrypted (RFC 8291)."""

    def __init__(self, seed: int) -> None:
        self._private = ec.derive_private_key(seed + 1, ec.SECP256R1())
        self._secret = seed.to_bytes(16, "big")

    def subscription(self, endpoint: str) -> Any:
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": endpoint, "keys": {"p256dh": _base64(point), "auth": _base64(self._secret)}}

    def payload(self, body: bytes) -> Any:
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._secret, version="aes128gcm")
        return json.loads(text)


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Services(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, providers: Providers, certificate: str, key: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.providers = providers
        # By the id of the ticket.
        self.tickets: dict[str, str] = {}
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A sender that was killed, or gave up."""

    # The routes, by what the path begins with.

    def token(self, path: str, host: str, body: bytes) -> Answer:
        """OAuth 2.0 for FCM."""
        return Answer(200, {"access_token": "x", "expires_in": 3600, "token_type": "Bearer"})

    def fcm(self, path: str, host: str, body: bytes) -> Answer | None:
        message = json.loads(body)["message"]
        device = self.providers.device(message["token"])
        attempt = self.providers.received(device, message["data"])
        return None if device.fate_name == "silence" else fcm_answer(device.fate_name, attempt)

    def webpush(self, path: str, host: str, body: bytes) -> Answer | None:
        device = self.providers.device(f"https://{host}{path}")
        self.providers.received(device, Browser(device.number).payload(body))
        return None if device.fate_name == "silence" else webpush_answer(device.fate_name)

    def expo_send(self, path: str, host: str, body: bytes) -> Answer | None:
        tickets = []
        for message in json.loads(body):
            device = self.providers.device(message["to"])
            self.providers.received(device, message["data"])
            if device.fate_name == "silence":
                return None
            if device.fate_name == "error_503":
                return Answer(503, "<html><title>503 Service Unavailable</title></html>")
            tickets.append(expo_ticket(device.fate_name, device.token))
            if "id" in tickets[-1]:
                self.tickets[tickets[-1]["id"]] = device.fate_name
        return Answer(200, {"data": tickets})

    def expo_receipts(self, path: str, host: str, body: bytes) -> Answer:
        return Answer(200, {"data": {id: expo_receipt(self.tickets[id]) for id in json.loads(body)["ids"]}})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Services

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        routes = {
            "/token": self.server.token,
            "/v1/projects/": self.server.fcm,
            "/--/api/v2/push/send": self.server.expo_send,
            "/--/api/v2/push/getReceipts": self.server.expo_receipts,
        }
        route = next((route for start, route in routes.items() if self.path.startswith(start)), self.server.webpush)
        answer = route(self.path, self.headers["Host"], body)
        if answer is None:
            time.sleep(SILENCE_SECONDS)
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Content-Type", "application/json")
        if answer.retry_after is not None:
            self.send_header("Retry-After", str(answer.retry_after))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *values: Any) -> None:
        pass
