internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

extension BatchRecorder {
    /// Gives a name to the notifications of vendors' receipts, which name a message and a token: that of the
    /// message and the device that holds the token, as if the device had reported it itself.
    ///
    /// If no app has registered the token, it is the name under which the response waits for a registration,
    /// so that both move together.
    func nameDevices(
        in events: inout [PostedItem], now: Instant, on connection: PostgresConnection
    ) throws {
        let receipts = events.indices.filter { events[$0].receiptToken != nil }
        guard !receipts.isEmpty else { return }
        let targets = try ledger.resolve(receipts.map { events[$0].receiptToken }, now: now, on: connection)
        let holders = zip(receipts, targets).map { index, target in
            target?.installationID.map { AppInstallation(appID: events[index].appID, installationID: $0) }
        }
        let devices = try InstallationDirectory.devices(of: Set(holders.compactMap { $0 }), on: connection)
        for (position, index) in receipts.enumerated() {
            if let deviceID = holders[position].flatMap({ devices[$0] }) {
                events[index].event.name = .message(events[index].event.name.id, deviceID: deviceID)
            } else if let tokenID = targets[position]?.token?.tokenID {
                events[index].event.waitForRegistration(ofToken: tokenID)
            }
        }
    }
}

extension PostedItem {
    /// The token that a vendor's receipt names.
    fileprivate var receiptToken: AppTokenAddress? {
        guard case .message(_, deviceID: nil) = event.name, case .device(let report) = event.content
        else { return nil }
        return report.token.map { AppTokenAddress(appID: appID, address: $0) }
    }
}

extension Event {
    /// The name of message and token contains no time, even if that of the message does.
    fileprivate mutating func waitForRegistration(ofToken tokenID: Int64) {
        sentAt = idTime ?? sentAt
        name = .notification(.notification(ofMessage: name.id, toToken: tokenID))
    }
}
