internal import Access
internal import Instants
package import Rendering
package import Reports

extension ZombieReport: RenderableReport {
    package var emptiness: Emptiness? {
        guard builds.isEmpty else { return nil }
        return Emptiness(sentence: "No zombie was found for app \(app.slug)", hint: nil)
    }

    /// One line per listed installation.
    package var csv: CSVText {
        var text = CSVText(header: [
            "device_id", "platform", "app_version", "model", "pushes", "first_push_at", "last_push_at",
            "heard_at",
            "twin_device_id", "app", "as_of",
        ])
        for build in builds {
            for zombie in build.listed {
                text.append([
                    .text(zombie.deviceID), .text(build.platform), .text(build.appVersion),
                    .text(zombie.model), .integer(zombie.pushes), .text(zombie.firstPushAt.rfc3339),
                    .text(zombie.lastPushAt.rfc3339), .text(zombie.heardAt.rfc3339),
                    .text(zombie.twinDeviceID ?? ""), .text(app.slug), .text(asOf.rfc3339),
                ])
            }
        }
        return text
    }

    package var htmlPage: HTMLPage { ZombieTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { ZombieTable(self, style).lines }
}
