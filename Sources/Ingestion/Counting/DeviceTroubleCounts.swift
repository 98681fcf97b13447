internal import DeliveryModel
internal import PostgresClient

/// Trouble that a batch's devices report about themselves. Only new events count, because devices repeat
/// requests that got no response, and only events about known pushes, because anyone can post others.
struct DeviceTroubleCounts {
    private struct Key: Hashable {
        let appID: Int64
        let trouble: String
        let reporterID: Int64
    }

    private var events: [Key: Int64] = [:]

    init(_ batch: DeliveryBatch, accepted: [DeliveryBatch.Accepted]) {
        guard batch.entries.contains(where: { $0.report?.hasTrouble == true }) else { return }
        let reporters = Dictionary(
            accepted.compactMap { event in event.reporterID.map { (event.position, $0) } },
            uniquingKeysWith: { first, _ in first })
        for entry in batch.entries {
            guard let report = entry.report, report.hasTrouble, let reporterID = reporters[entry.position]
            else { continue }
            func add(_ trouble: String, _ count: Int64 = 1) {
                let key = Key(appID: entry.appID, trouble: trouble, reporterID: reporterID)
                let (sum, isTooMuch) = events[key, default: 0].addingReportingOverflow(count)
                events[key] = isTooMuch ? .max : sum
            }
            if report.droppedEvents > 0 { add("dropped", report.droppedEvents) }
            guard report.kind == .arrival, report.evidence == .extension else { continue }
            if report.isUnshared { add("unshared") }
            if report.isClockOff { add("clock") }
        }
    }

    /// `nil` if there is nothing to write, as in most batches.
    func statement(now: Instant) -> PostgresStatement? {
        guard !events.isEmpty else { return nil }
        let rows = Array(events)
        return PostgresStatement(
            .Ingestion.addToDeviceTroubles,
            [
                .array(rows.map(\.key.appID)), .value(now.startOfQuarter),
                .array(rows.map(\.key.trouble)), .array(rows.map(\.key.reporterID)),
                .array(rows.map(\.value)),
            ])
    }
}

extension DeliveryBatch.Entry {
    fileprivate var report: DeviceReport? {
        guard case .device(let report) = event.content else { return nil }
        return report
    }
}

extension DeviceReport {
    fileprivate var hasTrouble: Bool { droppedEvents > 0 || isUnshared || isClockOff }
}
