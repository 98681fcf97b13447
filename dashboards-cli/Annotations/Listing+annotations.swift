internal import Access
internal import Instants
internal import Reports
internal import Wording

extension Listing<Annotation> {
    /// Times are local.
    static func annotations(of app: App, in zone: ReportTimeZone) -> Self {
        func local(_ instant: Instant) -> String {
            LocalTime(instant, utcOffsetMinutes: zone.utcOffsetMinutes(at: instant)).toTheMinute
        }
        return Self(
            .constant("app", app.slug),
            .number("annotation_id", "Id") { $0.id },
            .text("at", "At (\(zone.name))", group: 0, shown: { row, _ in local(row.at) }) {
                zone.rfc3339($0.at)
            },
            .text("until", "Until", shown: { row, _ in row.until.map(local) ?? "" }) {
                $0.until.map(zone.rfc3339)
            },
            .text("text", "Text") { $0.text },
            .text("campaign", "Campaign", isName: true) { $0.campaign },
            .text("created_by", "By", isName: true) { $0.createdBy },
            .text("created_at") { zone.rfc3339($0.createdAt) })
    }
}
