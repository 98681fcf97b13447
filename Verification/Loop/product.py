"""A real landfall-server with a private database, and the command line that reads it."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Iterator


class Product:
    """`programs` is the folder with landfall-server and landfall, `data` one for the database."""

    def __init__(self, programs: Path, data: Path) -> None:
        self._programs = programs
        self._environment = {**os.environ, "LANDFALL_DATA": str(data), "NO_COLOR": "1"}
        self._log = open(data.parent / "server.log", "ab")
        self._server = subprocess.Popen(
            [programs / "landfall-server", "serve", "--port", "0"], env=self._environment, stdout=subprocess.PIPE,
            stderr=self._log, text=True, start_new_session=True,
        )  # fmt: skip
        self.url = self._address()
        self._run("app", "create", "shop")
        self.server_key = self._run("key", "create", "--app", "shop", "--kind", "server").strip()
        self.device_key = self._run("key", "create", "--app", "shop", "--kind", "device").strip()

    def _address(self) -> str:
        assert self._server.stdout is not None
        for line in self._server.stdout:
            if line.startswith("Landfall listens on "):
                return line.split()[-1]
        raise RuntimeError(f"landfall-server did not start: {self._log.name}")

    def stop(self) -> None:
        self._server.terminate()
        self._server.wait(30)

    def _run(self, *words: str) -> str:
        return self.run(*words)[1]

    def run(self, *words: str, text: str | None = None) -> tuple[int, str]:
        """Runs landfall, and returns its exit code and what it printed."""
        result = subprocess.run(
            [self._programs / "landfall", *words],
            env=self._environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return result.returncode, result.stdout or result.stderr

    def report(self, *words: str, text: str | None = None) -> Any:
        code, output = self.run(*words, "--app", "shop", "--json", text=text)
        if code != 0:
            raise RuntimeError(f"landfall {' '.join(words)} exited with {code}: {output}")
        return json.loads(output)

    def tokens(self) -> Iterator[Any]:
        """All tokens in any state, page by page."""
        cursor = ""
        while True:
            status, page = self.request("GET", "/v1/tokens?state=any" + cursor)
            if status != 200:
                raise RuntimeError(f"GET /v1/tokens: {status} {page}")
            yield from page["tokens"]
            if page.get("next_cursor") is None:
                return
            cursor = "&cursor=" + page["next_cursor"]

    def request(
        self, method: str, path: str, body: Any = None, key: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """A request, repeated after Retry-After when the server asks for it."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data=data, method=method,
            headers={"Authorization": f"Bearer {key or self.server_key}", **(headers or {})},
        )  # fmt: skip
        for _ in range(20):
            try:
                with urllib.request.urlopen(request, timeout=30) as response:
                    return response.status, _object(response.read())
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    return error.code, _object(error.read())
                time.sleep(float(error.headers.get("Retry-After") or 1))
        raise RuntimeError(f"{method} {path} was asked to come again 20 times")


def _object(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")
