/// The repeats of events within a minute. A client that got no response repeats its event, which costs nothing; but a client
/// that repeats one event again and again pays, although that event is a true one.
///
/// Events are counted by hash in a table of fixed size. Two that share a place share its count: then a repeat may pay, and nothing
/// else happens.
struct RecentRepeats: Sendable {
    static let freePerMinute: UInt8 = 3

    private var counts: [UInt8]
    private var since: ContinuousClock.Instant

    init(places: Int = 65_536, at now: ContinuousClock.Instant) {
        counts = [UInt8](repeating: 0, count: places)
        since = now
    }

    /// Counts a repeat. Returns whether it is free.
    mutating func isFree(_ hash: Int, at now: ContinuousClock.Instant) -> Bool {
        if since.duration(to: now) >= .seconds(60) {
            since = now
            for place in counts.indices { counts[place] = 0 }
        }
        let place = Int(UInt(bitPattern: hash) % UInt(counts.count))
        guard counts[place] < Self.freePerMinute else { return false }
        counts[place] += 1
        return true
    }
}
