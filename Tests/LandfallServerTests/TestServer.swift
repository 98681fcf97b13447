import Access
import DeliveryModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import People
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import Vault

@testable import LandfallServer

/// The real application on the running test's database, with an app and a key of each kind.
struct TestServer: Sendable {
    let app: App
    let keys: [APIKey.Kind: String]
    let port: Int
    /// The credentials that devices got, which their later requests carry.
    let credentials = DeviceCredentials()

    /// Runs the body against the server through a real socket.
    ///
    /// - Parameters:
    ///   - made: an app and its keys that are there already.
    ///   - settings: settings of the app.
    static func run(
        app slug: String = "shop", made: (App, [APIKey.Kind: String])? = nil,
        tokenKey: TokenKey = testTokenKey, settings: [String: String] = [:],
        configure: (inout ServerConfiguration) -> Void = { _ in }, logger: Logger? = nil,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        var configuration = ServerConfiguration(testing: database.url)
        configuration.port = 0
        // The tests' cluster runs without fsync.
        configuration.allowsUnsafeDatabase = true
        configuration.web.passphraseCost = .least
        configure(&configuration)
        let logger = logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let clock = ServerClock(ahead: settings["device_quota"] == nil ? .seconds(0) : restOfLateHour)
        let backend = try await Backend.open(configuration, tokenKey: tokenKey, clock: clock, logger: logger)
        let (app, keys) = if let made { made } else { try await makeApp(slug, settings: settings) }
        let application = buildApplication(configuration, backend: backend, logger: logger)
        do {
            try await application.test(.ahc(.http)) { client in
                try await body(TestServer(app: app, keys: keys, port: try #require(client.port)))
            }
        } catch {
            try await backend.close()
            throw error
        }
        try await backend.close()
    }

    /// Asks whether the test's cell is ready. A server with several is ready as long as one of them is.
    static let readiness = TestDatabase.hasSeveralCells ? "/readyz?cell=\(TestDatabase.cell)" : "/readyz"

    /// The time until the next hour, if it comes soon. Quotas are whole again in each hour, which must not
    /// begin within a test.
    static var restOfLateHour: Span {
        let now = Instant.now
        let rest = now.startOfHour + .hours(1) - now
        return rest < .minutes(30) ? rest : .seconds(0)
    }

    static func makeApp(
        _ slug: String, settings: [String: String] = [:]
    ) async throws -> (App, [APIKey.Kind: String]) {
        let database = TestDatabase.current
        return try await database.pool.withConnection { connection in
            let directory = AppDirectory(connection)
            let now = Instant.now
            let app = try database.createApp(slug, at: now, on: connection)
            for (name, value) in settings { try directory.set(.named(name), to: value, of: app) }
            let keys = try APIKey.Kind.allCases.map {
                ($0, try directory.createKey(kind: $0, for: app, at: now).text)
            }
            return (app, Dictionary(uniqueKeysWithValues: keys))
        }
    }

    func with(keys: [APIKey.Kind: String], app: App) -> TestServer {
        TestServer(app: app, keys: keys, port: port)
    }

    /// Posts a body to `/v1/events`.
    func post(
        _ body: String, as kind: APIKey.Kind = .server, headers: HTTPFields = [:]
    ) async throws -> Response {
        try await post(Array(body.utf8), as: kind, headers: headers)
    }

    func post(
        _ body: [UInt8], as kind: APIKey.Kind = .server, headers: HTTPFields = [:]
    ) async throws -> Response {
        try await send(.post, "/v1/events", body, as: kind, headers: headers)
    }

    func put(_ deviceID: UUID, _ body: String, as kind: APIKey.Kind = .device) async throws -> Response {
        let response = try await send(
            .put, "/v1/devices/\(deviceID)", Array(body.utf8), as: kind,
            headers: credentials.field(of: deviceID))
        if let credential = response.credential { credentials.keep(credential, of: deviceID) }
        return response
    }

    func logOut(_ deviceID: UUID, as kind: APIKey.Kind = .device) async throws -> Response {
        try await send(
            .delete, "/v1/devices/\(deviceID)/tokens", as: kind, headers: credentials.field(of: deviceID))
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], as kind: APIKey.Kind?,
        headers: HTTPFields = [:]
    ) async throws -> Response {
        var headers = headers
        if let kind, let key = keys[kind] { headers[.authorization] = "Bearer \(key)" }
        return try await PatientClient(port: port).send(method, path, body, headers: headers)
    }
}

extension Backend {
    /// The cell in which the test's apps are.
    var home: Cell { get throws { try cells[TestDatabase.cell] } }
}

/// The keychains of the test's devices.
final class DeviceCredentials: Sendable {
    private let texts = Mutex<[UUID: String]>([:])

    func keep(_ text: String, of deviceID: UUID) { texts.withLock { $0[deviceID] = text } }

    /// The header field of a request about the device; empty if it has no credential.
    func field(of deviceID: UUID) -> HTTPFields {
        guard let name = HTTPField.Name("Landfall-Credential"),
            let text = texts.withLock({ $0[deviceID] })
        else { return [:] }
        return [name: text]
    }
}

/// The token key of every test: a database knows only one key.
let testTokenKey = TokenKey.random()

/// The time of sending of the tests' pushes.
let sendTime = Instant.now - .minutes(5)

/// A version 7 id of this instant; the number distinguishes ids of the same instant.
func notificationID(_ number: Int, at instant: Instant = sendTime) -> String {
    let time = String(instant.millisecondsSinceEpoch, radix: 16)
    let padded = String(repeating: "0", count: 12 - time.count) + time
    let tail = String(number, radix: 16)
    return "\(padded.prefix(8))-\(padded.suffix(4))-7000-8000-"
        + String(repeating: "0", count: 12 - tail.count) + tail
}

/// A token value of 64 hex digits.
func tokenValue(_ number: Int) -> String {
    let tail = String(number, radix: 16)
    return String(repeating: "a", count: 64 - tail.count) + tail
}
