import Access
import Doctor
import Logging
import PostgresClient
import PrometheusMetrics
import TestDatabase
import Testing

@testable import LandfallServer

/// Rejections reach the doctor and `/metrics`.
@Suite(.database) struct EpisodeTests {
    @Test("rejections are counted by kind of key, and recorded until an hour without any")
    func recorded() async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        let watch = ClientWatch(backend: backend, logger: logger)
        let rejections = backend.metrics.rateLimits
        var seen = ClientWatch.Seen()
        func recorded() async throws -> [RateLimitedRequests] {
            try await TestDatabase.current.front.pool.withConnection { connection in
                try connection.conditions(.rateLimited, as: RateLimitedRequests.self).map(\.detail)
            }
        }
        await watch.look(&seen)
        #expect(try await recorded() == [])
        for _ in 0..<3 { rejections.count(.device) }
        await watch.look(&seen)
        rejections.count(nil)
        rejections.count(.server)
        await watch.look(&seen)
        let counts = try await recorded()
        #expect(counts.map(\.device) == [3])
        #expect(counts.map(\.total) == [5])
        let metrics = backend.metrics.factory.render()
        #expect(metrics.contains(#"landfall_rate_limited_total{key="device"} 3"#))
        #expect(metrics.contains(#"landfall_rate_limited_total{key="none"} 1"#))
        try await backend.close()
    }

    @Test("after an hour without rejections the count starts again")
    func episodes() {
        var (episode, one) = (Episode<RateLimitedRequests>(), RateLimitedRequests())
        one.device = 1
        let start = ContinuousClock.now
        for minutes in [0, 50, 100] {
            episode.add(one, at: start + .seconds(60 * minutes))
        }
        #expect(episode.counts.device == 3)
        episode.add(RateLimitedRequests(), at: start + .seconds(60 * 200))
        #expect(episode.counts.device == 3)
        episode.add(one, at: start + .seconds(60 * 200))
        #expect(episode.counts.device == 1)
    }
}
