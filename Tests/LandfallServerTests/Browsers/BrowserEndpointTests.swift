import Access
import DeliveryModel
import Foundation
import HTTPTypes
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct BrowserEndpointTests {
    private static let shop = "https://shop.example"
    private static let other = "https://other.example"
    private let click = #"{"type":"click","notification_id":"\#(notificationID(1))"}"#

    /// A server with two apps, each of which lists an origin.
    private func run(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run { server async throws in
            try await server.app.allow(Self.shop)
            try await TestServer.makeApp("other").0.allow(Self.other)
            try await body(server)
        }
    }

    private func preflight(
        _ server: TestServer, _ path: String, _ method: String, from origin: String
    ) async throws -> Response {
        try await server.send(
            .options, path, as: nil,
            headers: [.origin: origin, .accessControlRequestMethod: method])
    }

    @Test(
        "a preflight of any app's origin gets permission for what a device posts",
        arguments: [
            ("/v1/events", "POST"), ("/v1/devices/5d1f7b9e-1c0a-4e55-9a39-2f6c1a7b8c9d", "PUT"),
            ("/v1/devices/5d1f7b9e-1c0a-4e55-9a39-2f6c1a7b8c9d/tokens", "DELETE"),
        ])
    func preflights(path: String, method: String) async throws {
        try await run { server async throws in
            for origin in [Self.shop, Self.other] {
                let response = try await preflight(server, path, method, from: origin)
                #expect(response.status == 204)
                #expect(response.headers[.accessControlAllowOrigin] == origin)
                #expect(response.headers[.accessControlAllowMethods] == method)
                let allowed = response.headers[.accessControlAllowHeaders] ?? ""
                for name in ["Authorization", "Content-Type", "Content-Encoding", "Landfall-Credential"] {
                    #expect(allowed.contains(name))
                }
                #expect(response.headers[.accessControlMaxAge] != nil)
                #expect(response.headers[.vary] == "Origin")
            }
            let refused = try await preflight(server, path, method, from: "https://evil.example")
            #expect(refused.status == 403)
            #expect(refused.code == "origin_not_allowed")
            #expect(refused.headers[.accessControlAllowOrigin] == nil)
            #expect(refused.headers[.vary] == "Origin")
        }
    }

    @Test("OPTIONS without an origin says which methods there are; other routes have no preflight")
    func options() async throws {
        try await run { server async throws in
            let response = try await server.send(.options, "/v1/events", as: nil)
            #expect(response.status == 204)
            #expect(response.headers[.allow] == "OPTIONS, POST")
            #expect(response.headers[.vary] == nil)
            let feed = try await preflight(server, "/v1/tokens", "GET", from: Self.shop)
            #expect(feed.status == 405)
            #expect(feed.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test("a page of the app's origin posts, registers and logs out, and can read every response")
    func allowed() async throws {
        try await run { server async throws in
            var origin: HTTPFields = [.origin: Self.shop]
            let device = "/v1/devices/\(UUID().uuidString)"
            let registration = #"{"platform":"web","tokens":[]}"#
            let requests: [(HTTPRequest.Method, String, String, Int)] = [
                (.post, "/v1/events", click, 200), (.post, "/v1/events", "{", 400),
                (.post, "/v1/events", "{}", 422), (.put, device, registration, 200),
                (.delete, device + "/tokens", "", 204), (.delete, device, "", 403),
            ]
            for (method, path, body, status) in requests {
                let response = try await server.send(
                    method, path, Array(body.utf8), as: .device, headers: origin)
                #expect(response.status == status, "\(method) \(path) \(body)")
                #expect(response.headers[.accessControlAllowOrigin] == Self.shop)
                #expect(response.headers[.vary] == "Origin")
                if let credential = response.credential, let name = HTTPField.Name("Landfall-Credential") {
                    origin[name] = credential
                }
            }
        }
    }

    @Test("without an origin nothing changes")
    func noOrigin() async throws {
        try await run { server async throws in
            for kind in [APIKey.Kind.server, .device] {
                let response = try await server.post(click, as: kind)
                #expect(response.status == 200)
                #expect(response.headers[.accessControlAllowOrigin] == nil)
                #expect(response.headers[.vary] == nil)
            }
        }
    }

    @Test("an app that lists * allows every page")
    func everyOrigin() async throws {
        try await TestServer.run { server async throws in
            try await server.app.allow("*")
            for origin in ["https://a.example", "null"] {
                #expect(try await preflight(server, "/v1/events", "POST", from: origin).status == 204)
                let response = try await server.post(click, as: .device, headers: [.origin: origin])
                #expect(response.status == 200)
                #expect(response.headers[.accessControlAllowOrigin] == origin)
            }
        }
    }
}

extension App {
    /// Lists origins of pages that may use this app's device keys.
    func allow(_ origins: String) async throws {
        try await TestDatabase.current.pool.withConnection { connection in
            try AppDirectory(connection).set(try AppSetting.named("cors_origins"), to: origins, of: self)
        }
    }
}
