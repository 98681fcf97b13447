import Access
import Connecting
import DeliveryModel
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing

/// What a person who connects a sender is told, after posts to a real server.
@Suite(.database) struct ConnectProgressTests {
    private func response(_ id: String, _ more: String = #""status":200"#, token: Int = 1) -> String {
        """
        {"type":"response","notification_id":"\(id)","sent_at":\(Self.now),"provider":"apns",\
        "push_type":"alert","mutable_content":true,"token":"\(tokenValue(token))",\
        "topic":"com.example.shop",\(more)}
        """
    }

    private func event(_ type: String, _ id: String, _ more: String? = nil) -> String {
        let times = more ?? #""occurred_at":\#(Self.now),"reported_at":\#(Self.now)"#
        return #"{"type":"\#(type)","notification_id":"\#(id)",\#(times)}"#
    }

    private static var now: Int64 { Instant.now.millisecondsSinceEpoch }

    private func register(_ token: Int, _ server: TestServer) async throws {
        let body = #"{"tokens":[{"value":"\#(tokenValue(token))","topic":"com.example.shop"}]}"#
        #expect(try await server.put(UUID(), body).status == 200)
    }

    private func started(_ server: TestServer) async throws -> ConnectStart {
        try await TestDatabase.current.pool.withConnection {
            try ConnectStart(of: server.app, now: .now, on: $0)
        }
    }

    private func progress(
        _ start: ConnectStart, until end: ConnectEnd = .meeting
    ) async throws -> ConnectProgress {
        try await TestDatabase.current.pool.withConnection {
            try start.progress(until: end, now: .now, on: $0)
        }
    }

