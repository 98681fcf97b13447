internal import DeliveryModel
internal import Documents
internal import Foundation
internal import Instants
internal import TokenLifecycle
internal import Trust

extension DevicesController {
    /// The response of `PUT /v1/devices/{device_id}`.
    func document(
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
        var members: [JSONValue.Member] = []
        if let credential = registered.credential {
            members.append(.init("credential", .string(credential.text)))
        }
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
    func document(_ deviceID: UUID, _ receipt: ErasureReceipt) -> JSONValue {
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
