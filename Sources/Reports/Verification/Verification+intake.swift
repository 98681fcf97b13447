internal import Instants
internal import PostgresClient
internal import SQLFiles

extension Verification {
    /// Compares received items with their verdicts, and rejected items with the quarantine and its
    /// books. Holds at every commit, because the writer counts both in the batch's own transaction:
    ///
    /// - received = accepted + duplicates + rejected, per app and hour;
    /// - rejected = kept + repeated, per app: each rejected item is a row, or repeats one;
    /// - rows in quarantine = kept − evicted − dropped − replayed, per app and kind of key, and the same in bytes.
    ///
    /// A replayed item is received again, and counts once more in the first equation.
    mutating func verifyIntake(on connection: PostgresConnection) throws(PostgresError) {
        var rejected: [Int64: Int64] = [:]
        for row in try connection.query(.Reports.recordedIntakeRollup) {
            let appID: Int64 = try row.get("app_id")
            guard isAsked(appID) else { continue }
            let (received, invalid): (Int64, Int64) = (try row.get("received"), try row.get("rejected"))
            let parts = try row.get("accepted") + row.get("duplicates") + invalid
            self.received += received
            rejected[appID, default: 0] += invalid
            check(
                "intake_rollup", appID, hour: try row.get("hour"), "received", counted: parts,
                recorded: received)
        }
        var booked: [Int64: Int64] = [:]
        for row in try connection.query(.Reports.quarantineBooks) {
            let appID: Int64 = try row.get("app_id")
            guard isAsked(appID) else { continue }
            let (poster, items): (String, Int64) = (try row.get("poster"), try row.get("counted_items"))
            quarantined += items
            booked[appID, default: 0] += try row.get("rejected", as: Int64.self)
            check(
                "quarantine_count", appID, "\(poster)_items", counted: items,
                recorded: try row.get("items"))
            check(
                "quarantine_count", appID, "\(poster)_bytes", counted: try row.get("counted_bytes"),
                recorded: try row.get("bytes"))
        }
        for appID in Set(rejected.filter { $0.value != 0 }.keys).union(booked.keys).sorted() {
            check(
                "quarantine_count", appID, "rejected", counted: rejected[appID] ?? 0,
                recorded: booked[appID] ?? 0)
        }
    }

    func isAsked(_ appID: Int64) -> Bool { self.appID.map { $0 == appID } ?? true }

    private mutating func check(
        _ table: String, _ appID: Int64, hour: Instant? = nil, _ measure: String, counted: Int64,
        recorded: Int64
    ) {
        counters += 1
        guard counted != recorded else { return }
        note(
            Difference(
                table: table, appID: appID, quarter: hour, campaignID: nil, segmentID: nil, measure: measure,
                counted: counted, recorded: recorded))
    }
}
