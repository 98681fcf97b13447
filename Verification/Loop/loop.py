"""Sends with real libraries through mock providers, and compares the reports of a real server with the truth.

python loop.py PROGRAMS [--seed N] [--keep]

PROGRAMS is the folder with landfall-server, landfall and landfall-phone. docs/development.md explains it.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from apns import start_apns
from comparison import Comparison, compare
from gorush import compare_gorush
from https import Services
from keys import write_keys
from node import compare_node
from phones import KitPhone, Phone, phones
from product import Product
from provider import Providers
from scenario import Job, scenario
from senders import send

PROGRAMS = ("landfall-server", "landfall", "landfall-phone")
KILLS = 3
# Ten times as long as on an idle machine with two cores.
MOST_SECONDS = 600


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and database")
    options = parser.parse_args()
    for name in list(os.environ):
        # Neither another database nor a proxy; the folder of PostgreSQL's programs stays.
        if name.lower().endswith("_proxy") or (name.startswith("LANDFALL_") and name != "LANDFALL_PG_BIN"):
            del os.environ[name]
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(MOST_SECONDS)
    programs: Path = options.programs.resolve()
    for name in PROGRAMS:
        if not (programs / name).is_file():
            parser.error(f"{programs} has no {name}: build it; .ci/test does that before it runs the loop")
    folder = Path(tempfile.mkdtemp(prefix="landfall-loop-"))
    print(f"loop: seed {options.seed}, in {folder}")
    product = Product(programs, folder / "data")
    try:
        comparison = run(options.seed, programs, folder, product)
    finally:
        product.stop()
    for difference in comparison.differences:
        print(f"loop: DIFFERENT: {difference}")
    failed = len(comparison.differences)
    print(f"loop: {comparison.checks - failed} passed, {failed} failed")
    if failed == 0 and not options.keep:
        shutil.rmtree(folder)
    return 1 if failed else 0


def _give_up(*_: Any) -> None:
    raise TimeoutError(f"the loop takes more than {MOST_SECONDS} s")


def run(seed: int, programs: Path, folder: Path, product: Product) -> Comparison:
    plan, randomness, comparison, start = scenario(seed), random.Random(seed), Comparison(), time.monotonic()

    def say(text: str) -> None:
        print(f"loop: {time.monotonic() - start:5.1f} s  {text}", flush=True)

    keys = write_keys(folder)
    providers = Providers(plan.devices)
    apns_port = start_apns(providers, keys["certificate"], keys["ec_key"])
    services = Services(providers, keys["certificate"], keys["ec_key"])
    config = {
        **keys, "apns_port": apns_port, "https": f"https://127.0.0.1:{services.server_port}", "url": product.url,
        "server_key": product.server_key, "spool": str(folder / "spool"),
    }  # fmt: skip
    owned = phones(plan.devices, product, programs / "landfall-phone", folder / "phones")
    for phone in owned.values():
        phone.register()
    say(f"{len(owned)} devices have registered; those of iOS use the kit's driver")

    for jobs, kills in ((plan.first, KILLS), (plan.second, 0)):
        senders = send(jobs, config, folder, randomness, kills)
        for sender in senders:
            comparison.equal("a sender's failure", sender.failure, None)
        killed = sum(sender.kills for sender in senders)
        comparison.equal("kills", killed, kills * len(senders))
        say(f"{len(jobs)} pushes are sent; senders were killed {killed} times")
        report(jobs, owned, providers)
        say("the phones have reported")
    for number in {job.device.number for job in plan.jobs if job.arrives}:
        owned[number].settle()
    comparison.equal("pushes that a provider got under two ids", providers.contradictions, [])
    comparison.equal("left in the spool", [path.name for path in (folder / "spool").iterdir()], [])
    compare(product, plan.jobs, plan.devices, comparison)
    say("the reports are compared")
    say(compare_node(product, folder / "spool", comparison))
    say(compare_gorush(product, comparison))
    return comparison


def report(jobs: list[Job], owned: dict[int, Phone | KitPhone], providers: Providers) -> None:
    """Lets the phones show the pushes that the providers accepted, and lets some of their users tap them."""

    def payload(job: Job) -> dict[str, Any]:
        return providers.pushes[job.device.token, job.name].payload

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda job: owned[job.device.number].show(payload(job)), [job for job in jobs if job.arrives]))
        list(pool.map(lambda job: owned[job.device.number].tap(payload(job)), [job for job in jobs if job.is_clicked]))


if __name__ == "__main__":
    sys.exit(main())
