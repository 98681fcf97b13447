internal import Access
internal import AsyncHTTPClient
internal import DeliveryModel
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
public import PostgresClient

/// Several servers on one database, any of which may get any request. A request without a response is posted
/// again.
public struct ServerIntake: Intake {
    private let pool: PostgresPool
    private let client: HTTPClient
    /// The addresses that a request may go to now; servers come and go.
    private let addresses: @Sendable () -> [String]

    /// - Parameters:
    ///   - pool: creates apps and keys.
    ///   - addresses: such as `http://127.0.0.1:8080`; called before each attempt.
    public init(pool: PostgresPool, addresses: @escaping @Sendable () -> [String]) {
        self.pool = pool
        self.addresses = addresses
        // A stopped server does not come back at the same address, so another one must be tried at once.
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    public func close() async throws {
        try await client.shutdown()
    }

    public func openApp() async throws -> IntakeApp {
        try await pool.withTransaction(attempts: 4) { connection in
            let directory = AppDirectory(connection)
            let slug = "model-" + UUID().uuidString.lowercased()
            let app = try directory.createApp(slug: slug, at: .now)
            return IntakeApp(
                appID: app.appID, serverKey: try directory.createKey(kind: .server, for: app, at: .now).text,
                deviceKey: try directory.createKey(kind: .device, for: app, at: .now).text)
        }
    }

    public func register(_ device: IntakeDevice, app: IntakeApp) async throws {
        let tokens = ["alert", "fcm"].map { kind in
            [
                "value": HistoryDevice.value(device.device.token, of: kind), "kind": kind,
                "topic": HistoryDevice.topic,
            ]
        }
        let body: [String: Any] = [
            "tokens": tokens, "platform": device.traits.platform, "app_version": device.traits.appVersion,
            "os_version": device.traits.osVersion, "language": device.traits.language,
            "permission": device.traits.permission,
        ]
        let bytes = Array(try JSONSerialization.data(withJSONObject: body))
        _ = try await send(
            .PUT, "/v1/devices/\(device.device.deviceID)", bytes, key: app.serverKey, isNDJSON: false)
    }

    public func post(_ body: IntakeBody, app: IntakeApp) async throws -> IntakeResponse {
        let key = body.isByDevice ? app.deviceKey : app.serverKey
        let (data, attempts) = try await send(
            .POST, "/v1/events", body.bytes, key: key, isNDJSON: body.isNDJSON)
        let document = try JSONDecoder().decode(ResponseDocument.self, from: data)
        var response = IntakeResponse(accepted: document.accepted, duplicates: document.duplicates)
        for error in document.errors { response.rejected[error.index] = error.code }
        response.isRepeated = attempts > 1
        guard response.rejected.count == document.rejected else { throw UnevenResponse() }
        return response
    }

    /// Sends the request until the server responds with 200. Returns the body and the number of attempts.
    private func send(
        _ method: HTTPMethod, _ path: String, _ body: [UInt8], key: String, isNDJSON: Bool
    ) async throws -> (body: Data, attempts: Int) {
        var lastStatus: UInt?
        for attempt in 1...Self.mostAttempts {
            guard let address = addresses().randomElement() else { throw NeverResponding(lastStatus: nil) }
            var request = HTTPClientRequest(url: address + path)
            request.method = method
            request.headers.add(name: "Authorization", value: "Bearer \(key)")
            request.headers.add(
                name: "Content-Type", value: isNDJSON ? "application/x-ndjson" : "application/json")
            request.body = .bytes(body)
            if let response = try? await client.execute(request, timeout: .seconds(30)),
                let buffer = try? await response.body.collect(upTo: 1 << 22)
            {
                if response.status == .ok { return (Data(buffer.readableBytesView), attempt) }
                lastStatus = response.status.code
                // A 4xx would be repeated indefinitely.
                guard response.status.code >= 500 || response.status.code == 429 else { break }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NeverResponding(lastStatus: lastStatus)
    }

    private static let mostAttempts = 2_000

    private struct ResponseDocument: Decodable {
        struct ItemError: Decodable {
            let index: Int
            let code: String
        }

        let accepted: Int
        let duplicates: Int
        let rejected: Int
        let errors: [ItemError]
    }

    struct NeverResponding: Error {
        let lastStatus: UInt?
    }

    /// The number of errors differs from the number of rejected items.
    struct UnevenResponse: Error {}
}
