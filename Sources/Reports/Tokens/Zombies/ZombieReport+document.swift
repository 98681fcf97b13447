internal import Access
public import Documents
internal import Instants

extension ZombieReport {
    /// The document of `--json`: counts of installations, shares from 0 to 1, instants in UTC.
    public var document: JSONValue {
        [
            "report": "zombies",
            "app": .string(app.slug),
            "unit": "installations",
            "as_of": .string(asOf.rfc3339),
            "rules": [
                "days": .integer(rules.days), "pushes": .integer(rules.pushes),
                "spread_days": .integer(rules.spreadDays), "reporting_share": .number(rules.reportingShare),
            ],
            "rows": .array(builds.map(Self.json)),
            "totals": [
                "counts": [
                    "zombies": .integer(zombies), "duplicates": .integer(duplicates),
                    "audience": .integer(audience),
                ],
                "rates": ["inflation": inflation.json],
            ],
        ]
    }

    private static func json(_ build: Build) -> JSONValue {
        [
            "key": ["platform": .string(build.platform), "app_version": .string(build.appVersion)],
            "counts": [
                "judged": .integer(build.judged), "reporting": .integer(build.reporting),
                "zombies": .integer(build.zombies), "duplicates": .integer(build.duplicates),
            ],
            "rates": ["reporting": build.share.json],
            "is_reporting": .bool(build.isReporting),
            "installations": .array(build.listed.map(json)),
        ]
    }

    private static func json(_ zombie: Zombie) -> JSONValue {
        [
            "device_id": .string(zombie.deviceID), "model": .string(zombie.model),
            "pushes": .integer(zombie.pushes), "first_push_at": .string(zombie.firstPushAt.rfc3339),
            "last_push_at": .string(zombie.lastPushAt.rfc3339), "heard_at": .string(zombie.heardAt.rfc3339),
            "twin_device_id": .optional(zombie.twinDeviceID),
        ]
    }
}
