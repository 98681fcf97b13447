internal import Access
internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

extension SilentExtensions {
    /// The shares of reportable notifications within an hour.
    struct Hour: Hashable, Sendable {
        /// `nil` for the whole week before.
        let start: Instant?
        let arrived: Proportion
        /// Presented, clicked or dismissed, of the same ones: posted by the app, not the extension.
        let responded: Proportion
    }

    struct Fact: Hashable, Sendable {
        let build: AppBuild
        /// The recent hours, and one for the week before.
        let hours: [Hour]
        /// Whether it has a reporting extension, by all that was ever counted.
        let reports: Bool

        /// Arrivals of reportable notifications, recently and in the week before.
        var arrived: Proportion { lately.map(\.arrived).sum }
        var arrivedBefore: Proportion { before.map(\.arrived).sum }
        var arrivedInAll: Proportion { hours.map(\.arrived).sum }
        var respondedBefore: Proportion { before.map(\.responded).sum }

        var lately: [Hour] { hours.filter { $0.start != nil } }
        private var before: [Hour] { hours.filter { $0.start == nil } }

        /// The recent hours that began at these instants.
        func within(_ starts: [Instant]) -> [Hour] {
            let starts = Set(starts)
            return hours.filter { hour in hour.start.map { starts.contains($0) } ?? false }
        }
    }

    /// The version with the most reportable notifications first.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let rows = try connection.query(
            .Doctor.reportingVersions,
            [
                .value(examination.app.appID), .value(examination.weekBefore.lowerBound),
                .value(examination.settled.lowerBound), .value(examination.settled.upperBound),
            ])
        var hours: [AppBuild: [Hour]] = [:]
        var reporting: Set<AppBuild> = []
        for row in rows {
            let build = AppBuild(platform: try row.get("platform"), version: try row.get("app_version"))
            let reportable: Int64 = try row.get("reportable")
            hours[build, default: []].append(
                Hour(
                    start: try row.getOptional("hour"),
                    arrived: Proportion(try row.get("arrived"), of: reportable),
                    responded: Proportion(try row.get("responded"), of: reportable)))
            if try row.get("version_reports") { reporting.insert(build) }
        }
        return hours.map { Fact(build: $0.key, hours: $0.value, reports: reporting.contains($0.key)) }
            .sorted {
                ($1.arrived.denominator, $0.build.name) < ($0.arrived.denominator, $1.build.name)
            }
    }
}
