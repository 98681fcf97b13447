internal import Access
internal import Instants
package import Rendering
package import Reports
internal import Wording

extension ZombieReport: RenderableReport {
    package var emptiness: Emptiness? {
        guard builds.isEmpty else { return nil }
        return Emptiness(sentence: "No zombie was found for app \(app.slug)", hint: nil)
    }

    /// One line per listed installation.
    package var csv: CSVText { listed.csv(rows) }

    package var htmlPage: HTMLPage { ZombieTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { ZombieTable(self, style).lines }
}

extension ZombieReport {
    typealias Row = (build: Build, zombie: Zombie)

    var rows: [Row] {
        builds.flatMap { build -> [Row] in build.listed.map { (build: build, zombie: $0) } }
    }

    var listed: Listing<Row> {
        Listing(
            .text("device_id", "Device", group: 0) { $0.zombie.deviceID },
            .text(nil, "Build", isName: true) { $0.build.name },
            .text("platform") { $0.build.platform }, .text("app_version") { $0.build.appVersion },
            .text(
                "model", "Model", isName: true,
                shown: { $0.zombie.model.isEmpty ? $1.nothing : $0.zombie.model }
            ) { $0.zombie.model },
            .count("pushes", "Pushes") { $0.zombie.pushes },
            .instant("first_push_at") { $0.zombie.firstPushAt },
            .instant("last_push_at") { $0.zombie.lastPushAt },
            .text("heard_at", "Last heard", shown: { row, _ in row.zombie.heardAt.utcDate }) {
                $0.zombie.heardAt.rfc3339
            },
            .text(
                "twin_device_id", "Alive as", group: 2, shown: { $0.zombie.twinDeviceID ?? $1.nothing }
            ) { $0.zombie.twinDeviceID },
            .constant("app", app.slug), .constant("as_of", asOf.rfc3339))
    }
}
