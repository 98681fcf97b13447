import Logging
import PostgresClient
import PrometheusMetrics
import TestDatabase
import Testing

@testable import LandfallServer

@Suite(.database) struct GaugeWatchTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("the metric says how many breakers are open, and keeps saying so while the database is unavailable")
    func metric() async throws {
        let metrics = ServerMetrics()
        let ofCell = metrics.of(nil)
        let watch = GaugeWatch(pool: TestDatabase.current.pool, metrics: ofCell, logger: logger)
        #expect(await watch.look(knownOpen: 0) == 0)
        #expect(metrics.factory.render().contains("\nlandfall_breaker_open 0\n"))
        try await TestDatabase.current.execute(
            """
            INSERT INTO landfall.token_breaker (app_id, environment, topic, opened_at)
            VALUES (1, 'production', 'a', now()), (2, 'production', 'a', now()), (2, 'production', 'b', NULL)
            """)
        #expect(await watch.look(knownOpen: 0) == 2)
        #expect(metrics.factory.render().contains("\nlandfall_breaker_open 2\n"))
        let away = PostgresPool(.init(url: "host=/nonexistent", size: 1), logger: logger)
        #expect(await GaugeWatch(pool: away, metrics: ofCell, logger: logger).look(knownOpen: 2) == 2)
        #expect(metrics.factory.render().contains("\nlandfall_breaker_open 2\n"))
        try await away.close()
    }
}
