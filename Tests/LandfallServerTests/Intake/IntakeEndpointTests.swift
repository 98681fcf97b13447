import Access
import DeliveryModel
import Foundation
import HTTPTypes
import Ingestion
import LandfallServer
import PostgresClient
import Presets
import Reports
import SQLFiles
import TestDatabase
import Testing

/// `/v1/intake/{preset}`, mostly with the preset whose body is one item in Landfall's own form.
@Suite("Posts of other senders", .database) struct IntakeEndpointTests {
    private static let path = "/v1/intake/onesignal"

    private func response(_ number: Int) -> [UInt8] {
        Array(
            """
            {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
            "token":"\(tokenValue(number))","topic":"com.example.shop"}
            """.utf8)
    }

    private func count(_ table: String) async throws -> Int64 {
        try await TestDatabase.current.count("SELECT count(*) FROM landfall.\(table)")
    }

    @Test("what is recorded, what was recorded before and what is rejected all get 200, and the books add up")
    func books() async throws {
        try await TestServer.run { server async throws in
            let bodies = [
                response(1), response(1), Array(#"{"type":"teleport"}"#.utf8), Array("token=abc".utf8), [],
            ]
            for body in bodies {
                let response = try await server.send(.post, Self.path, body, as: .server)
                #expect(response.status == 200, "\(response.text)")
            }
        }
        #expect(try await count("delivery") == 1)
        let received = try await TestDatabase.current.pool.withConnection { connection in
            let row = try connection.query(
                SQLFile(
                    name: "intake",
                    text: """
                        SELECT sum(received)::bigint AS received, sum(accepted)::bigint AS accepted,
                               sum(duplicates)::bigint AS duplicates, sum(rejected)::bigint AS rejected
                        FROM landfall.intake_rollup
                        """)
            ).single()
            return try ["received", "accepted", "duplicates", "rejected"].map {
                try row.get($0, as: Int64.self)
            }
        }
        #expect(received == [5, 1, 1, 3])
        #expect(try await count("quarantined_item") == 3)
        let verification = try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    @Test("a body that a preset does not understand is in quarantine under its name, each text once")
    func unread() async throws {
        try await TestServer.run { server async throws in
            for _ in 0..<2 {
                let response = try await server.send(.post, Self.path, Array("token=abc".utf8), as: .server)
                #expect(response.status == 200)
            }
            let appID = server.app.appID
            let items = try await TestDatabase.current.pool.withConnection {
                try QuarantineStock(appID: appID, on: $0).newest(
                    QuarantineFilter(), limit: 9, withText: false)
            }
            #expect(items.map(\.preset) == ["onesignal"])
            #expect(items.allSatisfy { !$0.detail.contains("abc") && $0.poster == .server })
        }
    }

    @Test("a gzip body is unpacked; a larger one than the limit gets 413, and nothing of it is recorded")
    func bodies() async throws {
        try await TestServer.run(configure: { $0.limits.bodyBytes = 1_000 }) { server async throws in
            let packed = try Gzip.packed(response(1))
            let gzip = try await server.send(
                .post, Self.path, packed, as: .server, headers: [.contentEncoding: "gzip"])
            #expect(gzip.status == 200)
            let large = try await server.send(
                .post, Self.path, [UInt8](repeating: 0x20, count: 1_001), as: .server)
            #expect(large.status == 413 && large.code == "body_too_large")
            let other = try await server.send(
                .post, Self.path, packed, as: .server, headers: [.contentEncoding: "br"])
            #expect(other.status == 415)
        }
        #expect(try await count("delivery") == 1)
        #expect(try await count("quarantined_item") == 0)
    }

    @Test("a malformed line is in quarantine, and the lines after it are recorded")
    func malformedLine() async throws {
        try await TestServer.run { server async throws in
            let lines = [response(1), Array(#"{"type":"response","#.utf8), response(2), response(3)]
            let body = Array(lines.joined(separator: [0x0A]))
            let response = try await server.send(.post, Self.path, body, as: .server)
            #expect(response.status == 200, "\(response.text)")
        }
        #expect(try await count("delivery") == 3)
        #expect(try await count("quarantined_item") == 1)
    }

    @Test("a record of which the quarantine would keep only the beginning gets 413, and nothing is recorded")
    func largeRecord() async throws {
        try await TestServer.run { server async throws in
            let long = String(repeating: "x", count: FieldLimits.item)
            for record in [#"{"type":"teleport","text":"\#(long)"}"#, #"[{"text":"\#(long)"},{]"#] {
                let body = response(1) + [0x0A] + Array(record.utf8)
                let response = try await server.send(.post, Self.path, body, as: .server)
                #expect(response.status == 413 && response.code == "body_too_large", "\(response.text)")
            }
        }
        #expect(try await count("delivery") == 0)
        #expect(try await count("quarantined_item") == 0)
    }

    @Test("records that a preset skips are counted, by preset")
    func skipped() async throws {
        try await TestServer.run { server async throws in
            let email = Array(#"{"object_type":"email","metric":"sent"}"#.utf8)
            let body = email + [0x0A] + email
            let response = try await server.send(.post, "/v1/intake/customerio", body, as: .server)
            #expect(response.status == 200, "\(response.text)")
            let metrics = try await server.send(.get, "/metrics", as: nil).text
            #expect(metrics.contains(#"landfall_intake_skipped_total{preset="customerio"} 2"#))
            #expect(metrics.contains(#"landfall_intake_skipped_total{preset="gorush"} 0"#))
        }
        #expect(try await count("quarantined_item") == 0)
    }

    @Test("a bad key gets 401, another kind of key 403, and an unknown preset 404 with the names of all")
    func rejections() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.send(.post, Self.path, response(1), as: nil).status == 401)
            for kind in [APIKey.Kind.device, .report] {
                let response = try await server.send(.post, Self.path, response(1), as: kind)
                #expect(response.status == 403 && response.code == "wrong_key_kind")
            }
            let unknown = try await server.send(.post, "/v1/intake/gorsh", response(1), as: .server)
            #expect(unknown.status == 404 && unknown.code == "not_found")
            for preset in Preset.all { #expect(unknown.detail?.contains(preset.name) == true) }
            #expect(try await server.send(.put, Self.path, response(1), as: .server).status == 405)
        }
        #expect(try await count("delivery") == 0)
        #expect(try await count("quarantined_item") == 0)
    }

    @Test("GET says what to configure, with the address by which it was asked, and needs no key")
    func setup() async throws {
        try await TestServer.run { server async throws in
            for preset in Preset.all {
                let path = "/v1/intake/\(preset.name)"
                let response = try await server.send(.get, path, as: nil)
                #expect(response.status == 200 && response.contentType.hasPrefix("text/plain"))
                let setup = preset.setup("http://127.0.0.1:\(server.port)\(path)", "lf_hook_…")
                #expect(response.text.hasPrefix(setup))
                #expect(response.text.contains("landfall key create --kind hook"))
            }
            var headers: HTTPFields = [:]
            headers[try #require(HTTPField.Name("X-Forwarded-Proto"))] = "https"
            let proxied = try await server.send(.get, Self.path, as: nil, headers: headers)
            #expect(proxied.text.contains("https://127.0.0.1:\(server.port)\(Self.path)"))
            #expect(try await server.send(.get, "/v1/intake/none", as: nil).status == 404)
        }
    }

    @Test("when the queue is full, posts get 503 with Retry-After, and exactly those with 200 are recorded")
    func overload() async throws {
        try await TestServer.run(
            configure: { $0.limits.queued.items = ServerConfiguration.limit(ofCell: 1) }
        ) { server async throws in
            // Before the lock, which the lookup of the key must not wait for.
            #expect(try await server.send(.post, Self.path, response(1), as: .server).status == 200)
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.delivery"))
            let recorded = try await withThrowingTaskGroup(of: Response.self) { group in
                for number in 2...8 {
                    group.addTask { try await server.send(.post, Self.path, response(number), as: .server) }
                }
                // The others wait for the lock.
                for _ in 0..<3 {
                    let response = try #require(try await group.next())
                    #expect(response.status == 503 && response.code == "overloaded")
                    #expect(response.headers[.retryAfter] != nil)
                }
                try blocker.execute(script: SQLFile(name: "unlock", text: "COMMIT"))
                return try await group.reduce(into: 0) { $0 += $1.status == 200 ? 1 : 0 }
            }
            #expect(recorded > 0)
            #expect(try await count("delivery") == Int64(1 + recorded))
        }
    }
}
