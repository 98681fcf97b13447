internal import Access
internal import DeliveryModel
internal import Documents
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ingestion
internal import Instants
internal import PostgresClient
internal import TokenLifecycle
internal import Trust

/// `/v1/devices/{device_id}`: registration, logout and erasure.
struct DevicesController {
    let pool: PostgresPool
    let registry: DeviceRegistry
    let waitingMessages: WaitingMessages
    let clock: ServerClock
    let budget: IntakeBudget
    let metrics: RegistrationMetrics
    let limits: CallerLimits

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.put("devices/:device_id", use: register)
        group.delete("devices/:device_id/tokens", use: logOut)
        group.delete("devices/:device_id", use: erase)
    }

    @Sendable
    private func register(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        try limits.take(deviceID, credential, from: context.clientAddress)
        let now = clock.now
        var share = budget.share(for: credential.flow)
        let posted = try PostedRegistration(
            try await request.bytes(upTo: PostedRegistration.bodyBytes, &share))
        var registration = try posted.registration(
            deviceID: deviceID, by: poster(of: request, credential), now: now)
        let standing = posted.standing(deviceID: deviceID, by: credential, now: now)
        if case .claimed = standing { registration.isVerified = false }
        let (appID, ticket) = (credential.app.appID, context.ticket)
        try ticket?.expect(values: registration.tokens.count)
        do {
            let registered = try await pool.withTransaction(attempts: 4) {
                [registry, registration] connection in
                // Asked within the transaction, of which only a few run at once.
                try registry.register(
                    registration, appID: appID, mayBeNew: ticket?.mayAdd(.installations, at: now) ?? true,
                    mayAddValues: ticket?.mayAdd(.values, at: now) ?? true, now: now, on: connection)
            }
            metrics.registered(registered.claim, account: standing.name)
            ticket?.settle(.registration(isNew: registered.isNew, newValues: registered.newValues))
            try await claimMessages(for: registered.tokens)
            return .json(document(registration, posted, registered, standing))
        } catch DeviceRegistryError.mayNotBeNew {
            ticket?.settle(.rejected(.installations))
            throw Problem.quotaExceeded("registrations of new installations", at: now)
        } catch DeviceRegistryError.mayNotAddValues {
            ticket?.settle(.rejected(.values))
            throw Problem.quotaExceeded("registrations of new token values", at: now)
        } catch DeviceRegistryError.tooManyValues(let kind) {
            ticket?.settle(.request)
            throw limits.tooManyValues(kind)
        } catch let error as DeviceRegistryError {
            throw problem(error)
        }
    }

    /// Responses about messages may have arrived before their tokens. Runs after the commit and before the response, because a
    /// client that gets no response registers again.
    private func claimMessages(for registered: [RegisteredToken]) async throws {
        guard registered.contains(where: { $0.tokenID != nil }) else { return }
        try await pool.withConnection(attempts: 4) { [waitingMessages] connection in
            _ = try waitingMessages.claim(registered, on: connection)
        }
    }

    @Sendable
    private func logOut(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        try limits.take(deviceID, credential, from: context.clientAddress)
        let now = clock.now
        let poster = poster(of: request, credential)
        do {
            let found = try await pool.withTransaction(attempts: 4) { [registry] connection in
                try registry.logOut(
                    deviceID: deviceID, appID: credential.app.appID, by: poster, now: now, on: connection)
            }
            guard found else { throw unknownDevice }
            context.ticket?.settle(.none)
            return Response(status: .noContent)
        } catch let error as DeviceRegistryError {
            throw problem(error)
        }
    }

    private static let credentialField = HTTPField.Name("Landfall-Credential")

    private func poster(of request: Request, _ credential: Credential) -> InstallationPoster {
        guard credential.kind == .device else { return .server }
        let shown = Self.credentialField.flatMap { request.headers[$0] }
        return .device(PostingDevice(credential: shown, trust: credential.trust))
    }

    private func problem(_ error: DeviceRegistryError) -> Problem {
        switch error {
        case .erasedDevice:
            Problem(
                .gone, "erased_device",
                "this device was erased on request: an app that is used again creates a new device_id")
        case .mayNotBeNew, .mayNotAddValues, .tooManyValues: unknownDevice
        case .credentialRequired: credentialRequired()
        }
    }

    private func credentialRequired() -> Problem {
        metrics.rejectedForCredential()
        return Problem(
            .forbidden, "credential_required",
            "send Landfall-Credential with the credential that the first registration of this device returned. If it is lost, "
                + "register with one of the device's current tokens, and a new one is returned; without either, create a new "
                + "device_id")
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
        return .json(document(deviceID, receipt))
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
