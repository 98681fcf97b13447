internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

/// A token that a message was sent to.
struct MessageRecipient: Hashable, Comparable, Sendable {
    let messageID: UUID
    let tokenID: Int64
    let appID: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.messageID, left.tokenID, left.appID) < (right.messageID, right.tokenID, right.appID)
    }

    /// The notification that a first event is about; without a device id until the token is registered.
    func notificationID(_ deviceID: UUID?) -> UUID {
        guard let deviceID else { return .notification(ofMessage: messageID, toToken: tokenID) }
        return .notification(ofMessage: messageID, toDevice: deviceID)
    }
}

/// Determines which notifications responses and vendors' receipts about messages to tokens belong to.
///
/// The first of them decides, by the token's holder at that time. All later ones find that decision, even if
/// the holder has changed. The row in `message_recipient` serializes concurrent batches about one recipient.
enum MessageRecipients {
    struct Settled {
        fileprivate(set) var notifications: [MessageRecipient: UUID] = [:]
        /// The installations that hold the tokens, as far as these are registered.
        fileprivate(set) var installationIDs: [MessageRecipient: Int64] = [:]
        /// The indices of their responses and receipts in the batch.
        fileprivate(set) var positions: [MessageRecipient: [Int]] = [:]
        /// Tokens that were not registered when they were looked up.
        fileprivate(set) var waitingTokenIDs: Set<Int64> = []
    }

    /// Assigns responses and receipts about messages to their notifications. Returns the tokens that are not
    /// registered.
    static func address(
        _ batch: inout DeliveryBatch, now: Instant, on connection: PostgresConnection
    ) throws -> Set<Int64> {
        guard !batch.isAddressed else { return [] }
        let recipients = try settle(batch.entries, now: now, on: connection)
        batch.address(recipients)
        return recipients.waitingTokenIDs
    }

    static func settle(
        _ entries: [DeliveryBatch.Entry], now: Instant, on connection: PostgresConnection
    ) throws -> Settled {
        var settled = Settled()
        for position in entries.indices {
            guard let recipient = entries[position].recipient else { continue }
            settled.positions[recipient, default: []].append(position)
        }
        // The first response about each recipient represents all of them, because it knows the date.
        let asked = settled.positions.sorted { $0.key < $1.key }.compactMap { recipient, positions in
            (positions.first { entries[$0].response != nil } ?? positions.first)
                .map { (recipient: recipient, entry: entries[$0]) }
        }
        guard !asked.isEmpty else { return settled }
        let devices = try InstallationDirectory.devices(
            of: Set(asked.compactMap(\.entry.holder)), on: connection)
        let rows = try connection.query(
            .Ingestion.recordRecipients,
            [
                .array(asked.map(\.recipient.messageID)), .array(asked.map(\.recipient.tokenID)),
                .array(asked.map(\.recipient.appID)),
                .array(
                    asked.map { $0.recipient.notificationID($0.entry.holder.flatMap { devices[$0] }) }),
                .array(asked.map { $0.entry.placedAt ?? now }),
                .nullableArray(asked.map(\.entry.holder?.installationID)),
                .array(asked.map { $0.entry.response == nil }),
            ])
        for row in rows {
            let recipient = MessageRecipient(
                messageID: try row.get(0), tokenID: try row.get(1), appID: try row.get(2))
            settled.notifications[recipient] = try row.get(3)
            if let installationID: Int64 = try row.getOptional(4) {
                settled.installationIDs[recipient] = installationID
            } else {
                settled.waitingTokenIDs.insert(recipient.tokenID)
            }
        }
        return settled
    }
}

extension DeliveryBatch.Entry {
    /// The date of the row if this is its first response: see ``DeliveryRecord/movesAway``. `nil` for a
    /// receipt without a date, whose row has a provisional one.
    var placedAt: Instant? {
        guard let sentAt, let statedAt = event.sentAt, event.idTime != nil else { return sentAt }
        return statedAt.startOfQuarter == sentAt.startOfQuarter ? sentAt : statedAt
    }

    /// The recipient of a response or receipt about a message to a token; `nil` for all other events.
    var recipient: MessageRecipient? {
        guard case .message(let messageID, deviceID: nil) = event.name, let token else { return nil }
        return MessageRecipient(messageID: messageID, tokenID: token.tokenID, appID: appID)
    }

    fileprivate var holder: AppInstallation? {
        token?.installationID.map { AppInstallation(appID: appID, installationID: $0) }
    }
}

extension Event {
    /// The token that a response or a vendor's receipt names.
    var tokenAddress: TokenAddress? {
        switch content {
        case .response(let response):
            guard case .token(let address) = response.target else { return nil }
            return address
        case .device(let report): return report.token
        case .recall: return nil
        }
    }
}

extension DeliveryBatch {
    mutating func address(_ recipients: MessageRecipients.Settled) {
        for (recipient, notificationID) in recipients.notifications {
            let installationID = recipients.installationIDs[recipient]
            for index in recipients.positions[recipient, default: []] {
                entries[index].notificationID = notificationID
                // The holder may have changed since the first event, or registered since this batch's lookup.
                let known = entries[index].response?.installationID
                entries[index].response?.installationID = installationID ?? known
            }
        }
        isAddressed = true
    }
}
