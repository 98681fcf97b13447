"""Phones and browsers: the kit's driver for iOS, and HTTP with a device key for all others."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from product import Product
from provider import landfall_of, now_ms
from scenario import TOPIC, Device

KINDS = {"apns": "alert", "fcm": "fcm", "webpush": "web_push", "webpush_apple": "web_push", "expo": "expo"}
PLATFORMS = {"apns": "ios", "fcm": "android", "webpush": "web", "webpush_apple": "web", "expo": "android"}


class Phone:
    """Does by HTTP what an app of Android, a service worker or an app of Expo does."""

    def __init__(self, device: Device, product: Product) -> None:
        self._device, self._product = device, product
        self._headers: dict[str, str] = {}

    def register(self) -> None:
        device = self._device
        token = {"value": device.token, "kind": KINDS[device.provider]}
        if device.provider == "apns":
            token |= {"environment": "production", "topic": TOPIC}
        body = {
            "platform": PLATFORMS[device.provider], "permission": "authorized", "app_version": "7.1.0",
            "os_version": "18.1", "tokens": [token],
        }  # fmt: skip
        status, answer = self._product.request("PUT", f"/v1/devices/{device.device_id}", body, self._product.device_key)
        if status != 200:
            raise RuntimeError(f"a phone could not register: {status} {answer}")
        self._headers["Landfall-Credential"] = answer["credential"]

    def show(self, payload: dict[str, Any]) -> None:
        self._post("arrival", payload)

    def tap(self, payload: dict[str, Any]) -> None:
        self._post("click", payload)

    def settle(self) -> None:
        """Uploads what waits; every post waited for its response."""

    def _post(self, kind: str, payload: dict[str, Any]) -> None:
        found = landfall_of(payload)
        now = now_ms()
        event = {
            "type": kind, "notification_id": found.get("id"), "message_id": found.get("message"),
            "device_id": self._device.device_id, "occurred_at": now, "reported_at": now, "app_version": "7.1.0",
        }  # fmt: skip
        status, answer = self._product.request(
            "POST",
            "/v1/events",
            [{name: value for name, value in event.items() if value}],
            self._product.device_key,
            self._headers,
        )
        if status != 200 or answer["rejected"]:
            raise RuntimeError(f"a phone could not report: {status} {answer}")


class KitPhone:
    """Runs landfall-phone, the kit on Linux: its extension, and its app."""

    def __init__(self, device: Device, product: Product, program: Path, folder: Path) -> None:
        self._device, self._product, self._program = device, product, program
        self._folder = folder / str(device.number)
        self._folder.mkdir(parents=True)

    def register(self) -> None:
        self._run("app", {"token": self._device.token})

    def show(self, payload: dict[str, Any]) -> None:
        self._run("extension", payload)

    def tap(self, payload: dict[str, Any]) -> None:
        self._run("app", {"token": self._device.token, "taps": [{"payload": payload}]})

    def settle(self) -> None:
        """Opens the app, which uploads what the extension could not post within its second."""
        self.register()

    def _run(self, part: str, script: dict[str, Any]) -> None:
        result = subprocess.run(
            [self._program, part, self._folder, self._product.url, self._product.device_key, json.dumps(script)],
            capture_output=True, text=True, timeout=90,
        )  # fmt: skip
        if result.returncode != 0:
            raise RuntimeError(f"landfall-phone {part} exited with {result.returncode}: {result.stderr[-500:]}")


def phones(devices: list[Device], product: Product, program: Path, folder: Path) -> dict[int, Phone | KitPhone]:
    """A phone for each device, by its number. The kit is for iOS, so it is for the devices of APNs."""
    result: dict[int, Phone | KitPhone] = {}
    for device in devices:
        is_kit = device.provider == "apns"
        result[device.number] = KitPhone(device, product, program, folder) if is_kit else Phone(device, product)
    return result
