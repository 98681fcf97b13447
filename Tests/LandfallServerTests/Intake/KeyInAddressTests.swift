import Access
import DeliveryModel
import Foundation
import HTTPTypes
import Logging
import PostgresClient
import Synchronization
import TestDatabase
import Testing

@testable import LandfallServer

/// A key in the address of a hook, for senders that cannot set header fields.
@Suite("Keys in an address", .database) struct KeyInAddressTests {
    private static let path = "/v1/intake/onesignal"
    private let click = Array(#"{"type":"click","notification_id":"\#(notificationID(1))"}"#.utf8)

    private final class Lines: Sendable {
        private let written = Mutex<[String]>([])
        var all: [String] { written.withLock { $0 } }
        func add(_ line: String) { written.withLock { $0.append(line) } }
    }

    @Test("a hook key opens this route and no other, in the address or in a header field, which comes first")
    func scope() async throws {
        try await TestServer.run { server async throws in
            let key = try #require(server.keys[.hook])
            func status(_ path: String, _ key: String, as kind: APIKey.Kind? = nil) async throws -> Int {
                try await server.send(.post, "\(path)?key=\(key)", click, as: kind).status
            }
            #expect(try await status(Self.path, key) == 200)
            #expect(try await server.send(.post, Self.path, click, as: .hook).status == 200)
            for key in ["lf_hook_unknown", "lf_server_unknown", "", "x"] {
                #expect(try await status(Self.path, key) == 401)
            }
            #expect(try await status("/v1/events", key) == 401)
            #expect(try await server.send(.get, "/v1/tokens?key=\(key)", as: nil).status == 401)
            #expect(try await status(Self.path, key, as: .device) == 403)
            #expect(try await status(Self.path, "lf_server_unknown", as: .server) == 200)
            #expect(try await status(Self.path, "\(key)&key=\(key)") == 401)
            for (method, path) in Self.otherRoutes {
                let response = try await server.send(method, path, as: .hook)
                #expect(response.status == 403 && response.code == "wrong_key_kind", "\(path)")
            }
        }
    }

    private static let otherRoutes: [(HTTPRequest.Method, String)] = [
        (.post, "/v1/events"), (.get, "/v1/tokens"), (.get, "/v1/token-changes"),
        (.put, "/v1/devices/\(UUID())"), (.delete, "/v1/devices/\(UUID())"),
        (.delete, "/v1/devices/\(UUID())/tokens"), (.get, "/v1/reports/funnel"),
    ]

    @Test("any other valid key is rejected in an address, with the fix, and nothing is recorded")
    func otherKinds() async throws {
        try await TestServer.run { server async throws in
            for kind in APIKey.Kind.allCases where kind != .hook {
                let key = try #require(server.keys[kind])
                let response = try await server.send(.post, "\(Self.path)?key=\(key)", click, as: nil)
                #expect(response.status == 403 && response.code == "wrong_key_kind", "\(kind)")
                #expect(response.detail?.contains("landfall key create --kind hook") == true, "\(kind)")
                #expect(response.detail?.contains("landfall key revoke") == true, "\(kind)")
            }
        }
        let recorded = try await TestDatabase.current.query("SELECT count(*) FROM landfall.delivery") {
            try $0.get(0, as: Int64.self)
        }
        #expect(recorded == [0])
    }

    @Test("requests count against the limits of the key, and guesses against those of the address")
    func limits() async throws {
        try await TestServer.run(configure: {
            $0.limits.serverRequests = RateLimit(perSecond: 0.001, burst: 2)
            $0.limits.failedAuthentications = RateLimit(perSecond: 0.001, burst: 2)
        }) { server async throws in
            let key = try #require(server.keys[.hook])
            let first = try await server.send(.post, Self.path, click, as: .hook)
            let second = try await server.send(.post, "\(Self.path)?key=\(key)", click, as: nil)
            let third = try await server.send(.post, "\(Self.path)?key=\(key)", click, as: nil)
            #expect([first, second, third].map(\.status) == [200, 200, 429])
            var guesses: [Int] = []
            for number in 1...3 {
                let guess = "lf_hook_" + String(repeating: "\(number)", count: 43)
                guesses.append(
                    try await server.send(.post, "\(Self.path)?key=\(guess)", click, as: nil).status)
            }
            #expect(guesses == [401, 401, 429])
        }
    }

    @Test("no log line and no response contains it, whatever is wrong with the request")
    func secrecy() async throws {
        let lines = Lines()
        var logger = Logger(label: "landfall") { LineLogHandler(label: $0, isJSON: true) { lines.add($0) } }
        logger.logLevel = .trace
        try await TestServer.run(configure: { $0.logging.access = .on }, logger: logger) {
            server async throws in
            let key = try #require(server.keys[.hook])
            let serverKey = try #require(server.keys[.server])
            let requests: [(HTTPRequest.Method, String, Int)] = [
                (.post, "\(Self.path)?key=\(key)", 200), (.post, "\(Self.path)?key=\(key)x", 401),
                (.post, "\(Self.path)?Key=\(key)", 401), (.post, "\(Self.path)?\(key)", 401),
                (.post, "\(Self.path)?key=\(key)&\(key)=1", 400),
                (.post, "/v1/intake/\(key)?key=\(key)", 404),
                (.get, "\(Self.path)?key=\(key)", 200), (.get, "\(Self.path)?\(key)", 400),
                (.get, "/v1/intake/\(key)", 404), (.put, "\(Self.path)?key=\(key)", 405),
                (.post, "/v1/events?key=\(key)", 401), (.get, "/healthz?\(key)", 400),
                (.post, "\(Self.path)?key=\(serverKey)", 403),
            ]
            for (method, path, status) in requests {
                let response = try await server.send(method, path, method == .get ? [] : click, as: nil)
                #expect(response.status == status, "\(method) \(path)")
                #expect(!response.text.contains(key) && !response.text.contains(serverKey))
                #expect(!response.headers.contains { $0.value.contains(key) })
            }
            #expect(lines.all.contains { $0.contains("/v1/intake/{preset}") })
            #expect(!lines.all.contains { $0.contains(key) || $0.contains(serverKey) })
        }
    }
}
