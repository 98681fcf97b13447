internal import Foundation

/// The expected result of a history.
struct Reference {
    /// A notification of one of the history's apps.
    struct Key: Hashable {
        let app: Int
        let row: RowName
    }

    private(set) var notifications: [Key: ExpectedNotification] = [:]
    /// The number of items that each code may have in quarantine, by app: at least one per text, at most all
    /// that were posted.
    private(set) var quarantined: [Int: [String: ClosedRange<Int64>]] = [:]
    /// The expected verdict of each item, by request; `nil` if verdicts depend on which request came first.
    private(set) var verdicts: [[ItemVerdict]]?

    init(_ history: History) {
        if history.isSequential { tellInOrder(history) } else { tellAtOnce(history) }
        quarantine(history)
    }

    private mutating func quarantine(_ history: History) {
        for (app, requests) in Dictionary(grouping: history.requests, by: \.app) {
            let rejected = requests.flatMap(\.items).filter { $0.code != nil }
            for (code, items) in Dictionary(grouping: rejected, by: \.code) {
                guard let code else { continue }
                let texts = Set(items.map(\.text))
                quarantined[app, default: [:]][code] = Int64(texts.count)...Int64(items.count)
            }
        }
    }

    private mutating func tellInOrder(_ history: History) {
        var rows: [Key: ReferenceRow] = [:]
        var registered = RegisteredDevices(history.devices)
        var sent = SentMessages(history.devices)
        var verdicts: [[ItemVerdict]] = []
        for step in history.steps {
            switch step {
            case .register(let registration):
                registered.register(registration)
                for move in sent.claim(device: registration.device, app: registration.app) {
                    guard let row = rows.removeValue(forKey: Key(app: registration.app, row: move.from))
                    else { continue }
                    rows[Key(app: registration.app, row: move.to), default: ReferenceRow()]
                        .take(row, foundAt: move.deviceID)
                }
            case .post(let request):
                verdicts.append(tell(request, &rows, registered, &sent))
            case .fold:
                break  // Folding does not change the expected counters.
            }
        }
        notifications = rows.mapValues(\.expected)
        self.verdicts = verdicts
    }

    private func tell(
        _ request: HistoryRequest, _ rows: inout [Key: ReferenceRow], _ registered: RegisteredDevices,
        _ sent: inout SentMessages
    ) -> [ItemVerdict] {
        var verdicts = request.items.map { $0.code.map(ItemVerdict.rejected) ?? .duplicate }
        var positions: [Key: [Int]] = [:]
        for (position, item) in request.items.enumerated() {
            guard let event = item.event else { continue }
            let row = sent.row(of: event, app: request.app) {
                registered.find($0, app: request.app).0.deviceID
            }
            positions[Key(app: request.app, row: row), default: []].append(position)
        }
        for (key, positions) in positions {
            let events = positions.compactMap { request.items[$0].event }
            let news = rows[key, default: ReferenceRow()]
                .record(events) {
                    registered.find($0, app: request.app)
                } reporter: {
                    registered.reporter(of: $0, app: request.app)
                }
            for (position, isNew) in zip(positions, news) where isNew { verdicts[position] = .accepted }
        }
        return verdicts
    }

    private mutating func tellAtOnce(_ history: History) {
        var registered = RegisteredDevices(history.devices)
        // A token may be found to belong to no device, or to a device with the traits of any of its
        // registrations.
        var moments: [RegisteredDevices] = history.registersMeanwhile ? [registered] : []
        for step in history.steps {
            guard case .register(let registration) = step else { continue }
            registered.register(registration)
            if history.registersMeanwhile { moments += moments.map { $0.registering(registration) } }
        }
        if moments.isEmpty { moments = [registered] }
        var sent = SentMessages(history.devices)
        var events: [Key: [MeantEvent]] = [:]
        for request in history.requests {
            for event in request.items.compactMap(\.event) {
                // In any order, a message's response ends up with the device that has registered its token.
                let row = sent.row(of: event, app: request.app) {
                    registered.find($0, app: request.app).0.deviceID
                }
                events[Key(app: request.app, row: row), default: []].append(event)
            }
        }
        for (key, events) in events {
            notifications[key] = ExpectedNotification(anyOrderOf: events) { response in
                moments.map { moment in
                    let found = moment.find(response, app: key.app)
                    guard case .message = key.row, found.0.hasToken else { return found }
                    return (registered.find(response, app: key.app).0, found.1)
                }
            } reporters: { event in
                Set(moments.map { $0.reporter(of: event, app: key.app) })
            }
        }
    }
}

/// The verdict of one item.
enum ItemVerdict: Hashable, Sendable {
    case accepted
    case duplicate
    case rejected(String)
}
