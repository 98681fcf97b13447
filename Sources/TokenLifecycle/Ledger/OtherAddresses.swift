internal import DeliveryModel
internal import PostgresClient

/// A registered token, and another address than the registered one, which responses name.
private struct OtherAddressKey: Hashable, Comparable {
    let appID: Int64
    let tokenID: Int64
    let place: TokenPlace

    static func < (left: OtherAddressKey, right: OtherAddressKey) -> Bool {
        (left.tokenID, left.place.provider, left.place.environment.rawValue, left.place.topic)
            < (right.tokenID, right.place.provider, right.place.environment.rawValue, right.place.topic)
    }
}

extension PostgresConnection {
    /// Records the responses that name registered tokens under other addresses. Usually there are none.
    func recordOtherAddresses(_ responses: [TokenResponse], now: Instant) throws {
        var said: [OtherAddressKey: [TokenEvidence]] = [:]
        for response in responses {
            guard let place = response.otherPlace else { continue }
            let key = OtherAddressKey(appID: response.appID, tokenID: response.token.tokenID, place: place)
            said[key, default: []].append(response.evidence)
        }
        guard !said.isEmpty else { return }
        let sorted = said.sorted { $0.key < $1.key }
        func last(_ evidence: [TokenEvidence], isAccepted: Bool) -> Instant? {
            evidence.filter { ($0.outcome.outcomeClass == .accepted) == isAccepted }.map(\.sentAt).max()
        }
        let latest = sorted.map { $0.value.max { $0.sentAt < $1.sentAt } }
        try query(
            .Tokens.recordOtherAddresses,
            [
                .array(sorted.map(\.key.appID)), .array(sorted.map(\.key.tokenID)),
                .array(sorted.map(\.key.place.provider)),
                .array(sorted.map(\.key.place.environment.rawValue)),
                .array(sorted.map(\.key.place.topic)), .array(sorted.map { Int64($0.value.count) }),
                .nullableArray(sorted.map { last($0.value, isAccepted: true) }),
                .nullableArray(sorted.map { last($0.value, isAccepted: false) }),
                .array(latest.map { Int32($0?.status ?? 0) }), .array(latest.map { $0?.reason ?? "" }),
                .value(now),
            ])
    }
}
