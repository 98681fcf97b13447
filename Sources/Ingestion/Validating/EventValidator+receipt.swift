internal import DeliveryModel

extension EventValidator {
    /// Whether the device event is a vendor's receipt: it names the token that the push was sent to, and no
    /// device. Only a server may post one, because a device knows itself.
    func isReceipt(_ posted: PostedEvent) -> Bool {
        poster == .server && posted.type != "recall" && posted.token != nil && posted.provider != nil
    }

    /// The token of a vendor's receipt.
    func receiptToken(_ posted: inout PostedEvent) throws(ItemRejection) -> TokenAddress {
        let reading = try provider(posted.provider)
        let environment = try environment(&posted, reading)
        let issuer = TokenKind.issuer(ofTokensOf: reading.provider)
        let topic = posted.topic ?? ""
        let kind = TokenKind.inferred(provider: reading.provider, topic: topic)
        switch TokenValue.read(posted.token ?? "", issuer: issuer) {
        case .success(let read):
            return TokenAddress(
                provider: issuer, environment: environment, topic: topic,
                kind: kind.refined(byValue: read.text), value: read.canonical, text: read.text)
        case .failure(let fault):
            throw ItemRejection(
                fault == .tooLong ? .tooLong : .invalidToken,
                "token is not a device token of kind \(kind.rawValue): it \(fault.advice)")
        }
    }
}
