import DeliveryModel
import Reports
import TestDatabase
import Testing

@testable import Dashboards

@Suite("The reader of landfall watch", .database) struct WatchReaderTests {
    @Test("continues with the day if tokens cannot be counted, and is slow to count them again")
    func uncountable() async throws {
        let database = TestDatabase.current
        try await database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await database.execute("ALTER TABLE landfall.token RENAME TO uncountable")
        let reader = WatchReader(
            pool: database.pool, app: App(appID: firstApp, slug: "shop"), timeZone: .utc,
            pause: .milliseconds(1),
            start: .now, healthPause: .seconds(86_400))
        let (news, continuation) = AsyncStream.makeStream(of: WatchNews.self)
        let reading = Task { await reader.run { continuation.yield($0) } }
        var (days, failures) = (0, 0)
        for await item in news {
            switch item {
            case .day: days += 1
            case .healthTrouble: failures += 1
            case .health: Issue.record("there is nothing to count")
            case .trouble(let reason, _): Issue.record("the day was counted: \(reason)")
            }
            if days == 4 { break }
        }
        reading.cancel()
        await reading.value
        #expect(failures == 1)
    }
}
