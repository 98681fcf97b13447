public import DeliveryModel
internal import Foundation

/// The app of a story, how far back it goes, and its maximum length.
public struct StoryScope: Hashable, Sendable {
    public let app: App
    public let clock: StoryClock
    /// Earlier pushes are not searched for: no index leads from a token to its pushes.
    public let pushesSince: Instant
    /// The maximum number of pushes, and of rows of the ledger; the newest are kept.
    public let limit: Int64
    /// Only their pushes are listed; empty if all are. The empty string means pushes that name no sender.
    public let senders: [String]

    public init(
        app: App, clock: StoryClock, pushesSince: Instant, limit: Int64 = 30, senders: [String] = []
    ) {
        self.app = app
        self.clock = clock
        self.pushesSince = pushesSince
        self.limit = limit
        self.senders = senders.map(\.canonicalName)
    }
}

/// Formats instants: in local time of a time zone, and relative to now.
public struct StoryClock: Hashable, Sendable {
    public let timeZone: ReportTimeZone
    public let now: Instant

    public init(timeZone: ReportTimeZone, now: Instant) {
        self.timeZone = timeZone
        self.now = now
    }

    /// `2026-03-01 09:30:15`, local time.
    public func local(_ instant: Instant) -> String {
        let clock = LocalTime(instant, utcOffsetMinutes: timeZone.utcOffsetMinutes(at: instant)).clock
        return "\(clock.prefix(10)) \(clock.dropFirst(11).prefix(8))"
    }

    /// `3 days ago`, `in 2 h`, `now`: only the greatest unit.
    public func relative(_ instant: Instant) -> String {
        let span = now - instant
        if span.milliseconds.magnitude < 1_000 { return "now" }
        return span.milliseconds > 0 ? "\(span.roughWords) ago" : "in \(span.roughWords)"
    }

    /// `2026-03-01 09:30:15 (3 days ago)`.
    public func localAndRelative(_ instant: Instant) -> String {
        "\(local(instant)) (\(relative(instant)))"
    }

    /// RFC 3339 in local time, for documents.
    func document(_ instant: Instant?) -> JSONValue {
        .optional(instant.map(timeZone.rfc3339))
    }
}

/// Readable names of tokens and installations that evidence names by number. Others stay numbers.
public struct StoryNames: Hashable, Sendable {
    var devices: [Int64: UUID] = [:]
    var fingerprints: [Int64: String] = [:]

    /// `device 6f9619ff-…`.
    public func device(_ installationID: Int64) -> String {
        devices[installationID].map { "device \($0.text)" }
            ?? "installation \(installationID)"
    }

    /// `#12 (3fa9c1d2e4b5)`.
    public func token(_ tokenID: Int64) -> String {
        fingerprints[tokenID].map { "#\(tokenID) (\($0.prefix(TokenProfile.shownDigits)))" } ?? "#\(tokenID)"
    }
}
