internal import Foundation

/// What must come out of a history.
struct Reference {
    /// A notification of one of the history's apps.
    struct Key: Hashable {
        let app: Int
        let notificationID: UUID
    }

    private(set) var notifications: [Key: ExpectedNotification] = [:]
    /// How many items each code must have in quarantine, by app: at least one of each text, at most all that were posted.
    private(set) var quarantined: [Int: [String: ClosedRange<Int64>]] = [:]
    /// By request: what each item must be answered; nil where that depends on who came first.
    private(set) var verdicts: [[ItemVerdict]]?

    init(_ history: History) {
        if history.isSequential { tellInOrder(history) } else { tellAtOnce(history) }
        quarantine(history)
    }

    private mutating func quarantine(_ history: History) {
        for (app, requests) in Dictionary(grouping: history.requests, by: \.app) {
            let refused = requests.flatMap(\.items).filter { $0.code != nil }
            for (code, items) in Dictionary(grouping: refused, by: \.code) {
                guard let code else { continue }
                let texts = Set(items.map(\.text))
                quarantined[app, default: [:]][code] = Int64(texts.count)...Int64(items.count)
            }
        }
    }

    private mutating func tellInOrder(_ history: History) {
        var rows: [Key: ReferenceRow] = [:]
        var registered = RegisteredDevices(history.devices)
        var verdicts: [[ItemVerdict]] = []
        for step in history.steps {
            switch step {
            case .register(let registration): registered.register(registration)
            case .post(let request):
                verdicts.append(tell(request, &rows, registered))
            }
        }
        notifications = rows.mapValues(\.expected)
        self.verdicts = verdicts
    }

    private func tell(
        _ request: HistoryRequest, _ rows: inout [Key: ReferenceRow], _ registered: RegisteredDevices
    ) -> [ItemVerdict] {
        var verdicts = request.items.map { $0.code.map(ItemVerdict.rejected) ?? .duplicate }
        let positions = Dictionary(grouping: request.items.indices.filter { request.items[$0].event != nil })
        {
            request.items[$0].event?.notificationID
        }
        for (notificationID, positions) in positions {
            guard let notificationID else { continue }
            let events = positions.compactMap { request.items[$0].event }
            let news = rows[Key(app: request.app, notificationID: notificationID), default: ReferenceRow()]
                .record(events) { registered.find($0, app: request.app) }
            for (position, isNew) in zip(positions, news) where isNew { verdicts[position] = .accepted }
        }
        return verdicts
    }

    private mutating func tellAtOnce(_ history: History) {
        var registered = RegisteredDevices(history.devices)
        var events: [Key: [MeantEvent]] = [:]
        for step in history.steps {
            if case .register(let registration) = step { registered.register(registration) }
        }
        for request in history.requests {
            for event in request.items.compactMap(\.event) {
                events[Key(app: request.app, notificationID: event.notificationID), default: []].append(event)
            }
        }
        for (key, events) in events {
            notifications[key] = ExpectedNotification(anyOrderOf: events) {
                registered.find($0, app: key.app)
            }
        }
    }
}

/// What is answered to one item.
enum ItemVerdict: Hashable, Sendable {
    case accepted
    case duplicate
    case rejected(String)
}

/// Which devices are registered, and what they said last.
private struct RegisteredDevices {
    private let devices: [HistoryDevice]
    private var traits: [Int: [Int: DeviceTraits]] = [:]

    init(_ devices: [HistoryDevice]) {
        self.devices = devices
    }

    mutating func register(_ registration: HistoryRegistration) {
        traits[registration.app, default: [:]][registration.device] = registration.traits
    }

    /// Devices register tokens of APNs and FCM; other providers' tokens only senders know.
    func find(_ answer: MeantAnswer, app: Int) -> (FoundTarget, DeviceTraits?) {
        switch answer.target {
        case .broadcast: return (FoundTarget(), nil)
        case .strangeToken: return (FoundTarget(hasToken: true), nil)
        case .deviceToken(let device):
            guard ["apns", "fcm"].contains(answer.words.provider), let known = traits[app]?[device] else {
                return (FoundTarget(hasToken: true), nil)
            }
            return (FoundTarget(hasToken: true, deviceID: devices[device].deviceID), known)
        case .device(let device):
            guard let known = traits[app]?[device] else { return (FoundTarget(), nil) }
            return (FoundTarget(hasToken: false, deviceID: devices[device].deviceID), known)
        }
    }
}
