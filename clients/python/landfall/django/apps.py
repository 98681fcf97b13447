"""The Django app: it makes the recorder, and records what django-push-notifications sends."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, Callable

import landfall.aioapns
import landfall.django
import landfall.firebase_admin
import landfall.pywebpush
from django.apps import AppConfig, apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from landfall.recorder import LandfallRecorder


class LandfallConfig(AppConfig):  # type: ignore[misc]
    name = "landfall.django"
    label = "landfall"
    verbose_name = "Landfall"

    def ready(self) -> None:
        """Makes the recorder. Raises `ImproperlyConfigured` if the setting is missing or wrong."""
        names = getattr(settings, "LANDFALL", None)
        if not isinstance(names, dict):
            raise ImproperlyConfigured('set LANDFALL = {"url": "https://…", "key": "lf_server_…", "spool": "/…"}')
        try:
            recorder = LandfallRecorder(**names)
        except (TypeError, ValueError) as error:
            raise ImproperlyConfigured(f"LANDFALL: {error}") from error
        landfall.django._recorder = recorder
        record_push_notifications(recorder)


def record_push_notifications(recorder: LandfallRecorder) -> None:
    """Records what django-push-notifications sends by APNs, FCM and Web Push, as far as their libraries are here."""
    if not apps.is_installed("push_notifications"):
        return
    if importlib.util.find_spec("aioapns") is not None:
        apns: Any = importlib.import_module("push_notifications.apns_async")
        apns._create_client = _creating(apns._create_client, recorder)
    if importlib.util.find_spec("firebase_admin") is not None:
        landfall.firebase_admin.recorded(importlib.import_module("firebase_admin.messaging"), recorder)
    if importlib.util.find_spec("pywebpush") is not None:
        webpush: Any = importlib.import_module("push_notifications.webpush")
        webpush.webpush = landfall.pywebpush.recorded(webpush.webpush, recorder)


def _creating(create: Callable[..., Any], recorder: LandfallRecorder) -> Callable[..., Any]:
    """The library makes a client of aioapns for each call."""
    original = getattr(create, "__landfall__", create)

    def wrapped(*arguments: Any, **names: Any) -> Any:
        client = original(*arguments, **names)
        with recorder.quiet:
            landfall.aioapns.recorded(client, recorder)
        return client

    wrapped.__landfall__ = original  # type: ignore[attr-defined]
    return wrapped
