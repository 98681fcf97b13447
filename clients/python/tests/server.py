"""A double of the Landfall server: it responds to `POST /v1/events` as docs/http.md says, or as a test wants."""

from __future__ import annotations

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple

Reply = Tuple[int, Dict[str, str], Any]


class Server:
    """Keeps the items of requests to which it responds with 200. `reply` decides; `None` means 200."""

    def __init__(self) -> None:
        self.items: List[Dict[str, Any]] = []
        self.requests: List[Dict[str, str]] = []
        self.sizes: List[int] = []
        self.reply: Callable[[List[Dict[str, Any]]], Optional[Reply]] = lambda items: None
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def ids(self) -> List[str]:
        return [item["notification_id"] for item in self.items]

    def _respond(self, items: List[Dict[str, Any]]) -> Reply:
        reply = self.reply(items)
        if reply is None or reply[0] == 200:
            self.items.extend(items)
        return reply or (200, {}, {"accepted": len(items), "duplicates": 0, "rejected": 0, "errors": []})

    def _handler(self) -> type:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                items = [json.loads(line) for line in body.splitlines()]
                server.requests.append({**{"path": self.path}, **dict(self.headers.items())})
                server.sizes.append(len(items))
                status, headers, document = server._respond(items)
                content = document if isinstance(document, bytes) else json.dumps(document).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: Any) -> None:
                pass

        return Handler
