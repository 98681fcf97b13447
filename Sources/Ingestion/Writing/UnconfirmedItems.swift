internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

/// Items that need a confirmation and have none. They are looked up first: a rejected item must cost less
/// than an accepted one.
struct UnconfirmedItems {
    /// The indices of the items in the batch as posted.
    private(set) var positions: Set<Int> = []

    var isEmpty: Bool { positions.isEmpty }

    fileprivate struct Question {
        let position: Int
        let notification: AppNotification
        let idTime: Instant?
        let contribution: DeliveryState
        /// The device that the event names; `nil` if the device is part of the notification's name.
        let device: AppDevice?
    }

    init() {}

    /// Looks up the items' notifications. Items that are not valid have none, so they are not recorded.
    init(of items: [BatchItem], _ signs: SignsOfLife, on connection: PostgresConnection) throws {
        var questions: [Question] = []
        // By index: an iterator would copy each item, with all the strings of its event.
        for position in items.indices where items[position].needsConfirmation && !items[position].isProven {
            if let question = Question(position, items[position]) { questions.append(question) }
            positions.insert(position)
        }
        guard !questions.isEmpty else { return }
        let keys = try Self.keys(of: questions, on: connection)
        let found = try RecordedDelivery.findCounted(Array(Set(keys.values)), on: connection)
        guard !found.isEmpty else { return }
        let installations = try signs.installations(of: questions.compactMap(\.device), on: connection)
        for question in questions {
            guard let row = keys[question.position].flatMap({ found[$0] }) else { continue }
            let reporter = question.device.flatMap { installations[$0] }
            if row.confirms(question.contribution, from: reporter) { positions.remove(question.position) }
        }
    }

    /// The keys of the notifications whose dates are known, by position.
    private static func keys(
        of questions: [Question], on connection: PostgresConnection
    ) throws -> [Int: DeliveryKey] {
        let undated = Array(Set(questions.lazy.filter { $0.idTime == nil }.map(\.notification)))
        var dates: [AppNotification: Instant] = [:]
        if !undated.isEmpty {
            let rows = try connection.query(
                .Ingestion.findDates, [.array(undated.map(\.notificationID)), .array(undated.map(\.appID))])
            for row in rows {
                dates[AppNotification(notificationID: try row.get(0), appID: try row.get(1))] = try row.get(2)
            }
        }
        return questions.reduce(into: [:]) { keys, question in
            guard let sentAt = question.idTime ?? dates[question.notification] else { return }
            keys[question.position] = DeliveryKey(question.notification, sentAt: sentAt)
        }
    }

    func rest(of items: [BatchItem]) -> [BatchItem] {
        items.indices.filter { !positions.contains($0) }.map { items[$0] }
    }

    /// The verdicts on all items, given those on the rest, or on its first items.
    func inserted(into verdicts: [Verdict]) -> [Verdict] {
        var (all, rest) = ([Verdict](), verdicts[...])
        while positions.contains(all.count) || !rest.isEmpty {
            all.append(positions.contains(all.count) ? Verdict(outcome: .overQuota) : rest.removeFirst())
        }
        return all
    }
}

extension UnconfirmedItems.Question {
    /// Returns `nil` if the item is about no notification that could be recorded.
    fileprivate init?(_ position: Int, _ item: BatchItem) {
        guard case .success(let event) = item.content, case .device(let report) = event.content,
            let notificationID = event.name.notificationID
        else { return nil }
        self.position = position
        notification = AppNotification(notificationID: notificationID, appID: item.appID)
        idTime = event.idTime
        contribution = event.contribution(outcome: nil)
        guard case .notification = event.name, let deviceID = report.deviceID else {
            device = nil
            return
        }
        device = AppDevice(appID: item.appID, deviceID: deviceID)
    }
}

extension DeliveryBatch.Entry {
    /// The number of kinds of device event in this state, which waited for this response. A receipt proves
    /// those about a notification, so they used nothing of a quota that the response could give back.
    func confirmedEvents(among state: DeliveryState) -> Int {
        if case .notification = event.name, state.contains(.signed) { return 0 }
        return state.intersection([.arrived, .presented, .clicked, .dismissed]).rawValue.nonzeroBitCount
    }
}
