internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Ingestion
internal import Presets
internal import Trust

extension EventIntake {
    /// Reads what another sender posted. It is recorded as any post of events.
    ///
    /// - Parameter headers: by lower-case name.
    /// - Parameter share: also bounds the translated items, which may be larger than the body.
    /// - Throws: 401 if the signature is none of the app's secrets; 413 for too many items, or for one of
    ///   which the quarantine would keep only the beginning; 503 if the queue or the memory is full.
    func read(
        _ body: [UInt8], headers: [String: String], through preset: Preset,
        began: ContinuousClock.Instant, credential: Credential, _ share: inout IntakeBudget.Share
    ) throws(Problem) -> (post: Post, reading: PresetReading) {
        let (flow, cell) = (credential.flow, try cells[credential.app.cell])
        if cell.batcher.isFull(for: flow) { throw overloaded() }
        let now = cell.clock.now
        let secrets = credential.trust.intakeSecrets[preset.name]
        if secrets?.isEmpty == true { throw .unreadableSecret(of: preset.name) }
        let mostItems = limits.items(with: .server)
        let reading = preset.reading(
            PresetPost(headers: headers, body: body, secret: nil, now: now, mostItems: mostItems),
            secrets: secrets ?? [])
        if let fault = reading.fault { throw .invalidSignature(fault.detail) }
        guard reading.items.count <= mostItems else {
            throw Problem(EventBodyError.tooMany, in: body, mostItems: mostItems)
        }
        let validator = validator(for: credential, in: cell, now: now, began: began)
        let items = BatchItem.items(
            of: reading, in: body, of: preset.name, appID: flow.appID, validator)
        guard items.allSatisfy({ $0.text.count <= FieldLimits.item }) else { throw .recordTooLarge }
        try share.take(items.reduce(0) { $0 + $1.text.count })
        return (Post(cell: cell, items: items, isSingleObject: false, ticket: nil), reading)
    }
}

extension Preset {
    /// Tries the app's secrets for this preset, the newest first; without any, no signature is checked.
    fileprivate func reading(_ post: PresetPost, secrets: [String]) -> PresetReading {
        var post = post
        for secret in secrets.dropLast() {
            post.secret = secret
            let reading = read(post)
            if reading.fault == nil { return reading }
        }
        post.secret = secrets.last
        return read(post)
    }
}

extension Problem {
    fileprivate static let recordTooLarge = Problem(
        .contentTooLarge, "body_too_large",
        "a record has more than \(FieldLimits.item) bytes, or is part of an array that is not valid JSON: "
            + "post one record per line; nothing of this post was recorded")

    fileprivate static func unreadableSecret(of preset: String) -> Problem {
        invalidSignature(
            "the secret of \(preset) is sealed with another token key than this server's: give the server that "
                + "key, or revoke the secret (landfall key revoke) and store it again (landfall key import)")
    }

    fileprivate static func invalidSignature(_ detail: String) -> Problem {
        Problem(.unauthorized, "invalid_signature", detail, headers: [.wwwAuthenticate: "Bearer"])
    }
}
