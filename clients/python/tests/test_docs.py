"""The code of docs/connect, run as it is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

import landfall

from .provider import Provider
from .server import Server
from .test_aioapns import Connection, connection  # noqa: F401
from .test_exponent_server_sdk import expo
from .test_firebase_admin import Token, fcm, firebase  # noqa: F401
from .test_pywebpush import Browser, browser, vapid_key  # noqa: F401

CONNECT = Path(__file__).parents[3] / "docs/connect"
ROOT = Path(__file__).parents[1]


def code(page: str) -> str:
    """The Python of a page."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```$", (CONNECT / page).read_text(encoding="utf-8"), re.M | re.S))


@pytest.fixture
def environment(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANDFALL_URL", server.url)
    monkeypatch.setenv("LANDFALL_KEY", "lf_server_key")
    return monkeypatch


def _run(page: str) -> Dict[str, Any]:
    names: Dict[str, Any] = {"__name__": "__main__"}
    exec(compile(code(page), page, "exec"), names)
    assert names["recorder"].flush(60)
    return names


def test_aioapns(server: Server, environment: pytest.MonkeyPatch, connection: Connection) -> None:  # noqa: F811
    environment.setenv("APNS_KEY", "key")
    environment.setenv("DEVICE_TOKEN", "ab" * 32)
    _run("aioapns.md")
    (item,) = server.items
    assert (item["provider"], item["status"], item["token"]) == ("apns", "200", "ab" * 32)
    assert connection.sent[0].message["landfall"] == {"id": item["notification_id"]}


def test_firebase_admin(server: Server, environment: pytest.MonkeyPatch, firebase: Provider) -> None:  # noqa: F811
    environment.setenv("DEVICE_TOKEN", "t1")
    _run("firebase-admin.md")
    first, second = server.items
    assert "notification_id" in first and "message_id" in second
    assert [item["token"] for item in server.items] == ["t1", "t1"]
    assert all("landfall" in body["message"]["data"] for body in firebase.bodies)


def test_pywebpush(
    server: Server, environment: pytest.MonkeyPatch, provider: Provider, browser: Browser  # noqa: F811
) -> None:
    environment.setenv("SUBSCRIPTION", json.dumps(browser.subscription))
    environment.setenv("VAPID_KEY", vapid_key())
    _run("pywebpush.md")
    (item,) = server.items
    assert (item["status"], item["token"]) == (201, browser.endpoint)
    assert json.loads(browser.decrypt(provider.bodies[0]))["landfall"] == {"id": item["notification_id"]}


def test_pyfcm(server: Server, environment: pytest.MonkeyPatch, provider: Provider) -> None:
    from pyfcm import FCMNotification

    provider.reply = fcm
    environment.setattr(FCMNotification, "FCM_END_POINT_BASE", provider.url)
    environment.setattr("pyfcm.baseapi.service_account.Credentials.from_service_account_file", lambda *_, **__: Token())
    environment.setenv("SERVICE_ACCOUNT_FILE", __file__)
    environment.setenv("DEVICE_TOKEN", "t1")
    _run("pyfcm.md")
    assert [(item["status"], item["token"]) for item in server.items] == [(200, "t1")]


def test_expo_python(server: Server, environment: pytest.MonkeyPatch, provider: Provider) -> None:
    from exponent_server_sdk import PushClient

    provider.reply = expo
    environment.setattr(PushClient, "DEFAULT_HOST", provider.url)
    environment.setenv("DEVICE_TOKEN", "ExponentPushToken[late]")
    _run("expo-python.md")
    ticket, receipt = server.items
    assert (ticket["status"], receipt["status"], receipt["final"]) == ("ok", "error", True)
    assert ticket["notification_id"] == receipt["notification_id"]


def test_django(server: Server, environment: pytest.MonkeyPatch, provider: Provider, tmp_path: Path) -> None:
    provider.reply = lambda path, body: (201, "") if path.startswith("/push") else fcm(path, body)
    settings = code("django.md").replace("/var/spool/landfall", str(tmp_path / "spool"))
    result = subprocess.run(
        [sys.executable, "-m", "tests.django_project", settings, provider.url],
        capture_output=True, text=True, timeout=300, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    output = json.loads(result.stdout)
    assert output["flushed"] is True
    found: List[Any] = [(item["provider"], str(item["status"]), item["token"]) for item in server.items]
    assert found == [
        ("apns", "200", "a" * 64), ("apns", "410", "b" * 64), ("fcm", "200", "t1"), ("fcm", "404", "gone"),
        ("webpush", "201", provider.url + "/push/abc"),
    ]  # fmt: skip
    assert server.items[1]["timestamp"] == 1_771_990_000_000
    # The library did with the 410 what it does.
    assert (output["failure"], output["is_active"]) == ("APNSError", False)
    assert output["sent"][0]["order"] == 42
    assert [message["landfall"]["id"] for message in output["sent"]] == server.ids()[:2]


def test_every_page_names_the_package_and_its_extra() -> None:
    extras = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for page in ("aioapns", "firebase-admin", "pywebpush", "pyfcm", "expo-python", "django"):
        text = (CONNECT / f"{page}.md").read_text(encoding="utf-8")
        (extra,) = re.findall(r'^pip install "\./clients/python\[(.+)\]"', text, re.M)
        assert re.search(rf"^{extra} = \[", extras, re.M)


def test_the_readme_names_what_there_is() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in landfall.__all__:
        assert name in readme or name == "ResponseFields"
