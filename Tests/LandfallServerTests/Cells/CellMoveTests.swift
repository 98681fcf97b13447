import Access
import AppMove
import DeliveryModel
import Foundation
import HTTPTypes
import PostgresClient
import Reports
import Synchronization
import TestDatabase
import Testing

@testable import LandfallServer

/// A server with two cells, one of whose apps moves.
@Suite(.databaseForLong, .oneCell("makes its own cells"), .timeLimit(.minutes(40)))
struct CellMoveTests {
    /// The ids of notifications whose post was acknowledged.
    private final class Posted: Sendable {
        let acknowledged = Mutex<Set<UUID>>([])
        let hasEnded = Mutex(false)
    }

    /// Posts until it may end, each event until it is acknowledged.
    private func post(as client: Int, to server: TestServer, _ posted: Posted) async throws {
        var number = client * 100_000
        while !posted.hasEnded.withLock({ $0 }) {
            number += 1
            while true {
                let response = try await server.post(acceptedPush(number))
                if response.status == 200 { break }
                #expect(response.status == 503 && response.code == "app_moving")
                #expect(response.headers[.retryAfter] == "5")
                try await Task.sleep(for: .milliseconds(20))
            }
            let id = try #require(UUID(uuidString: notificationID(number)))
            posted.acknowledged.withLock { _ = $0.insert(id) }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test("what is acknowledged while an app moves is recorded once, and other apps notice nothing")
    func posted() async throws {
        try await CellServer.run { cells async throws in
            let (posted, app) = (Posted(), cells.shop.app)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 1...4 {
                    group.addTask { try await post(as: client, to: cells.shop, posted) }
                }
                group.addTask {
                    for number in 1...200 {
                        #expect(try await cells.news.post(acceptedPush(number)).status == 200)
                        try await Task.sleep(for: .milliseconds(10))
                    }
                }
                while posted.acknowledged.withLock({ $0.count < 10 }) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await Task { try Self.move(app).apply() }.value
                // The server remembers keys for five seconds.
                try await Task.sleep(for: .seconds(7))
                posted.hasEnded.withLock { $0 = true }
                try await group.waitForAll()
            }
            let recorded = try CellServer.connect().query(
                SQLFile(
                    name: "test/recorded",
                    text: "SELECT notification_id FROM landfall.delivery WHERE app_id = $1"),
                [.value(app.appID)]
            ).column(0, as: UUID.self)
            let acknowledged = posted.acknowledged.withLock { $0 }
            #expect(recorded.count == acknowledged.count)
            #expect(Set(recorded) == acknowledged)
            // Some were recorded before the move, and some in the other cell.
            let known = try await TestDatabase.current.count(
                "SELECT count(*) FROM landfall.delivery WHERE app_id = $1", [.value(app.appID)])
            #expect(known > 0 && known < recorded.count)
            try Self.move(app).confirm()
            for connection in [try TestDatabase.current.connect(), try CellServer.connect()] {
                #expect(try Verification.run(on: connection).differences.isEmpty)
            }
            #expect(try await cells.shop.post(acceptedPush(7)).status == 200)
        }
    }

    @Test("readers whose keys are remembered get the app's rows, although its former cell has none")
    func read() async throws {
        try await CellServer.run { cells async throws in
            let (shop, app) = (cells.shop, cells.shop.app)
            let directory = AppDirectory(try TestDatabase.current.connect())
            let others = try [APIKey.Kind.server, .device].map {
                ($0, try directory.createKey(kind: $0, for: app, at: .now).text)
            }
            let other = shop.with(keys: Dictionary(uniqueKeysWithValues: others), app: app)
            #expect(try await shop.put(UUID(), registration(tokenValue(1))).status == 200)
            #expect(try await shop.post(acceptedPush(2)).status == 200)
            func report() async throws -> Response {
                try await shop.send(.get, "/v1/reports/funnel?from=2d&campaign=spring", as: .report)
            }
            let accepted = try Regex(#""accepted": ?1\b"#)
            // From here on, the server remembers these keys, except that of the other device.
            let values = try await shop.tokens().tokens.map(\.value)
            #expect(values.contains(tokenValue(1)))
            #expect(try await other.send(.get, "/v1/token-changes", as: .server).status == 200)
            #expect(try await report().text.contains(accepted))

            try await Task {
                try Self.move(app).apply()
                try Self.move(app).confirm()
            }.value
            #expect(try await other.put(UUID(), registration(tokenValue(9))).status == 200)
            let last = try CellServer.count(
                "SELECT max(transition_id) FROM landfall.token_transition WHERE app_id = \(app.appID)")
            // The former cell has no such transition.
            let changes = try await other.send(.get, "/v1/token-changes?after=\(last)", as: .server)
            #expect(changes.status == 200, "\(changes.text)")
            #expect(try await shop.tokens().tokens.map(\.value) == values + [tokenValue(9)])
            #expect(try await report().text.contains(accepted))
        }
    }

    @Test("a reader that waits while its app moves gets the next change from the other cell")
    func waiting() async throws {
        try await CellServer.run { cells async throws in
            let (shop, app) = (cells.shop, cells.shop.app)
            let directory = AppDirectory(try TestDatabase.current.connect())
            let key = try directory.createKey(kind: .device, for: app, at: .now).text
            // The server does not remember this key when the app has moved.
            let other = shop.with(keys: [.device: key], app: app)
            #expect(try await shop.put(UUID(), registration(tokenValue(1))).status == 200)
            let last = try await shop.changes().nextAfter
            async let waited = shop.send(.get, "/v1/token-changes?after=\(last)&wait=60", as: .server)
            try await Task {
                try Self.move(app).apply()
                try Self.move(app).confirm()
            }.value
            #expect(try await other.put(UUID(), registration(tokenValue(9))).status == 200)
            let page = try await waited.document(ChangePage.self)
            #expect(page.changes.map(\.value) == [tokenValue(9)])
        }
    }

    private static func move(_ app: App) throws -> AppMove {
        let one = try #require(CellNumber(1))
        let front = try TestDatabase.current.connect(preparesStatements: false)
        let target = try PostgresConnection(
            url: TestDatabase.current.url, schema: try #require(CellServer.schema), preparesStatements: false)
        return AppMove(app, from: .init(.front, front), to: .init(one, target), front: front)
    }
}
