internal import Access
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Ingestion
internal import Instants
internal import PostgresClient
internal import TokenLifecycle

/// `/v1/devices/{device_id}`: registration, logout and erasure.
struct DevicesController {
    let pool: PostgresPool
    let registry: DeviceRegistry
    let waitingMessages: WaitingMessages
    let clock: ServerClock
    let budget: IntakeBudget

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.put("devices/:device_id", use: register)
        group.delete("devices/:device_id/tokens", use: logOut)
        group.delete("devices/:device_id", use: erase)
    }

    @Sendable
    private func register(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        let now = clock.now
        var share = budget.share()
        let posted = try PostedRegistration(
            try await request.bytes(upTo: PostedRegistration.bodyBytes, &share))
        let registration = try posted.registration(deviceID: deviceID, by: credential.kind, now: now)
        let appID = credential.app.appID
        do {
            let registered = try await pool.withTransaction(attempts: 4) { [registry] connection in
                try registry.register(registration, appID: appID, now: now, on: connection)
            }
            try await claimMessages(for: registered)
            return try .json(RegistrationResponse(deviceID: deviceID, registered))
        } catch DeviceRegistryError.erasedDevice {
            throw Problem(
                .gone, "erased_device",
                "this device was erased on request: an app that is used again creates a new device_id")
        }
    }

    /// Responses about messages may have arrived before their tokens. Runs after the commit and before the response, because a
    /// client that gets no response registers again.
    private func claimMessages(for registered: [RegisteredToken]) async throws {
        let tokenIDs = registered.compactMap(\.tokenID)
        guard !tokenIDs.isEmpty else { return }
        try await pool.withConnection(attempts: 4) { [waitingMessages] connection in
            _ = try waitingMessages.claim(tokenIDs, on: connection)
        }
    }

    @Sendable
    private func logOut(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        let now = clock.now
        let found = try await pool.withTransaction(attempts: 4) { [registry] connection in
            try registry.logOut(deviceID: deviceID, appID: credential.app.appID, now: now, on: connection)
        }
        guard found else { throw unknownDevice }
        return Response(status: .noContent)
    }

    @Sendable
    private func erase(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server)
        let deviceID = try deviceID(context)
        let now = clock.now
        let receipt = try await pool.withTransaction(attempts: 4) { connection in
            try Erasure(appID: credential.app.appID).erase(deviceID, now: now, on: connection)
        }
        guard let receipt else { throw unknownDevice }
        return try .json(ErasureResponse(deviceID: deviceID, receipt))
    }

    private var unknownDevice: Problem {
        Problem(.notFound, "unknown_device", "this app has no device with that device_id")
    }

    private func deviceID(_ context: LandfallRequestContext) throws -> UUID {
        guard let text = context.parameters.get("device_id"), let id = UUID(strict: text) else {
            throw Problem(
                .unprocessableContent, "invalid_device_id", "the device id in the path must be a UUID")
        }
        return id
    }
}

/// The response of `PUT /v1/devices/{device_id}`.
private struct RegistrationResponse: Encodable {
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

/// The response of `DELETE /v1/devices/{device_id}`.
private struct ErasureResponse: Encodable {
    struct Counts: Encodable {
        let tokens: Int64
        let tokenValues: Int64
        let accountBindings: Int64
        let permissionPeriods: Int64
        let tags: Int64
    }

    let receiptId: String
    let deviceId: String
    let erasedAt: String
    let erased: Counts

    init(deviceID: UUID, _ receipt: ErasureReceipt) {
        receiptId = receipt.receiptID.uuidString.lowercased()
        deviceId = deviceID.uuidString.lowercased()
        erasedAt = receipt.erasedAt.rfc3339
        let counts = receipt.counts
        erased = Counts(
            tokens: counts.tokens, tokenValues: counts.tokenValues, accountBindings: counts.accountBindings,
            permissionPeriods: counts.permissionPeriods, tags: counts.tags)
    }
}
