"""What the wrappers for Node record, read by a real server."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from comparison import Comparison, counts_of
from product import Product

EXPECTED = {
    "webpush": {"attempted": 3, "accepted": 1, "rejected.token_dead": 1, "rejected.provider_error": 1},
    "apns": {
        "attempted": 4,
        "accepted": 1,
        "rejected.token_dead": 1,
        "rejected.token_suspect": 1,
        "rejected.provider_error": 1,
    },
    "fcm": {
        "attempted": 5,
        "accepted": 1,
        "rejected.token_dead": 1,
        "rejected.token_suspect": 1,
        "rejected.throttled": 1,
        "rejected.wrong_topic": 1,
    },
}


def compare_node(product: Product, spool: Path, comparison: Comparison) -> str:
    """Runs the sender, and compares the funnel of its campaign. Returns what happened."""
    node = shutil.which("node")
    if node is None:
        comparison.equal("node", "is not installed: make setup installs it", None)
        return "there is no node"
    sender = Path(__file__).with_name("node_sender.mjs")
    command = [node, sender, product.url, product.server_key, spool]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    comparison.equal("the sender in Node", (result.returncode, result.stderr), (0, ""))
    report = product.report("funnel", "--by", "provider", "--campaign", "node")
    found = {row["key"]["provider"]: dict(counts_of(row["counts"])) for row in report["rows"]}
    comparison.equal("the funnel of the sender in Node", found, EXPECTED)
    return "what the wrappers for Node recorded is compared"
