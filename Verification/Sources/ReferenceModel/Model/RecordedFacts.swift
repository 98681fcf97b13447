internal import DeliveryModel
internal import PostgresClient

/// The counters for reports about rejections, times and extensions: as recorded, or as expected.
struct RecordedFacts: Equatable, Sendable {
    struct RejectionKey: Hashable, Sendable {
        let counter: Recorded.CounterKey
        let appVersion: String
        /// Provider, status, reason.
        let response: [String]
    }

    struct LatencyKey: Hashable, Sendable {
        let counter: Recorded.CounterKey
        let stage: String
        /// The first duration in the bucket, in milliseconds.
        let from: Int64
    }

    struct Version: Hashable, Sendable {
        let appID: Int64
        let platform: String
        let appVersion: String
    }

    struct VersionDay: Hashable, Sendable {
        let version: Version
        /// Milliseconds since 1970.
        let day: Int64
    }

    /// A version's reportable notifications, and the arrivals reported for them, with and without the name of
    /// the version.
    struct Reports: Hashable, Sendable {
        var reportable: Int64 = 0
        var named: Int64 = 0
        var unnamed: Int64 = 0
    }

    var rejections: [RejectionKey: Int64] = [:]
    var latency: [LatencyKey: Int64] = [:]
    var versions: [VersionDay: Reports] = [:]
    /// The versions that report, according to the database.
    private(set) var reporting: Set<Version> = []

    init() {}

    /// Reads the counters that are not 0: a missing counter equals 0.
    init(of apps: PostgresParameter, on connection: PostgresConnection) throws {
        for row in try connection.query(.Soak.recordedRejections, [apps]) {
            let count: Int64 = try row.get("rejected")
            guard count != 0 else { continue }
            let status: Int64 = try row.get("status")
            let key = RejectionKey(
                counter: try Recorded.CounterKey(row), appVersion: try row.get("app_version"),
                response: [try row.get("provider"), "\(status)", try row.get("reason")])
            rejections[key] = count
        }
        for row in try connection.query(.Soak.recordedLatency, [apps]) {
            let count: Int64 = try row.get("notifications")
            guard count != 0 else { continue }
            let key = LatencyKey(
                counter: try Recorded.CounterKey(row), stage: try row.get("stage"),
                from: try row.get("from_ms"))
            latency[key] = count
        }
        for row in try connection.query(.Soak.recordedVersions, [apps]) {
            let version = Version(
                appID: try row.get("app_id"), platform: try row.get("platform"),
                appVersion: try row.get("app_version"))
            if try row.get("reports") { reporting.insert(version) }
            let reports = Reports(
                reportable: try row.get("reportable"), named: try row.get("arrived_named"),
                unnamed: try row.get("arrived_unnamed"))
            guard reports != Reports() else { continue }
            let day = try row.get("day", as: Instant.self).millisecondsSinceEpoch
            versions[VersionDay(version: version, day: day)] = reports
        }
    }

    /// The counters of these apps.
    func own(_ appIDs: Set<Int64>) -> RecordedFacts {
        var own = RecordedFacts()
        own.rejections = rejections.filter { appIDs.contains($0.key.counter.appID) }
        own.latency = latency.filter { appIDs.contains($0.key.counter.appID) }
        own.versions = versions.filter { appIDs.contains($0.key.version.appID) }
        own.reporting = reporting.filter { appIDs.contains($0.appID) }
        return own
    }

    /// Adds the counts that a notification must have, each written down from its definition.
    ///
    /// - Parameter row: its recorded row, for values that the definition leaves to the order of events.
    mutating func add(_ bits: ReferenceBits, _ row: RecordedNotification, _ counter: Recorded.CounterKey) {
        guard bits.contains(.attempted), let push = row.push else { return }
        guard bits.contains(.accepted) else {
            let key = RejectionKey(
                counter: counter, appVersion: push.segment[6], response: row.response ?? ["no response"])
            rejections[key, default: 0] += 1
            return
        }
        if bits.contains(.canReport) { addVersion(of: push, bits, row, counter) }
        guard bits.contains(.arrived), let arrivedAt = row.times[0] else { return }
        count("arrival", arrivedAt - row.sentAt, isByReceipt: row.timedByReceipt.contains(.arrived), counter)
        guard bits.contains(.clicked), let clickedAt = row.times[2] else { return }
        count(
            "click", clickedAt - arrivedAt,
            isByReceipt: !row.timedByReceipt.isDisjoint(with: [.arrived, .clicked]),
            counter)
    }

    private mutating func count(
        _ stage: String, _ elapsed: Int64, isByReceipt: Bool, _ counter: Recorded.CounterKey
    ) {
        latency[LatencyKey(counter, stage, elapsed), default: 0] += 1
        if isByReceipt { latency[LatencyKey(counter, "\(stage)_by_receipt", elapsed), default: 0] += 1 }
    }
}

extension RecordedFacts {
    /// Counts a notification for its version, if the version is known and alerts are shown.
    private mutating func addVersion(
        of push: PushWords, _ bits: ReferenceBits, _ row: RecordedNotification, _ counter: Recorded.CounterKey
    ) {
        let (appVersion, permission) = (push.segment[6], push.segment[9])
        guard !appVersion.isEmpty, !["denied", "not_determined"].contains(permission) else { return }
        let version = Version(appID: counter.appID, platform: push.segment[5], appVersion: appVersion)
        let key = VersionDay(version: version, day: row.sentAt - row.sentAt % 86_400_000)
        versions[key, default: Reports()].reportable += 1
        guard bits.contains(.arrived) else { return }
        if row.arrivedVersion == nil { versions[key, default: Reports()].unnamed += 1 }
        if row.arrivedVersion == appVersion { versions[key, default: Reports()].named += 1 }
    }

    /// The versions that these numbers classify as reporting: with confidence, more than 2 % of the
    /// reportable notifications were reported by the version itself, or more than 10 % by it or without the
    /// name of a version.
    var expectedReporting: Set<Version> {
        var sums: [Version: Reports] = [:]
        for (key, reports) in versions {
            sums[key.version, default: Reports()].reportable += reports.reportable
            sums[key.version, default: Reports()].named += reports.named
            sums[key.version, default: Reports()].unnamed += reports.unnamed
        }
        return Set(
            sums.filter { _, sum in
                Self.isSurely(sum.named, of: sum.reportable, above: 0.02)
                    || Self.isSurely(sum.named + sum.unnamed, of: sum.reportable, above: 0.1)
            }.keys)
    }

    /// The score test that Wilson's interval inverts: whether the count would be too high for this share.
    private static func isSurely(_ part: Int64, of whole: Int64, above share: Double) -> Bool {
        let expected = Double(whole) * share
        return Double(part) - expected > 1.96 * (expected * (1 - share)).squareRoot()
    }
}

extension RecordedFacts.LatencyKey {
    /// By the definition: each bucket ends before the first duration that is more than a tenth
    /// longer than its beginning, up to 31 days.
    init(_ counter: Recorded.CounterKey, _ stage: String, _ elapsed: Int64) {
        var from: Int64 = elapsed < 1 ? 0 : 1
        while from > 0, from < 31 * 86_400_000 {
            let next = from + from / 10 + 1
            if elapsed < next { break }
            from = next
        }
        self.init(counter: counter, stage: stage, from: from)
    }
}
