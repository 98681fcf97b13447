internal import DeliveryModel
internal import Foundation

extension EventValidator {
    func response(from posted: inout PostedEvent) throws(ItemRejection) -> ProviderResponse {
        let reading = try provider(posted.provider)
        let provider = Provider.speaking(
            reading.provider, isToChannel: posted.token == nil && posted.channel?.isEmpty == false,
            token: posted.token)
        let said = try said(&posted, by: provider)
        var response = ProviderResponse(provider: provider, status: said.status)
        response.reason = said.reason
        response.facts = posted.facts.stated(by: [.response, .counted])
        response.facts.invalidSince = posted.timestamp?.instant ?? said.timestamp
        response.environment = try environment(&posted, reading)
        response.topic = posted.topic ?? ""
        let pushType = posted.pushType.flatMap { $0.isEmpty ? nil : PushType(posted: $0) } ?? .alert
        response.pushType = pushType.rawValue
        response.priority = posted.priority
        response.mutableContent = posted.mutableContent
        response.campaign = posted.campaign ?? ""
        response.variant = posted.variant ?? ""
        response.isFinal = posted.final ?? false
        response.target = try target(of: &posted, response)
        return response
    }

    /// The provider's status and reason and, from APNs, the time at which the token became invalid.
    private func said(
        _ posted: inout PostedEvent, by provider: String
    ) throws(ItemRejection) -> (status: Int, reason: String?, timestamp: Instant?) {
        var reason = posted.reason.flatMap { $0.isEmpty || ProviderText.isAbsent($0) ? nil : $0 }
        // The status of an Expo ticket, which may have no other word.
        if posted.status == .word("error") { reason = reason ?? "error" }
        let (code, word) = try status(posted.status, by: provider)
        if let code, reason == nil, word == nil, posted.error == nil { return (code, nil, nil) }
        let error = ProviderError(
            posted.error, reason: word ?? reason, status: code, provider: provider, token: posted.token,
            taxonomy)
        if error.hasUnreadTimestamp { posted.unread.insert(.timestamp) }
        guard let status = error.status else {
            throw ItemRejection(
                .invalidStatus,
                "status is required: the provider's status as a number, 0 if it did not respond. It may be missing only if the "
                    + "reason is listed for one status")
        }
        return (status, error.reason, error.timestamp)
    }

    /// The status as a number. A provider's own code or word is the reason instead.
    private func status(
        _ posted: PostedStatus?, by provider: String
    ) throws(ItemRejection) -> (status: Int?, word: String?) {
        switch posted {
        case nil: return (nil, nil)
        case .code(let code) where (0...599).contains(code): return (code, nil)
        case .code(let code):
            // HMS and others return HTTP 200 and their own code in the body; senders post either as status.
            let isCode = code > 0 && taxonomy.spellings.listed(String(code), of: provider) != nil
            if isCode || (provider == "hms" && (65_536...Int(Int32.max)).contains(code)) {
                return (200, String(code))
            }
            if (0...65_535).contains(code) { return (code, nil) }
        case .word(let word) where provider == "expo" && ["ok", "error"].contains(word): return (200, nil)
        case .word(let word):
            if let listed = taxonomy.spellings.listed(word, of: provider) {
                return (taxonomy.status(of: listed, by: provider), listed)
            }
            if let code = ProviderText.status(in: word) { return (code, nil) }
        }
        throw ItemRejection(
            .invalidStatus, "status is required: the provider's status as a number, 0 if it did not respond")
    }

    func provider(_ word: String?) throws(ItemRejection) -> Provider.Reading {
        if let word, let reading = Provider.read(word, additional: additionalProviders) { return reading }
        let list = Provider.list(additional: additionalProviders)
        guard let word, !word.isEmpty else {
            throw ItemRejection(.invalidField, "provider is required, one of \(list)")
        }
        throw ItemRejection(
            .unknownProvider,
            "provider must be one of \(list), or a word that 'landfall app set providers' has added")
    }

    func environment(
        _ posted: inout PostedEvent, _ provider: Provider.Reading
    ) throws(ItemRejection) -> Environment {
        guard let name = posted.environment, !name.isEmpty else { return provider.environment ?? .production }
        guard let environment = Environment(posted: name) else {
            posted.unread.insert(.environment)
            return provider.environment ?? .production
        }
        guard provider.environment ?? environment == environment else {
            throw ItemRejection(
                .invalidField,
                "provider and environment name different environments: post provider apns")
        }
        return environment
    }

    private func target(
        of posted: inout PostedEvent, _ response: ProviderResponse
    ) throws(ItemRejection) -> ProviderResponse.Target? {
        let isMalformed = posted.tokenMalformed == true
        if isMalformed, (200...299).contains(response.status), response.reason == nil {
            throw ItemRejection(
                .invalidField,
                "token_malformed contradicts status \(response.status): the provider accepted the token")
        }
        if let value = posted.token, !isMalformed {
            let kind = kind(of: &posted, response)
            let issuer = TokenKind.issuer(ofTokensOf: response.provider)
            switch TokenValue.read(value, issuer: issuer) {
            case .success(let read):
                return .token(
                    TokenAddress(
                        provider: issuer, environment: response.environment, topic: response.topic,
                        kind: kind.refined(byValue: read.text), value: read.canonical, text: read.text))
            case .failure(let fault):
                // The provider rejected the token, too: the attempt counts, without a token.
                if response.status == 400, posted.messageID == nil { return nil }
                throw ItemRejection(
                    fault == .tooLong ? .tooLong : .invalidToken,
                    "token is not a device token of kind \(kind.rawValue): it \(fault.advice). If the provider rejected it as "
                        + "malformed, post token_malformed: true"
                        + (posted.messageID == nil ? "" : ", and device_id with message_id"))
            }
        }
        if let deviceID = deviceID(&posted) { return .device(deviceID) }
        guard posted.channel != nil || isMalformed else {
            throw ItemRejection(
                .missingToken,
                "token is required (or device_id for a channel without tokens, or channel for broadcasts, or "
                    + "token_malformed if the value was not a token)")
        }
        return nil
    }

    private func kind(of posted: inout PostedEvent, _ response: ProviderResponse) -> TokenKind {
        if let name = posted.tokenKind, !name.isEmpty {
            if let kind = TokenKind(named: name) { return kind.refined(byTopic: response.topic) }
            posted.unread.insert(.tokenKind)
        }
        return .inferred(provider: response.provider, pushType: response.pushType, topic: response.topic)
    }
}
