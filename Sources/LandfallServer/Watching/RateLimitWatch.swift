internal import DeliveryModel
internal import Instants
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle

/// Records twice a minute, for the doctor, how many requests this server rejected with 429.
struct RateLimitWatch: Service {
    private let pool: PostgresPool
    private let rejections: RateLimitRejections
    private let source: String
    private let logger: Logger

    init(_ backend: Backend, logger: Logger) {
        pool = backend.pool
        rejections = backend.metrics.rateLimits
        source = backend.name
        self.logger = logger
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            var episode = RateLimitEpisode()
            while !Task.isCancelled {
                await look(&episode)
                // If canceled, the loop ends.
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    func look(_ episode: inout RateLimitEpisode) async {
        episode.add(rejections.take(), at: .now)
        guard episode.isChanged else { return }
        let counts = episode.counts
        do {
            try await pool.withConnection { [source] connection in
                try connection.note(.rateLimited, from: source, counts)
            }
            episode.isChanged = false
        } catch {
            logger.debug("rejected requests could not be recorded yet", metadata: ["error": "\(error)"])
        }
    }
}

/// Rejections with no hour without any between them.
struct RateLimitEpisode {
    private(set) var counts = RateLimitedRequests()
    /// Whether there are rejections that are not recorded.
    var isChanged = false
    private var latest = ContinuousClock.now

    mutating func add(_ new: RateLimitedRequests, at now: ContinuousClock.Instant) {
        guard new.total > 0 else { return }
        if latest.duration(to: now) > .seconds(3_600) { counts = RateLimitedRequests() }
        latest = now
        counts = counts + new
        isChanged = true
    }
}
