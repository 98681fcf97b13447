internal import DeliveryModel
internal import Foundation
internal import TokenLifecycle

// What the events of a batch say about tokens and installations, and what their senders are told about them.

extension DeliveryBatch.Entry {
    /// - Parameter sentAt: when the notification was sent; used if the response itself does not say.
    func tokenResponse(sentAt: Instant) -> TokenResponse? {
        guard case .response(let posted) = event.content, let token, let response else { return nil }
        var evidence = TokenEvidence(
            outcome: response.outcome, provider: posted.provider, status: posted.status,
            reason: posted.reason, sentAt: event.sentAt ?? sentAt, invalidSince: posted.facts.invalidSince)
        evidence.isFinal = posted.isFinal
        var tokenResponse = TokenResponse(
            appID: appID, token: token, evidence: evidence,
            environment: place?.environment ?? posted.environment, topic: place?.topic ?? "")
        tokenResponse.otherPlace = otherPlace
        tokenResponse.isMeant = isMeant
        return tokenResponse
    }

    /// - Parameter changed: the notification's row. It names the push's token, and the token's holder when
    ///   the response was recorded. A misdirected event says nothing about either.
    func signOfLife(in changed: ChangedDelivery, now: Instant) -> SignOfLife? {
        guard case .device(let report) = event.content else { return nil }
        let isMisdirected = isMisdirected(changed.installationID)
        return SignOfLife(
            appID: appID, at: min(report.occurredAt ?? now, now), deviceID: report.deviceID,
            tokenID: isMisdirected ? nil : changed.tokenID,
            holderID: isMisdirected ? nil : changed.installationID)
    }
}

extension PostedItem {
    /// Warnings that only the database's data can show.
    func warnings(
        _ target: PushTarget?, _ outcome: ResponseOutcome?, _ unregistered: UnregisteredTokens
    ) -> ItemWarnings {
        var warnings: ItemWarnings = []
        if let outcome, !outcome.isListed, case .rejected(let rejectionClass) = outcome.outcomeClass {
            warnings.formUnion(.unlistedReason(as: rejectionClass))
        }
        guard response != nil, let target, let address = tokenAddress?.address else { return warnings }
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
}

/// The first few tokens of a batch that no app has registered: enough for a sender that is being set up.
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
