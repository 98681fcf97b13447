"""Programs in processes of their own, which tests kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

BEGIN = """
import os, resource, signal, sys, time
import landfall
url, spool = sys.argv[1:3]
def make(**names):
    return landfall.LandfallRecorder(url, "key", spool, **{"interval": 0.01, **names})
def record(recorder, identifier):
    return recorder.record("fcm", notification_id=identifier, status=200, token="t", reason="x" * 100)
"""


def start(program: str, url: str, spool: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN + program, url, str(spool)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip


def run(program: str, url: str, spool: Path) -> "subprocess.CompletedProcess[str]":
    """Runs the program to its end. Raises if it fails."""
    process = start(program, url, spool)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return subprocess.CompletedProcess(process.args, 0, output, errors)