    @Test("a response and an arrival of one notification meet, and what was there before is not new")
    func meeting() async throws {
        try await TestServer.run { server in
            try await register(1, server)
            #expect(try await server.post(response(notificationID(1))).counts == [1, 0, 0])
            let start = try await started(server)
            #expect(try await progress(start).stage == .waiting)
            #expect(try await progress(start).pushes.isEmpty)

            #expect(try await server.post(response(notificationID(2))).counts == [1, 0, 0])
            let sent = try await progress(start)
            #expect(sent.stage == .waitingForDevice)
            #expect(sent.pushes.map(\.record.notificationID.uuidString.last) == ["2"])
            #expect(sent.troubles == [])

            let arrival = event("arrival", notificationID(2))
            #expect(try await server.post(arrival, as: .device).counts == [1, 0, 0])
            let met = try await progress(start)
            guard case .connected(let push) = met.stage else {
                Issue.record("\(met.stage)")
                return
            }
            #expect(push.notificationID.uuidString.lowercased() == notificationID(2))
            let counts = ConnectProgress.funnel(of: push).map { "\($0.measure.rawValue) \($0.count)" }
            #expect(
                counts == [
                    "attempted 1", "accepted 1", "reportable 1", "arrived 1", "confirmed 1", "clicked 0",
                ])
            #expect(met.troubles == [])
            #expect(met.summary.contains(notificationID(2)))

            // An event about an earlier push is new.
            let late = event("click", notificationID(1))
            #expect(try await server.post(late, as: .device).counts == [1, 0, 0])
            #expect(try await progress(start).pushes.count == 2)
        }
    }

    @Test("ids without a time meet, too, and device events alone wait for a response")
    func randomIDs() async throws {
        try await TestServer.run { server in
            try await register(1, server)
            let start = try await started(server)
            let id = "7a0e3c1e-6d0a-4f6b-9d43-0a8f7c1d2e3f"
            let click = event("click", id)
            #expect(try await server.post(click, as: .device).counts == [1, 0, 0])
            #expect(try await progress(start).stage == .waitingForResponse)
            #expect(try await server.post(response(id)).counts == [1, 0, 0])
            let progress = try await progress(start)
            #expect(progress.summary.hasPrefix("Connected"))
            // The click shows that the device had it, and that no extension ran.
            #expect(progress.troubles.map(\.fix).count { $0.contains("mutable-content") } == 1)
        }
    }

    @Test(
        "each mistake is named with its fix",
        arguments: [
            ("ids", "The ids do not meet", "landfall.id"),
            ("extension", "has no mutable_content", "\"mutable-content\": 1"),
            ("token", "No app has registered the token", "PUT /v1/devices/"),
            ("word", "'400 SomethingNew'", "unchanged in error"),
            ("seconds", "does not say when it happened", "not in seconds"),
            ("sent in seconds", "invalid_instant, posted by a sender", "multiply a Unix time by 1,000"),
            ("provider", "unknown_provider", "app set providers"),
            ("key", "forbidden_type, posted with a device key", "server key"),
        ])
    func mistakes(mistake: String, sentence: String, fix: String) async throws {
        try await TestServer.run { server in
            try await register(1, server)
            let start = try await started(server)
            try await post(mistake, server)
            let troubles = try await progress(start).troubles
            #expect(troubles.count == 1, "\(troubles)")
            let trouble = try #require(troubles.first)
            #expect(trouble.sentence.contains(sentence), "\(trouble.sentence)")
            #expect(trouble.fix.contains(fix), "\(trouble.fix)")
            #expect(!"\(troubles)".contains("aaaa"), "a token is shown")
        }
    }

    /// Posts what a sender or an app with this mistake posts.
    private func post(_ mistake: String, _ server: TestServer) async throws {
        let id = notificationID(7)
        switch mistake {
        case "ids":
            _ = try await server.post(response(id))
            _ = try await server.post(event("arrival", notificationID(8)), as: .device)
        case "extension":
            let claim = #""mutable_content":true"#
            _ = try await server.post(response(id).replacing(claim, with: #""mutable_content":false"#))
        case "token": _ = try await server.post(response(id, token: 99))
        case "word": _ = try await server.post(response(id, #""status":400,"reason":"SomethingNew""#))
        case "seconds":
            let seconds = Self.now / 1_000
            _ = try await server.post(
                event("arrival", id, #""occurred_at":\#(seconds),"reported_at":\#(seconds)"#), as: .device)
        case "sent in seconds":
            let seconds = response(id).replacing(#/"sent_at":\d+/#, with: "\"sent_at\":\(Self.now / 1_000)")
            _ = try await server.post(seconds)
        case "provider": _ = try await server.post(response(id).replacing("apns", with: "carrier_pigeon"))
        default: _ = try await server.post(response(id), as: .device)
        }
    }

    @Test("a rejection of the provider is no mistake, and further items of one kind are the same one")
    func rejections() async throws {
        try await TestServer.run { server in
            try await register(1, server)
            let start = try await started(server)
            let dead = response(notificationID(1), #""status":410,"reason":"Unregistered""#)
            #expect(try await server.post(dead).counts == [1, 0, 0])
            #expect(try await progress(start).troubles == [])
            _ = try await server.post(#"[{"type":"nothing"},{"type":"nothing","n":2}]"#)
            let troubles = try await progress(start).troubles
            #expect(troubles.count == 1)
            #expect(troubles.first?.sentence.hasPrefix("Items were rejected (unknown_type") == true)
            _ = try await server.post(#"{"type":"nothing","n":3}"#)
            #expect(try await progress(start).troubles == troubles)
            // Of the next push without a registered token, too, the mistake is the same.
            _ = try await server.post(response(notificationID(2), token: 98))
            let first = try await progress(start).troubles.map(\.kind)
            _ = try await server.post(response(notificationID(3), token: 99))
            #expect(try await progress(start).troubles.map(\.kind) == first && first.count == 2)
        }
    }

    @Test("a token that was imported is not called unregistered")
    func imported() async throws {
        try await TestServer.run { server in
            let start = try await started(server)
            #expect(try await server.post(response(notificationID(1))).counts == [1, 0, 0])
            #expect(try await progress(start).troubles.count == 1)
            _ = try await TestDatabase.current.query(
                "UPDATE landfall.token SET is_vouched = true RETURNING token_id"
            ) { try $0.get(0, as: Int64.self) }
            #expect(try await progress(start).troubles == [])
        }
    }

    @Test("each end is reached by what its sender can post, and by nothing less")
    func ends() async throws {
        try await TestServer.run { server in
            try await register(1, server)
            let start = try await started(server)
            func reached() async throws -> [Bool] {
                var reached: [Bool] = []
                for end in [ConnectEnd.response, .rejection, .receipt, .meeting] {
                    let progress = try await progress(start, until: end)
                    if case .connected = progress.stage {
                        reached.append(true)
                    } else {
                        reached.append(false)
                    }
                    #expect(reached.last == progress.summary.hasPrefix("Connected"), "\(progress.summary)")
                }
                return reached
            }
            #expect(try await reached() == [false, false, false, false])
            let receipt = event("arrival", notificationID(1)).dropLast() + #","evidence":"provider"}"#
            #expect(try await server.post(String(receipt)).counts == [1, 0, 0])
            #expect(try await reached() == [false, false, true, false])
            #expect(try await server.post(response(notificationID(2))).counts == [1, 0, 0])
            #expect(try await reached() == [true, false, true, false])
            let dead = response(notificationID(3), #""status":410,"reason":"Unregistered""#)
            #expect(try await server.post(dead).counts == [1, 0, 0])
            #expect(try await reached() == [true, true, true, false])
            let rejected = try await progress(start, until: .rejection)
            #expect(rejected.summary.contains(notificationID(3)))
            #expect(rejected.summary.contains("Successes are not posted by the hook"))
            #expect(
                try await server.post(event("click", notificationID(2)), as: .device).counts == [1, 0, 0])
            #expect(try await reached() == [true, true, true, true])
        }
    }
}
