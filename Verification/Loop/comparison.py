"""The reports of the server, compared with the scenario's truth."""

from __future__ import annotations

from collections import Counter
from typing import Any

from product import Product
from scenario import Device, Job, funnel_truth, rejections_truth


class Comparison:
    """Collects differences; `checks` counts what was compared."""

    def __init__(self) -> None:
        self.differences: list[str] = []
        self.checks = 0

    def equal(self, what: str, found: Any, expected: Any) -> None:
        self.checks += 1
        if found != expected:
            self.differences.append(f"{what}: {found}, expected {expected}")


def compare(product: Product, jobs: list[Job], devices: list[Device], comparison: Comparison) -> None:
    _compare_funnel(product, funnel_truth(jobs), comparison)
    _compare_rejections(product, rejections_truth(jobs), comparison)
    _compare_tokens(product, devices, comparison)
    code, text = product.run("verify", "--app", "shop")
    comparison.equal("landfall verify exits with", (code, text if code else ""), (0, ""))
    comparison.equal("in quarantine", product.report("quarantine", "list")["items"], 0)


def _compare_funnel(product: Product, expected: dict[tuple[str, str], Counter[str]], comparison: Comparison) -> None:
    report = product.report("funnel", "--by", "provider", "--by", "campaign", "--limit", "100")
    found = {(row["key"]["provider"], row["key"]["campaign"]): counts_of(row["counts"]) for row in report["rows"]}
    for key in sorted(set(found) | set(expected)):
        comparison.equal(f"funnel of {key}", found.get(key), expected.get(key))
    comparison.equal("funnel, totals", counts_of(report["totals"]["counts"]), sum(expected.values(), Counter()))
    comparison.equal("funnel, unmatched", report["unmatched"], 0)
    for name in ("conflicting", "contradicted", "misdirected"):
        comparison.equal(f"funnel, {name}", report["totals"]["counts"][name], 0)


def counts_of(counts: dict[str, Any]) -> Counter[str]:
    names = ("attempted", "accepted", "arrived", "confirmed", "clicked")
    found = Counter({name: counts[name] for name in names})
    found.update({f"rejected.{name}": count for name, count in counts["rejected"].items()})
    return +found


def _compare_rejections(product: Product, expected: Counter[str], comparison: Comparison) -> None:
    report = product.report("rejections", "--limit", "200")
    found: Counter[str] = Counter()
    for row in report["rows"]:
        answer = row["answer"]
        said = " ".join(
            str(answer[name]) for name in ("provider", "status", "reason") if answer[name] not in (None, "")
        )
        found[f"{said}: {answer['class']}"] += row["counts"]["rejected"]
    for key in sorted(set(found) | set(expected)):
        comparison.equal(f"rejections, {key}", found[key], expected[key])


def _compare_tokens(product: Product, devices: list[Device], comparison: Comparison) -> None:
    states = {token["value"]: token["state"] for token in product.tokens()}
    for device in devices:
        state = states.get(device.token)
        comparison.equal(f"the {device.provider} token whose fate is {device.fate_name}", state, device.fate.token)
    comparison.equal("tokens", len(states), len(devices))
