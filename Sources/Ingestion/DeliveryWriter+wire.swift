public import DeliveryModel
internal import Foundation
public import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

extension [DeliveryRecord] {
    /// The parameters of `record_deliveries.sql`.
    var parameters: [PostgresParameter] {
        [
            .array(map(\.key.notificationID)), .array(map(\.key.appID)), .array(map(\.key.sentAt.timestamp)),
            .nullableArray(map(\.campaignID)), .nullableArray(map(\.segmentID)),
            .nullableArray(map(\.tokenID)),
            .nullableArray(map(\.installationID)), .nullableArray(map(\.answerID)),
            .array(map(\.state.rawValue)),
            .nullableArray(map { $0.milliseconds(until: .arrival) }),
            .nullableArray(map { $0.milliseconds(until: .presentation) }),
            .nullableArray(map { $0.milliseconds(until: .click) }),
            .nullableArray(map { $0.milliseconds(until: .dismissal) }),
            .array(map(\.answerRank)), .nullableArray(map { $0.refusedAt?.timestamp }),
            .nullableArray(map(\.action)), .nullableArray(map(\.collapseID)),
        ]
    }
}

extension ChangedDelivery {
    /// Reads a row of `record_deliveries.sql`.
    init(_ row: PostgresRow) throws {
        let sentAt = try row.get(2, as: PostgresTimestamp.self)
        self.init(
            key: DeliveryKey(
                notificationID: try row.get(0), appID: try row.get(1),
                sentAt: Instant(millisecondsSinceEpoch: sentAt.millisecondsSinceEpoch)),
            campaignID: try row.getOptional(3), segmentID: try row.getOptional(4),
            tokenID: try row.getOptional(5),
            previousState: DeliveryState(rawValue: try row.get(6)),
            state: DeliveryState(rawValue: try row.get(7)))
    }
}

extension RejectionTaxonomy {
    /// Reads the table `provider_reason`. Rows whose class or verdict this program does not know are left out: their answers
    /// then count as unknown and harm no token.
    public init(from connection: PostgresConnection) throws {
        var outcomes: [Key: Outcome] = [:]
        for row in try connection.query(.Ingestion.listProviderReasons) {
            guard let outcomeClass = OutcomeClass(name: try row.get(3)),
                let verdict = TokenVerdict(rawValue: try row.get(4))
            else { continue }
            let key = Key(provider: try row.get(0), status: try row.get(1), reason: try row.get(2))
            outcomes[key] = Outcome(outcomeClass, verdict)
        }
        self.init(outcomes)
    }
}

extension Instant {
    /// The clock on the wall.
    public static var now: Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
