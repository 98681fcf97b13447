internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// The columns of a notification's row that decide what another event would change.
struct RecordedDelivery {
    let state: DeliveryState
    /// The installation that the push went to; `nil` if that is not known.
    let installationID: Int64?
    let tokenID: Int64?
    let destination: DeliveryKey?
    let reporters: Reporters

    var hasResponse: Bool { state.contains(.attempted) }

    /// The rows under these keys. Nothing is written or locked.
    static func find(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [DeliveryKey: RecordedDelivery] {
        guard let parameters = keys.parameters else { return [:] }
        let rows = try connection.query(.Ingestion.findRecorded, parameters)
        let reporters: [[Int64]?] = try rows.optionalArrayColumn(6)
        var found: [DeliveryKey: RecordedDelivery] = [:]
        for (index, row) in rows.enumerated() {
            let key = DeliveryKey(
                notificationID: try row.get(0), appID: try row.get(1), sentAt: try row.get(2))
            let state = DeliveryState(rawValue: try row.get(3))
            let sentAfter = try row.getOptional(5, as: Int64.self)
            found[key] = RecordedDelivery(
                state: state, installationID: try row.getOptional(4), tokenID: try row.getOptional(7),
                destination: state.isEmpty && sentAfter != nil
                    ? DeliveryKey(key.notification, sentAt: key.sentAt + Span(milliseconds: sentAfter ?? 0))
                    : nil,
                reporters: Reporters(stored: reporters[index] ?? [], of: state))
        }
        return found
    }

    /// The rows under these keys or, where one only points to another, those that they point to.
    static func findCounted(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [DeliveryKey: RecordedDelivery] {
        var found = try find(keys, on: connection)
        let pointers = found.compactMapValues(\.destination)
        guard !pointers.isEmpty else { return found }
        let others = try find(Array(Set(pointers.values)), on: connection)
        for (key, destination) in pointers { found[key] = others[destination] }
        return found
    }

    /// Whether a device's event would be recorded although the quota is spent: its notification has a
    /// response and went to the event's installation (`nil` if it names no registered device), or the row
    /// already contains what the event says.
    func confirms(_ contribution: DeliveryState, from reporter: Int64?) -> Bool {
        if let installationID, let reporter, reporter != installationID { return state.knows(.misdirected) }
        if hasResponse { return true }
        var after = reporters
        after.add(contribution, from: reporter)
        return state.knows(contribution) && after.stored == reporters.stored
    }
}

extension [DeliveryKey] {
    /// The parameters of statements that find rows by their keys; `nil` if there are no keys.
    var parameters: [PostgresParameter]? {
        let dates = map(\.sentAt)
        guard let earliest = dates.min(), let latest = dates.max() else { return nil }
        return [
            .array(map(\.notificationID)), .array(map(\.appID)), .array(dates), .value(earliest),
            .value(latest),
        ]
    }
}
