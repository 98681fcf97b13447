"""gorush's feedback, as it posts it, to the intake of that name."""

from __future__ import annotations

from comparison import Comparison
from phones import Phone
from product import Product
from scenario import Device

# What go-fcm says of a token that is dead.
FCM_UNREGISTERED = (
    "http error status: 404; reason: app instance has been unregistered; code: registration-token-not-registered;"
    " details: Requested entity was not found."
)
PATH = "/v1/intake/gorush"
# A token, the error that gorush says, and the state of the token afterward.
FAILURES = [
    (Device(901, "apns", "", "d0" * 32, "00000001-0000-4000-8000-000000000000"), "Unregistered", "retired"),
    (
        Device(902, "fcm", "", "cGorush:APA91b" + "A" * 134, "00000002-0000-4000-8000-000000000000"),
        FCM_UNREGISTERED,
        "retired",
    ),
    (Device(903, "apns", "", "e0" * 32, "00000003-0000-4000-8000-000000000000"), "ServiceUnavailable", "active"),
]


def post(device: Device, error: str) -> dict[str, str]:
    """One post (appleboy/gorush 891b453, `logx.LogPushEntry`): one object per push, and only failures."""
    platform = {"apns": "ios", "fcm": "android"}[device.provider]
    return {
        "notif_id": "order-77",
        "type": "failed-push",
        "platform": platform,
        "token": device.token,
        "message": "Hello",
        "error": error,
    }


def compare_gorush(product: Product, comparison: Comparison) -> str:
    """Posts failures, and compares the states of the tokens. Returns what happened."""
    status, text = product.request("GET", PATH)
    if status != 200:
        raise RuntimeError(f"GET {PATH} returned {status}: {text}. The programs are older than the intake: build them")
    for device, error, _ in FAILURES:
        Phone(device, product).register()
        status, answer = product.request("POST", PATH, post(device, error))
        comparison.equal(f"gorush's {error} gets", (status, answer if status != 200 else ""), (200, ""))
    states = {token["value"]: token["state"] for token in product.tokens()}
    for device, error, state in FAILURES:
        comparison.equal(f"the token of gorush's {error}", states.get(device.token), state)
    comparison.equal("landfall verify after gorush exits with", product.run("verify", "--app", "shop")[0], 0)
    return "gorush's feedback retired the dead tokens and kept the live one"
