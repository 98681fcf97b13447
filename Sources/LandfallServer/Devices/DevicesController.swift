internal import Access
internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ingestion
internal import PostgresClient
internal import TokenLifecycle
internal import Trust

/// `/v1/devices/{device_id}`: registration, logout and erasure.
struct DevicesController {
    let cells: Cells
    let registry: DeviceRegistry
    let waitingMessages: WaitingMessages
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
        let cell = try cells[credential.app.cell]
        let now = cell.clock.now
        var share = budget.share(for: credential.flow, in: credential.app.cell)
        let posted = try PostedRegistration(
            try await request.bytes(upTo: PostedRegistration.bodyBytes, &share))
        var registration = try posted.registration(
            deviceID: deviceID, by: poster(of: request, credential), now: now)
        let standing = posted.standing(deviceID: deviceID, by: credential, now: now)
        if case .claimed = standing { registration.isVerified = false }
        let (appID, ticket) = (credential.app.appID, context.ticket)
        try ticket?.expect(values: registration.tokens.count)
        do {
            let registered = try await cell.pool.withTransaction(attempts: 4) {
                [registry, registration] connection in
                // Asked within the transaction, of which only a few run at once.
                try registry.register(
                    registration, appID: appID, mayBeNew: ticket?.mayAdd(.installations, at: now) ?? true,
                    mayAddValues: ticket?.mayAdd(.values, at: now) ?? true, now: now, on: connection)
            }
            metrics.registered(registered.claim, account: standing.name)
            ticket?.settle(.registration(isNew: registered.isNew, newValues: registered.newValues))
            try await claimMessages(for: registered.tokens, in: cell)
            return .json(document(registration, posted, registered, standing))
        } catch let error as DeviceRegistryError {
            throw problem(error, ticket, at: now)
        }
    }

    /// Responses about messages may have arrived before their tokens. Runs after the commit and before the
    /// response, because a client that gets no response registers again.
    private func claimMessages(for registered: [RegisteredToken], in cell: Cell) async throws {
        guard registered.contains(where: { $0.tokenID != nil }) else { return }
        try await cell.pool.withConnection(attempts: 4) { [waitingMessages] connection in
            _ = try waitingMessages.claim(registered, on: connection)
        }
    }

    @Sendable
    private func logOut(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        let deviceID = try deviceID(context)
        try limits.take(deviceID, credential, from: context.clientAddress)
        let cell = try cells[credential.app.cell]
        let now = cell.clock.now
        let poster = poster(of: request, credential)
        do {
            let found = try await cell.pool.withTransaction(attempts: 4) { [registry] connection in
                try registry.logOut(
                    deviceID: deviceID, appID: credential.app.appID, by: poster, now: now, on: connection)
            }
            guard found else { throw unknownDevice }
            context.ticket?.settle(.none)
            return Response(status: .noContent)
        } catch let error as DeviceRegistryError {
            throw problem(error, context.ticket, at: now)
        }
    }

    private static let credentialField = HTTPField.Name("Landfall-Credential")

    private func poster(of request: Request, _ credential: Credential) -> InstallationPoster {
        guard credential.kind == .device else { return .server }
        let shown = Self.credentialField.flatMap { request.headers[$0] }
        return .device(PostingDevice(credential: shown, trust: credential.trust))
    }

    private func problem(_ error: DeviceRegistryError, _ ticket: Ticket?, at now: Instant) -> Problem {
        switch error {
        case .erasedDevice:
            return Problem(
                .gone, "erased_device",
                "this device was erased on request: an app that is used again creates a new device_id")
        case .mayNotBeNew:
            ticket?.settle(.rejected(.installations))
            return .quotaExceeded("registrations of new installations", at: now)
        case .mayNotAddValues:
            ticket?.settle(.rejected(.values))
            return .quotaExceeded("registrations of new token values", at: now)
        case .tooManyValues(let kind):
            ticket?.settle(.request)
            return limits.tooManyValues(kind)
        case .credentialRequired:
            metrics.rejectedForCredential()
            return Problem(
                .forbidden, "credential_required",
                "send Landfall-Credential with the credential that the first registration of this device returned. If it is lost, "
                    + "register with one of the device's current tokens, and a new one is returned; without either, create a new "
                    + "device_id")
        }
    }

    @Sendable
    private func erase(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server)
        let deviceID = try deviceID(context)
        let cell = try cells[credential.app.cell]
        let now = cell.clock.now
        let receipt = try await cell.pool.withTransaction(attempts: 4) { connection in
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
            throw Problem.unprocessable("invalid_device_id", "the device id in the path must be a UUID")
        }
        return id
    }
}

extension DevicesController {
    /// The response of `PUT /v1/devices/{device_id}`.
    private func document(
        _ registration: Registration, _ posted: PostedRegistration, _ registered: Registered,
        _ standing: AccountStanding
    ) -> JSONValue {
        let tokens: [JSONValue] = registered.tokens.map { token in
            [
                "change": .string(token.change.rawValue),
                "environment": .string(token.address.environment.rawValue),
                "kind": .string(token.address.kind.rawValue), "state": .string(token.state.rawValue),
                "topic": .string(token.address.topic),
            ]
        }
        var members: [JSONValue.Member] =
            registered.credential.map { [.init("credential", .string($0.text))] } ?? []
        members += [
            .init("device_id", .string(registration.deviceID.uuidString.lowercased())),
            .init("tokens", .array(tokens)),
        ]
        if let errors = posted.tokens?.errors, !errors.isEmpty {
            members.append(.init("errors", .array(errors)))
        }
        var warnings = posted.tokens?.warnings ?? []
        for field in posted.unread {
            let detail = "\(field): the field could not be read, so the registration is recorded without it"
            warnings.append(["code": "unread_field", "detail": .string(detail)])
        }
        if let (code, detail) = standing.warning ?? registered.warning(for: registration) {
            warnings.append(["code": .string(code), "detail": .string(detail)])
        }
        if !warnings.isEmpty { members.append(.init("warnings", .array(warnings))) }
        return .object(members)
    }

    /// The response of `DELETE /v1/devices/{device_id}`.
    private func document(_ deviceID: UUID, _ receipt: ErasureReceipt) -> JSONValue {
        let counts = receipt.counts
        return [
            "device_id": .string(deviceID.uuidString.lowercased()),
            "erased": [
                "account_bindings": .integer(counts.accountBindings),
                "permission_periods": .integer(counts.permissionPeriods), "tags": .integer(counts.tags),
                "token_values": .integer(counts.tokenValues), "tokens": .integer(counts.tokens),
            ],
            "erased_at": .string(receipt.erasedAt.rfc3339),
            "receipt_id": .string(receipt.receiptID.uuidString.lowercased()),
        ]
    }
}
