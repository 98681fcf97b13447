internal import DeliveryModel
internal import TokenLifecycle

/// A valid event and its index in the batch.
struct PostedItem {
    let position: Int
    let appID: Int64
    var event: Event

    var response: ProviderResponse? {
        guard case .response(let response) = event.content else { return nil }
        return response
    }

    var hasReason: Bool {
        guard case .response(let response) = event.content else { return false }
        return response.reason != nil
    }

    var tokenAddress: AppTokenAddress? {
        guard case .token(let address) = response?.target else { return nil }
        return AppTokenAddress(appID: appID, address: address)
    }

    /// Warnings that only the database's data can show.
    func warnings(
        _ target: PushTarget?, _ outcome: Outcome?, _ unregistered: UnregisteredTokens
    ) -> ItemWarnings {
        var warnings: ItemWarnings = []
        if let outcome, !outcome.isListed, case .rejected(let rejectionClass) = outcome.outcomeClass {
            warnings.formUnion(.unlistedReason(as: rejectionClass))
        }
        guard let target, let address = tokenAddress?.address else { return warnings }
        if target.token?.lastRegisteredAt == nil, TokenKind.canRegister(address.provider) {
            if unregistered.contains(target) { warnings.insert(.unregisteredToken) }
            return warnings
        }
        if target.isAmbiguous {
            warnings.insert(.ambiguousToken)
        } else if let posted = target.otherPlace(in: address), let place = target.place {
            if posted.environment != place.environment { warnings.insert(.otherEnvironment) }
            if posted.provider != place.provider || posted.environment == place.environment {
                warnings.insert(.otherTopic)
            }
        } else if let kind = target.kind, !kind.isCompatible(with: address.kind) {
            warnings.insert(.otherTopic)
        }
        return warnings
    }

    /// The device that a device event about a notification names.
    var reporter: AppDevice? {
        guard case .notification = event.name, case .device(let report) = event.content else { return nil }
        return report.deviceID.map { AppDevice(appID: appID, deviceID: $0) }
    }

    var targetDevice: AppDevice? {
        guard case .device(let deviceID) = response?.target else { return nil }
        return AppDevice(appID: appID, deviceID: deviceID)
    }
}

/// The first few tokens of a batch that no app has registered: enough for a sender that is being set up, because many such tokens
/// usually share one mistake.
struct UnregisteredTokens {
    private static let mostNamed = 10

    private var tokenIDs: Set<Int64> = []

    init(_ targets: [PushTarget?]) {
        for target in targets {
            guard let token = target?.token, token.lastRegisteredAt == nil else { continue }
            tokenIDs.insert(token.tokenID)
            if tokenIDs.count == Self.mostNamed { break }
        }
    }

    func contains(_ target: PushTarget) -> Bool {
        target.token.map { tokenIDs.contains($0.tokenID) } ?? false
    }
}
