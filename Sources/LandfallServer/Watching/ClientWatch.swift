internal import Doctor
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle

/// Records, twice a minute and for the doctor, trouble with clients' requests that an operator should know
/// of: connections beyond the limit of an address, server keys in pages, requests without a credential,
/// requests rejected with 429, and statements that took too long.
struct ClientWatch: Service {
    let backend: Backend
    let logger: Logger

    func run() async {
        await every(.seconds(30), from: Seen()) { await look(&$0) }
    }

    /// What is known from earlier looks.
    struct Seen {
        var closed: Int64 = 0
        var rateLimited = Episode<RateLimitedRequests>()
        var slow = Episode<SlowStatementCounts>()
    }

    func look(_ seen: inout Seen) async {
        let (metrics, source) = (backend.metrics, backend.name)
        let closed = metrics.connections.closedFromAddress - seen.closed
        let keys = metrics.browsers.takeKeysInPages()
        let rejected = metrics.registrations.takeRejected()
        seen.closed += closed
        seen.rateLimited.add(metrics.rateLimits.take(), at: .now)
        seen.slow.add(metrics.statementTimeouts.take(), at: .now)
        let slow = seen.slow.isChanged ? seen.slow.counts : nil
        let limited = seen.rateLimited.isChanged ? seen.rateLimited.counts : nil
        guard closed > 0 || keys != nil || rejected > 0 || limited != nil || slow != nil else { return }
        let recorded: Void? = await logger.attempt("what clients did could not be recorded for the doctor") {
            try await backend.front.pool.withConnection { connection in
                if closed > 0 {
                    try connection.note(.crowdedAddress, from: source, CrowdedAddresses(closed: closed))
                }
                if rejected > 0 {
                    try connection.note(
                        .credentialsMissing, from: source, RequestsWithoutCredential(count: rejected))
                }
                if let keys { try connection.note(.keyInBrowser, from: source, keys) }
                if let limited { try connection.note(.rateLimited, from: source, limited) }
                if let slow { try connection.note(.slowStatements, from: source, slow) }
            }
        }
        guard recorded != nil else { return }
        seen.rateLimited.isChanged = false
        seen.slow.isChanged = false
    }
}

/// Counts of an event since the last hour without one.
struct Episode<Counts: EpisodeCounts> {
    private(set) var counts = Counts()
    /// Whether some counts are not recorded yet.
    var isChanged = false
    private var latest = ContinuousClock.now

    mutating func add(_ new: Counts, at now: ContinuousClock.Instant) {
        guard new.total > 0 else { return }
        if latest.duration(to: now) > .seconds(3_600) { counts = Counts() }
        latest = now
        counts = counts + new
        isChanged = true
    }
}

protocol EpisodeCounts: Sendable {
    init()
    var total: Int { get }
    static func + (left: Self, right: Self) -> Self
}

extension RateLimitedRequests: EpisodeCounts {}
extension SlowStatementCounts: EpisodeCounts {}
