"""A double of a push provider over HTTP."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Tuple


class Provider:
    """Keeps requests, and responds with what `reply(path, body)` returns: a status and a document or text."""

    def __init__(self) -> None:
        self.bodies: List[Any] = []
        self.headers: List[Dict[str, str]] = []
        self.reply: Callable[[str, Any], Tuple[int, Any]] = lambda path, body: (200, {})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body: Any = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                try:
                    body = json.loads(body)
                except ValueError:
                    pass
                provider.bodies.append(body)
                provider.headers.append({name.lower(): value for name, value in self.headers.items()})
                status, document = provider.reply(self.path, body)
                content = document.encode() if isinstance(document, str) else json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Content-Type", "text/plain" if isinstance(document, str) else "application/json")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments: Any) -> None:
                pass

        return Handler
