internal import Access
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Ingestion
internal import PostgresClient
internal import TokenLifecycle

/// `/v1/devices/{device_id}`: registration and log-out.
struct DevicesController {
    let pool: PostgresPool
    let registry: DeviceRegistry

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.put("devices/:device_id", use: register)
        group.delete("devices/:device_id/tokens", use: logOut)
    }

    @Sendable
    private func register(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        let now = Instant.now
        let posted = try await PostedRegistration(request)
        let registration = try posted.registration(deviceID: deviceID, by: credential.kind, now: now)
        let appID = credential.app.appID
        let registered = try await pool.withTransaction(attempts: 4) { [registry] connection in
            try registry.register(registration, appID: appID, now: now, on: connection)
        }
        return try .json(RegistrationAnswer(deviceID: deviceID, registered))
    }

    @Sendable
    private func logOut(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        let now = Instant.now
        let found = try await pool.withTransaction(attempts: 4) { [registry] connection in
            try registry.logOut(deviceID: deviceID, appID: credential.app.appID, now: now, on: connection)
        }
        guard found else {
            throw Problem(.notFound, "unknown_device", "this app has no device with that device_id")
        }
        return Response(status: .noContent)
    }

    private func deviceID(_ context: LandfallRequestContext) throws -> UUID {
        guard let text = context.parameters.get("device_id"), let id = UUID(uuidString: text) else {
            throw Problem(
                .unprocessableContent, "invalid_device_id", "the device id in the path must be a UUID")
        }
        return id
    }
}

/// The answer of `PUT /v1/devices/{device_id}`.
private struct RegistrationAnswer: Encodable {
    struct Token: Encodable {
        let kind: String
        let environment: String
        let topic: String
        let state: String
        let change: String
    }

    let deviceId: String
    let tokens: [Token]

    init(deviceID: UUID, _ registered: [RegisteredToken]) {
        deviceId = deviceID.uuidString.lowercased()
        tokens = registered.map { token in
            Token(
                kind: token.address.kind.rawValue, environment: token.address.environment.rawValue,
                topic: token.address.topic, state: token.state.rawValue, change: token.change.rawValue)
        }
    }
}
