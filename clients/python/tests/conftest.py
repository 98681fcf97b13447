from __future__ import annotations

from pathlib import Path
from typing import Callable, Iterator

import pytest

from landfall import LandfallRecorder

from .provider import Provider
from .server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.close()


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    return tmp_path / "spool"


@pytest.fixture
def make(server: Server, spool: Path) -> Callable[..., LandfallRecorder]:
    """Makes recorders that upload at once."""

    def make(**names: object) -> LandfallRecorder:
        settings: "dict[str, object]" = {"url": server.url, "key": "lf_server_key", "spool": str(spool), "interval": 0.01}
        return LandfallRecorder(**{**settings, **names})  # type: ignore[arg-type]

    return make


@pytest.fixture
def recorder(make: Callable[..., LandfallRecorder]) -> LandfallRecorder:
    return make()
