internal import DeliveryModel
internal import Foundation
public import PostgresClient
public import TokenLifecycle

/// Assigns responses and vendors' receipts about messages to their devices once the tokens they name are
/// registered.
///
/// Such a response waits in a row of its own. The row is merged into the row of message and device: one
/// transaction subtracts it from the counters in one place and adds it in the other. Two callers run this
/// after their commit: the registration, and the batch that recorded a response to an unknown token. The
/// later of the two sees both, so no response is left waiting. A repetition costs one index lookup.
public struct WaitingMessages: Sendable {
    private let shard: Int16

    private static let batchSize: Int64 = 500

    /// - Parameter shard: the writer's share of the counters; any shard works.
    public init(shard: Int16 = .random(in: 0..<64)) { self.shard = shard }

    /// Moves the responses that wait for these tokens, as far as the tokens are registered, in transactions
    /// of its own, and returns their number. Repeatable.
    @discardableResult
    public func claim(_ tokenIDs: some Sequence<Int64>, on connection: PostgresConnection) throws -> Int64 {
        let tokenIDs = Set(tokenIDs).sorted()
        guard !tokenIDs.isEmpty else { return 0 }
        try StrayTokens.merge(tokenIDs, now: .now, on: connection)
        return try claimAll(of: tokenIDs, on: connection)
    }

    /// Moves those that wait for the tokens of a registration, of which few can have strays.
    @discardableResult
    public func claim(_ registered: [RegisteredToken], on connection: PostgresConnection) throws -> Int64 {
        let strayed = registered.filter(\.mayHaveStrays).compactMap(\.tokenID)
        try StrayTokens.merge(strayed, now: .now, on: connection)
        let tokenIDs = Set(registered.compactMap(\.tokenID)).sorted()
        return tokenIDs.isEmpty ? 0 : try claimAll(of: tokenIDs, on: connection)
    }

    private func claimAll(of tokenIDs: [Int64], on connection: PostgresConnection) throws -> Int64 {
        var count: Int64 = 0
        while true {
            let claimed = try claimBatch(tokenIDs, on: connection)
            count += claimed
            guard claimed == Self.batchSize else { return count }
        }
    }

    /// Moves all responses that wait although their token is registered: because the registration was
    /// imported, or broke off after its commit and was not repeated. `isStopped` is called between
    /// transactions; true ends the work.
    public func claimAll(
        on connection: PostgresConnection, isStopped: () -> Bool = { false }
    ) throws -> Int64 {
        var count: Int64 = 0
        var last: Int64 = 0
        while !isStopped() {
            let tokenIDs: [Int64] = try connection.query(
                .Ingestion.findClaimableTokens, [.value(last), .value(Self.batchSize)]
            ).column(0)
            guard let next = tokenIDs.last else { break }
            count += try claim(tokenIDs, on: connection)
            last = next
        }
        return count
    }

    private func claimBatch(_ tokenIDs: [Int64], on connection: PostgresConnection) throws -> Int64 {
        do {
            return try connection.transaction { try claimBatch(tokenIDs, leavingOut: [], on: connection) }
        } catch let missing as MissingDay {
            let keptFrom = try connection.keptFrom()
            let dropped = missing.destinations.filter { $0.value.sentAt < keptFrom }
            guard !dropped.isEmpty else { throw missing.underlying }
            return try connection.transaction {
                try claimBatch(tokenIDs, leavingOut: Set(dropped.keys), on: connection)
            }
        }
    }

    /// - Parameter dropped: notifications whose rows were dropped with their days; responses that wait for
    ///   them are removed, too.
    private func claimBatch(
        _ tokenIDs: [Int64], leavingOut dropped: Set<DeliveryKey>, on connection: PostgresConnection
    ) throws -> Int64 {
        let messages = try connection.query(
            .Ingestion.lockWaitingMessages, [.array(tokenIDs), .value(Self.batchSize)]
        ).map(WaitingMessage.init)
        guard !messages.isEmpty else { return 0 }
        connection.enqueue(
            PostgresStatement(
                .Ingestion.addressMessages,
                [
                    .array(messages.map(\.recipient.messageID)), .array(messages.map(\.recipient.tokenID)),
                    .array(messages.map(\.recipient.appID)), .array(messages.map(\.addressed.notificationID)),
                    .array(messages.map(\.installationID)),
                ]))
        let taken = try TakenDelivery.rows(
            of: .Ingestion.takeDeliveries, under: messages.map(\.key), on: connection)
        try move(messages, taken, leavingOut: dropped, on: connection)
        return Int64(messages.count)
    }

    /// Writes the removed rows under the devices' notifications. A missing row was dropped with its day.
    private func move(
        _ messages: [WaitingMessage], _ taken: [TakenDelivery], leavingOut dropped: Set<DeliveryKey>,
        on connection: PostgresConnection
    ) throws {
        let keptFrom = try connection.keptFrom()
        let rows = Dictionary(taken.map { ($0.record.key, $0.record) }) { first, _ in first }
        let moving = messages.compactMap { message in rows[message.key].map { (message: message, row: $0) } }
        var posted: [AppNotification: NotificationDates.PostedDate] = [:]
        for (message, row) in moving where message.recipient.messageID.versionSevenInstant == nil {
            if let known = posted[message.addressed], known.hasResponse || !row.hasResponse { continue }
            posted[message.addressed] = .init(sentAt: row.key.sentAt, hasResponse: row.hasResponse)
        }
        let dates = try NotificationDates.settle(posted, on: connection)
        var records: [DeliveryKey: DeliveryRecord] = [:]
        for (message, row) in moving {
            // No pointer can be under a time before the retention, and events that need it are too old.
            let idTime = message.recipient.messageID.versionSevenInstant
                .flatMap { $0 < keptFrom ? nil : $0 }
            let sentAt = dates.sentAt[message.addressed] ?? idTime ?? row.key.sentAt
            let key = DeliveryKey(message.addressed, sentAt: sentAt)
            records[key, default: DeliveryRecord(key: key, isDatedByID: idTime != nil)].add(earlier: row)
            if row.hasResponse, records[key]?.installationID == nil {
                records[key]?.installationID = message.installationID
            }
        }
        for (key, waiting) in dates.waiting { records[key]?.add(earlier: waiting.record) }
        try records.values.filter { !dropped.contains($0.key) }.sorted { $0.key < $1.key }
            .write(inPlaceOf: taken + dates.waiting.values, shard: shard, on: connection)
    }
}

extension DeliveryRecord {
    /// A row has none if only a vendor's receipt waits.
    fileprivate var hasResponse: Bool { state.contains(.attempted) }
}

/// A response or receipt that waits, and the device it was for.
private struct WaitingMessage {
    let recipient: MessageRecipient
    let key: DeliveryKey
    let installationID: Int64
    /// The notification it belongs to from now on.
    let addressed: AppNotification

    /// Reads a row of `lock_waiting_messages`.
    init(_ row: PostgresRow) throws {
        recipient = MessageRecipient(
            messageID: try row.get(0), tokenID: try row.get(1), appID: try row.get(2))
        key = DeliveryKey(notificationID: try row.get(3), appID: recipient.appID, sentAt: try row.get(4))
        installationID = try row.get(5)
        addressed = AppNotification(
            notificationID: .notification(ofMessage: recipient.messageID, toDevice: try row.get(6)),
            appID: recipient.appID)
    }
}
