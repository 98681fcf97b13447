"""gorush's feedback, as it posts it, to the intake of that name."""

from __future__ import annotations

from comparison import Comparison
from product import Product

# What go-fcm says of a token that is dead.
FCM_UNREGISTERED = (
    "http error status: 404; reason: app instance has been unregistered; code: registration-token-not-registered;"
    " details: Requested entity was not found."
)
APNS_DEAD, FCM_DEAD, LIVE = "d0" * 32, "cGorushDead:APA91b" + "A" * 134, "e0" * 32
PATH = "/v1/intake/gorush"


def post(platform: str, token: str, error: str) -> dict[str, str]:
    """One post (appleboy/gorush 891b453, `logx.LogPushEntry`): one object per push, and only failures."""
    return {
        "notif_id": "order-77",
        "type": "failed-push",
        "platform": platform,
        "token": token,
        "message": "Hello",
        "error": error,
    }


def compare_gorush(product: Product, comparison: Comparison) -> str:
    """Posts failures, and compares the states of the tokens. Returns what happened."""
    status, _ = product.request("GET", PATH)
    if status == 404:
        return "gorush is left out: the server has no /v1/intake"
    for number, (kind, token) in enumerate((("alert", APNS_DEAD), ("fcm", FCM_DEAD), ("alert", LIVE)), 1):
        body = {"platform": "ios" if kind == "alert" else "android", "tokens": [{"value": token, "kind": kind}]}
        if kind == "alert":
            body["tokens"][0] |= {"environment": "production", "topic": "com.example.gorush"}
        product.request("PUT", f"/v1/devices/0000000{number}-0000-4000-8000-000000000000", body, product.device_key)
    for platform, token, error in (
        ("ios", APNS_DEAD, "Unregistered"), ("android", FCM_DEAD, FCM_UNREGISTERED), ("ios", LIVE, "ServiceUnavailable"),
    ):  # fmt: skip
        status, _ = product.request("POST", PATH, post(platform, token, error))
        comparison.equal(f"gorush's {error} gets", status, 200)
    states = {token["value"]: token["state"] for token in product.tokens()}
    for token, state in ((APNS_DEAD, "retired"), (FCM_DEAD, "retired"), (LIVE, "active")):
        comparison.equal("a token of gorush", states.get(token), state)
    code, _ = product.run("verify", "--app", "shop")
    comparison.equal("landfall verify after gorush exits with", code, 0)
    return "gorush's feedback retired the dead tokens and kept the live one"
