internal import DeliveryModel
internal import Reports

/// Everything that a screen of `landfall watch` shows.
struct WatchState {
    /// The reason why the figures are not current.
    struct Trouble: Equatable {
        let reason: String
        let since: Instant
    }

    let app: App
    let timeZone: ReportTimeZone
    /// The time in the corner of the screen.
    var now: Instant
    var day: AppToday?
    var health: TokenHealth?
    var pace = IntakePace()
    /// Whether other commands must name the app too.
    var namesApp = false
    var trouble: Trouble?
    /// The reason why the last count of the tokens failed.
    var healthTrouble: Trouble?

    mutating func take(_ news: WatchNews) {
        switch news {
        case .day(let day, let received):
            self.day = day
            pace.note(received, at: day.asOf)
            trouble = nil
        case .health(let health):
            self.health = health
            healthTrouble = nil
        case .healthTrouble(let reason, let at):
            healthTrouble = Trouble(reason: reason, since: healthTrouble?.since ?? at)
        case .trouble(let reason, let at):
            trouble = Trouble(reason: reason, since: trouble?.since ?? at)
        }
    }
}

enum WatchNews: Sendable {
    /// The day, and the items received since the hour in which the watch began.
    case day(AppToday, ReceivedItems)
    case health(TokenHealth)
    /// The tokens could not be counted; all other figures are current.
    case healthTrouble(String, Instant)
    case trouble(String, Instant)
}

/// The rate at which items are received, from repeated readings of counters.
struct IntakePace: Equatable {
    private struct Reading: Equatable {
        let at: Instant
        let items: ReceivedItems
    }

    /// Items per second.
    struct Rates: Equatable {
        let received: Double
        let accepted: Double
        let duplicates: Double
        let rejected: Double
    }

    /// The oldest first.
    private var readings: [Reading] = []

    /// The shortest time that a rate covers, so that a single batch does not make it jump.
    private static let spread = Span.seconds(6)
    private static let mostReadings = 240

    mutating func note(_ items: ReceivedItems, at now: Instant) {
        // Counters only grow: a smaller one means another database, or a clock that was set back.
        if let last = readings.last, items.received < last.items.received || now <= last.at { readings = [] }
        readings.append(Reading(at: now, items: items))
        if readings.count > Self.mostReadings { readings.removeFirst() }
    }

    /// The current rates; `nil` until there are two readings.
    var rates: Rates? {
        guard let last = readings.last,
            let earlier = readings.last(where: { last.at - $0.at >= Self.spread }) ?? readings.first,
            earlier.at < last.at
        else { return nil }
        let seconds = Double((last.at - earlier.at).milliseconds) / 1_000
        func rate(_ count: KeyPath<ReceivedItems, Int64>) -> Double {
            Double(last.items[keyPath: count] - earlier.items[keyPath: count]) / seconds
        }
        return Rates(
            received: rate(\.received), accepted: rate(\.accepted), duplicates: rate(\.duplicates),
            rejected: rate(\.rejected))
    }

    /// The items received between successive readings, the newest last.
    var steps: [Int64] { zip(readings, readings.dropFirst()).map { $1.items.received - $0.items.received } }

    /// The time that the readings cover.
    var memory: Span? {
        guard let first = readings.first, let last = readings.last, first.at < last.at else { return nil }
        return last.at - first.at
    }
}
