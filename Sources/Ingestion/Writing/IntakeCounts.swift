internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// A batch's items by app and verdict: received = accepted + duplicates + rejected.
struct IntakeCounts {
    private struct Counts {
        var accepted: Int64 = 0
        var duplicates: Int64 = 0
        var rejected: Int64 = 0
        /// Those of them that got the warning `reused_id`, and the notification of the last one.
        var reusedIDs: Int64 = 0
        var reusedID: UUID?

        var received: Int64 { accepted + duplicates + rejected }
    }

    private var byApp: [Int64: Counts] = [:]

    init(_ items: [BatchItem], _ verdicts: [Verdict]) {
        for (item, verdict) in zip(items, verdicts) {
            switch verdict.outcome {
            case .accepted: byApp[item.appID, default: Counts()].accepted += 1
            case .duplicate: byApp[item.appID, default: Counts()].duplicates += 1
            case .rejected: byApp[item.appID, default: Counts()].rejected += 1
            case .overQuota: break
            }
            if verdict.warnings.contains(.reusedID), case .success(let event) = item.content {
                byApp[item.appID, default: Counts()].reusedIDs += 1
                byApp[item.appID]?.reusedID = event.name.id
            }
        }
    }

    func statement(now: Instant, shard: Int16) -> PostgresStatement {
        let rows = byApp.sorted { $0.key < $1.key }
        return PostgresStatement(
            .Ingestion.addToIntakeRollup,
            [
                .array(rows.map(\.key)), .value(now.startOfHour), .value(shard),
                .array(rows.map(\.value.received)),
                .array(rows.map(\.value.accepted)), .array(rows.map(\.value.duplicates)),
                .array(rows.map(\.value.rejected)), .array(rows.map(\.value.reusedIDs)),
                .nullableArray(rows.map(\.value.reusedID)),
            ])
    }
}
