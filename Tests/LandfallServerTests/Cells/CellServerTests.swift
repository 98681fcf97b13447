import Access
import DeliveryModel
import FaultProxy
import Foundation
import HTTPTypes
import Logging
import PostgresClient
import Synchronization
import TestDatabase
import Testing

@testable import LandfallServer

/// A server with two cells.
@Suite(.databaseForLong, .oneCell("makes its own cells"), .timeLimit(.minutes(40)))
struct CellServerTests {
    private static let deliveries = "SELECT count(*) FROM landfall.delivery"

    @Test("each app is served from its cell, and neither cell knows of the other's")
    func both() async throws {
        try await CellServer.run { cells async throws in
            let phone = UUID()
            for (server, count) in [(cells.shop, 2), (cells.news, 3)] {
                #expect(
                    try await server.post("[\((1...count).map(acceptedPush).joined(separator: ","))]")
                        .counts == [count, 0, 0])
                let arrival = #"{"type":"arrival","notification_id":"\#(notificationID(1))"}"#
                #expect(try await server.post(arrival, as: .device).counts == [1, 0, 0])
                #expect(try await server.put(phone, registration(tokenValue(1))).status == 200)
                let tokens = try await server.send(.get, "/v1/tokens", as: .server)
                #expect(tokens.status == 200 && tokens.text.contains(tokenValue(1)))
                #expect(try await server.send(.get, "/v1/token-changes", as: .server).status == 200)
                let report = try await server.send(
                    .get, "/v1/reports/funnel?from=2d&campaign=spring", as: .report)
                let accepted = try Regex(#""accepted": ?\#(count)\b"#)
                #expect(report.status == 200 && report.text.contains(accepted))
                #expect(try await server.logOut(phone).status == 204)
                #expect(try await server.send(.delete, "/v1/devices/\(phone)", as: .server).status == 200)
            }
        }
        #expect(try await TestDatabase.current.count(Self.deliveries) == 2)
        #expect(try CellServer.count(Self.deliveries) == 3)
        #expect(
            try await TestDatabase.current.count("SELECT count(*) FROM landfall.app WHERE slug = 'news'") == 0
        )
    }

    @Test("cell 0 learns from a server which ids the others give")
    func ranges() async throws {
        try await CellServer.run { cells async throws in
            try await TestDatabase.current.execute("DELETE FROM landfall.id_range")
            let backend = try await Backend.open(
                CellServer.configuration(ofCellOne: TestDatabase.current.url), tokenKey: testTokenKey,
                logger: cells.logger)
            try await backend.close()
            let cell = "SELECT cell::bigint FROM landfall.id_range WHERE number = 1"
            #expect(try await TestDatabase.current.count(cell) == 1)
        }
    }

    @Test("an app that a restored cell has again is served where it has moved to")
    func olderCopy() async throws {
        try await CellServer.run { cells async throws in
            try await TestDatabase.current.pool.withConnection {
                try $0.execute(
                    script: SQLFile(
                        name: "test/moved",
                        text: """
                            INSERT INTO landfall.app (app_id, slug, created_at, generation) OVERRIDING SYSTEM VALUE
                            SELECT app_id, slug, created_at, 1 FROM cell_1.app;
                            INSERT INTO landfall.api_key OVERRIDING SYSTEM VALUE
                            SELECT * FROM cell_1.api_key WHERE sealed_key IS NULL;
                            DELETE FROM landfall.app_cell;
                            """))
            }
            let lines = Mutex("")
            let logger = Logger(label: "test") { label in
                LineLogHandler(label: label, isJSON: false) { line in lines.withLock { $0 += line } }
            }
            let backend = try await Backend.open(
                CellServer.configuration(ofCellOne: TestDatabase.current.url), tokenKey: testTokenKey,
                logger: logger)
            try await backend.close()
            let log = lines.withLock { $0 }
            #expect(log.contains("the app news is in cell 0, and an older copy, from a backup, is refused"))
            #expect(try await cells.news.post(acceptedPush(1)).status == 200)
        }
        #expect(try await TestDatabase.current.count(Self.deliveries) == 1)
        #expect(try CellServer.count(Self.deliveries) == 0)
    }

    @Test("the key of one cell does not work as one of the other")
    func keys() async throws {
        try await CellServer.run { cells async throws in
            let news = try #require(cells.news.keys[.server])
            #expect(news.hasPrefix("lf_server_c1_"))
            let elsewhere = news.replacing("_c1_", with: "_")
            let unknown = news.replacing("_c1_", with: "_c7_")
            for (key, status) in [(news, 200), (elsewhere, 401), (unknown, 503), ("lf_server_c1_x", 401)] {
                let response = try await cells.shop.send(
                    .post, "/v1/events", Array(acceptedPush(1).utf8), as: nil,
                    headers: [.authorization: "Bearer \(key)"])
                #expect(response.status == status, "\(key.prefix(14))")
            }
        }
    }

    @Test("while the database of a cell is away, its apps get 503 and the others are served")
    func away() async throws {
        try await CellServer.run { cells async throws in
            for server in [cells.shop, cells.news] {
                #expect(try await server.post(acceptedPush(1)).status == 200)
            }
            let ready = try await cells.shop.send(.get, "/readyz", as: nil).text
            #expect(
                ready
                    == #"{"status":"ready","cells":[{"cell":0,"status":"ready"},"#
                    + #"{"cell":1,"status":"ready"}]}"#)

            cells.proxy.refuse()
            let away = try await cells.news.post(acceptedPush(2))
            #expect(away.status == 503 && away.code == "database_unavailable")
            #expect(away.headers[.retryAfter] != nil)
            #expect(try await cells.news.put(UUID(), registration(tokenValue(2))).status == 503)
            #expect(try await cells.news.send(.get, "/v1/reports/funnel", as: .report).status == 503)
            for number in 2...20 { #expect(try await cells.shop.post(acceptedPush(number)).status == 200) }
            while try await cells.status(of: 1) != "database_unavailable" {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await cells.status(of: 0) == "ready")
            #expect(try await cells.shop.send(.get, "/readyz", as: nil).status == 200)
            #expect(try await cells.shop.send(.get, "/readyz?cell=0", as: nil).text == #"{"status":"ready"}"#)
            #expect(try await cells.shop.send(.get, "/readyz?cell=1", as: nil).status == 503)

            try cells.proxy.accept()
            try await cells.postUntilRecorded(acceptedPush(2))
            while try await cells.status(of: 1) != "ready" { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(try await TestDatabase.current.count(Self.deliveries) == 20)
        #expect(try CellServer.count(Self.deliveries) == 2)
    }

    /// Statements wait long for a database that stalls, so what ends before them has not waited for them.
    private static let patience: @Sendable (inout ServerConfiguration) -> Void = {
        ($0.statementTimeout, $0.workTimeout) = (.seconds(120), .seconds(120))
    }

    @Test("a database that stalls delays no app of another cell")
    func stalls() async throws {
        try await CellServer.run(configure: Self.patience) { cells async throws in
            for server in [cells.shop, cells.news] {
                #expect(try await server.post(acceptedPush(1)).status == 200)
            }
            cells.proxy.stall()
            let hasEnded = Atomic(false)
            async let stalled = {
                defer { hasEnded.store(true, ordering: .relaxed) }
                return try await cells.news.post(acceptedPush(2))
            }()
            // A key that the server has to look up there.
            async let unseen = cells.news.send(
                .get, "/v1/tokens", as: nil, headers: [.authorization: "Bearer lf_server_c1_\(Self.secret)"])
            #expect(try await cells.shop.post(acceptedPush(2)).status == 200)
            let hasWaited = hasEnded.load(ordering: .relaxed)
            #expect(!hasWaited)
            for number in 3...20 { #expect(try await cells.shop.post(acceptedPush(number)).status == 200) }
            #expect(try await cells.status(of: 0) == "ready")
            cells.proxy.resume()
            _ = try await (stalled, unseen)
        }
    }

    @Test("requests to a database that stalls end with 503, and are recorded when it goes on")
    func stallsLong() async throws {
        try await CellServer.run { cells async throws in
            #expect(try await cells.news.post(acceptedPush(1)).status == 200)
            cells.proxy.stall()
            async let stalled = cells.news.post(acceptedPush(2))
            async let unseen = cells.news.send(
                .get, "/v1/tokens", as: nil, headers: [.authorization: "Bearer lf_server_c1_\(Self.secret)"])
            #expect(try await stalled.status == 503)
            #expect(try await unseen.status == 503)
            cells.proxy.resume()
            try await cells.postUntilRecorded(acceptedPush(2))
        }
        #expect(try CellServer.count(Self.deliveries) == 2)
    }

    private static let secret = String(repeating: "x", count: 43)

    @Test("a database that stalls delays neither /readyz nor preflights of other cells' apps")
    func stallsForAll() async throws {
        try await CellServer.run(configure: Self.patience) { cells async throws in
            try await TestDatabase.current.pool.withConnection {
                try AppDirectory($0).set(
                    .named("cors_origins"), to: "https://shop.example", of: cells.shop.app)
            }
            var headers: HTTPFields = [.origin: "https://shop.example"]
            headers[.accessControlRequestMethod] = "POST"
            #expect(try await cells.status(of: 1) == "ready")
            cells.proxy.stall()
            // What was known of the cell is too old.
            try await Task.sleep(for: .seconds(4))
            let hasEnded = Atomic(false)
            async let stalled = {
                defer { hasEnded.store(true, ordering: .relaxed) }
                return try await cells.news.post(acceptedPush(2))
            }()
            var preflight = try await cells.shop.send(.options, "/v1/events", as: nil, headers: headers)
            // On a busy machine, even cell 0 may not respond in time.
            while preflight.status == 503, !hasEnded.load(ordering: .relaxed) {
                preflight = try await cells.shop.send(.options, "/v1/events", as: nil, headers: headers)
            }
            #expect(preflight.status == 204)
            let hasWaited = hasEnded.load(ordering: .relaxed)
            #expect(!hasWaited)
            #expect(try await cells.status(of: 1) == "database_unavailable")
            #expect(try await cells.status(of: 0) == "ready")
            cells.proxy.resume()
            _ = try await stalled
            while try await cells.status(of: 1) != "ready" { try await Task.sleep(for: .milliseconds(50)) }
        }
    }

    @Test("a server starts without a further cell, and opens it once its database is back")
    func opensLater() async throws {
        try await CellServer.run(isAway: true) { cells async throws in
            #expect(try await cells.shop.post(acceptedPush(1)).status == 200)
            let away = try await cells.news.post(acceptedPush(1))
            #expect(away.status == 503 && away.code == "database_unavailable")
            #expect(try await cells.status(of: 1) == "database_unavailable")
            #expect(try await cells.shop.send(.get, "/readyz?cell=1", as: nil).status == 503)
            let place = try #require(cells.backend.cells.others.first)
            #expect(place.cell == nil)

            let late = LateCell(place: place, pause: .milliseconds(20), logger: cells.logger) { _ in [] }
            async let opened: Void = late.run()
            try cells.proxy.accept()
            try await opened
            #expect(place.cell != nil)
            try await cells.postUntilRecorded(acceptedPush(1))
            // On a busy machine, the database may not respond within the time that /readyz gives it.
            while try await cells.status(of: 1) != "ready" { try await Task.sleep(for: .milliseconds(50)) }
        }
    }

    @Test("keys of a cell that is not open count, and are served once it is")
    func notOpen() async throws {
        let limit = RateLimit(perSecond: 0.001, burst: 2)
        try await CellServer.run(isAway: true, configure: { $0.limits.failedAuthentications = limit }) {
            cells async throws in
            for status in [503, 503, 429, 429] {
                #expect(try await cells.news.post(acceptedPush(1)).status == status)
            }
            // Others at the same address are not locked out, whether their keys were seen before or not.
            #expect(try await cells.shop.post(acceptedPush(1)).status == 200)
            try cells.proxy.accept()
            let place = try #require(cells.backend.cells.others.first)
            while place.cell == nil {
                _ = try? await place.tryToOpen()
                try await Task.sleep(for: .milliseconds(20))
            }
            try await cells.postUntilRecorded(acceptedPush(1))
        }
    }

    @Test("a database that rejects the server is left for later, as one that is away")
    func rejects() async throws {
        try await CellServer.run { cells async throws in
            let missing = cells.proxy.url(database: "missing_\(TestDatabase.current.name)")
            let backend = try await Backend.open(
                CellServer.configuration(ofCellOne: missing), tokenKey: testTokenKey, logger: cells.logger)
            let place = try #require(backend.cells.others.first)
            #expect(place.cell == nil)
            await #expect(throws: PostgresError.self) {
                // The attempt of the start may still be under way.
                while try await place.tryToOpen() == nil { try await Task.sleep(for: .milliseconds(20)) }
            }
            try await backend.close()
        }
    }

    @Test("preflights find the origins of each cell, also while one is away")
    func origins() async throws {
        try await CellServer.run { cells async throws in
            try await TestDatabase.current.pool.withConnection {
                try AppDirectory($0).set(
                    .named("cors_origins"), to: "https://shop.example", of: cells.shop.app)
            }
            try AppDirectory(CellServer.connect()).set(
                .named("cors_origins"), to: "https://news.example", of: cells.news.app)
            func preflight(_ origin: String) async throws -> Int {
                var headers: HTTPFields = [.origin: origin]
                headers[.accessControlRequestMethod] = "POST"
                return try await cells.shop.send(.options, "/v1/events", as: nil, headers: headers).status
            }
            #expect(try await preflight("https://shop.example") == 204)
            #expect(try await preflight("https://news.example") == 204)
            #expect(try await preflight("https://other.example") == 403)
            cells.proxy.refuse()
            #expect(try await preflight("https://shop.example") == 204)
        }
    }

    // MARK: - Wrong settings

    private func open(_ schema: String, number: Int) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let configuration = try CellServer.configuration(
            ofCellOne: TestDatabase.current.url, schema: SchemaName(schema), number: number)
        try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger).close()
    }

    @Test("a schema of another cell, and one that was never added, stop the start")
    func wrongCells() async throws {
        try await CellServer.run { _ in }
        try await open("cell_1", number: 1)
        await #expect(
            throws: ServeError.wrongCell(
                "this schema is cell 1's, but database.cells lists it as cell 2: correct the number")
        ) { try await open("cell_1", number: 2) }
        await #expect(
            throws: ServeError.wrongCell("cell 3 was never added: landfall cell add 3 …")
        ) { try await open("mis_typed", number: 3) }
        #expect(
            try await TestDatabase.current.count(
                "SELECT count(*) FROM pg_namespace WHERE nspname = 'mis_typed'") == 0)
    }

    // MARK: - One cell

    @Test("with one cell, /readyz and the metrics name none")
    func one() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.post(acceptedPush(1)).status == 200)
            #expect(try await server.send(.get, "/readyz", as: nil).text == #"{"status":"ready"}"#)
            let unknown = try await server.send(.get, "/readyz?cell=1", as: nil)
            #expect(unknown.status == 404)
            #expect(unknown.detail == "there is no cell 1: use one of 0")
            let metrics = try await server.send(.get, "/metrics", as: nil).text
            #expect(metrics.contains("\nlandfall_queue_events 0\n") && !metrics.contains("cell="))
        }
    }

    @Test("with several cells, the metrics of databases name theirs, and others are sums")
    func metrics() async throws {
        try await CellServer.run { cells async throws in
            for server in [cells.shop, cells.news, cells.news] {
                #expect(try await server.post(acceptedPush(1)).status == 200)
            }
            let metrics = try await cells.shop.send(.get, "/metrics", as: nil).text
            for line in [
                #"landfall_batch_events_count{cell="0"} 1"#, #"landfall_batch_events_count{cell="1"} 2"#,
                #"landfall_queue_events{cell="1"} 0"#, #"landfall_breaker_open{cell="0"} 0"#,
                #"landfall_quarantine_items{cell="1",key="device"} 0"#, "landfall_events_received_total 3",
            ] {
                #expect(metrics.contains("\n\(line)\n"), "\(line)")
            }
            #expect(metrics.contains(#"landfall_database_connections{cell="1",pool="keys",state="idle"}"#))
        }
    }
}
