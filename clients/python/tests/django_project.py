"""A Django project that sends one push of each kind.

    python -m tests.django_project SETTINGS PROVIDER-URL

SETTINGS is the Python text of docs/connect/django.md. Prints the results as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict

import django
from django.conf import settings

from .test_pywebpush import Browser, vapid_key

TEXT, PROVIDER = sys.argv[1:3]


def _settings() -> Dict[str, Any]:
    names: Dict[str, Any] = {
        "INSTALLED_APPS": ["django.contrib.auth", "django.contrib.contenttypes", "push_notifications"],
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        "USE_TZ": True,
        "PUSH_NOTIFICATIONS_SETTINGS": {
            "APNS_AUTH_KEY_PATH": "key.p8", "APNS_AUTH_KEY_ID": "id", "APNS_TEAM_ID": "team",
            "APNS_TOPIC": "com.example.shop", "WP_POST_URL": {"CHROME": PROVIDER + "/push"},
            "WP_PRIVATE_KEY": vapid_key(), "WP_CLAIMS": {"sub": "mailto:dev@shop.example"},
        },
    }  # fmt: skip
    exec(compile(TEXT, "docs/connect/django.md", "exec"), names)
    return {name: value for name, value in names.items() if name.isupper()}


def main() -> None:
    with open("key.p8", "w", encoding="utf-8") as file:
        file.write("key")
    settings.configure(**_settings())
    django.setup()

    import firebase_admin
    from aioapns.common import NotificationResult
    from aioapns.connection import APNsBaseConnectionPool
    from django.core.management import call_command
    from firebase_admin.messaging import _MessagingService
    from push_notifications.models import APNSDevice, GCMDevice, WebPushDevice

    import landfall.django

    from .test_firebase_admin import Credential

    sent = []

    class Connection:
        async def send_notification(self, request: Any) -> Any:
            sent.append(request.message)
            if request.device_token == "b" * 64:
                return NotificationResult(request.notification_id, "410", "Unregistered", 1_771_990_000_000)
            return NotificationResult(request.notification_id, "200")

    async def acquire(pool: Any) -> Connection:
        return Connection()

    APNsBaseConnectionPool.acquire = acquire
    _MessagingService.FCM_URL = PROVIDER + "/v1/projects/{0}/messages:send"
    firebase_admin.initialize_app(Credential(), {"projectId": "shop"})
    call_command("migrate", verbosity=0)

    APNSDevice.objects.create(registration_id="a" * 64).send_message("Hello", extra={"order": 42})
    dead = APNSDevice.objects.create(registration_id="b" * 64)
    try:
        dead.send_message("Hello")
    except Exception as error:
        failure = type(error).__name__
    GCMDevice.objects.create(registration_id="t1")
    GCMDevice.objects.create(registration_id="gone")
    GCMDevice.objects.all().send_message("Hello")
    keys = Browser("")
    subscription: Any = keys.subscription["keys"]
    WebPushDevice.objects.create(
        registration_id="abc", browser="CHROME", p256dh=subscription["p256dh"], auth=subscription["auth"]
    ).send_message('{"title":"Hello"}')
    dead.refresh_from_db()
    done = landfall.django.recorder().flush(60)
    print(json.dumps({"sent": sent, "failure": failure, "is_active": dead.active, "flushed": done}))
    os._exit(0)


main()
