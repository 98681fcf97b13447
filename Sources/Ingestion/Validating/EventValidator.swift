public import DeliveryModel
internal import Foundation
public import Instants
public import Trust

/// Reads posted items and validates them against the contract: bytes in, events or reasons out. Pure: the time is passed in.
public struct EventValidator: Sendable {
    /// The kind of key that posted the item.
    public enum Poster: String, Sendable {
        case server
        /// May post only what happened on a device.
        case device
    }

    /// More bytes than any event needs. A longer item is not even read.
    static let longestItem = 64 << 10
    public static let longestString = 255
    /// More than a device can keep.
    static let mostDropped = 1_000_000
    static let furthestFuture = Span.hours(24)
    /// Devices cannot create days older than this. A phone that was off for two weeks reports about notifications whose responses
    /// were posted, so their days exist.
    static let deviceDays: Int64 = 14
    /// If an id is older than its push by more than this, it was not created when the push was sent.
    static let oldID = Span.hours(24)

    private let poster: Poster
    private let now: Instant
    private let receivedAt: Instant
    private let retention: Span
    private let additionalProviders: [String]
    private let trust: TrustRules

    /// - Parameters:
    ///   - receivedAt: when the item was received, if that was before now (in a replay).
    ///   - retention: how long rows are kept; older events are rejected.
    ///   - additionalProviders: provider names that the app has added to ``Provider/known``.
    ///   - trust: what the app demands of devices. Of these, only receipts matter here.
    public init(
        poster: Poster, now: Instant, receivedAt: Instant? = nil, retention: Span = .standardRetention,
        additionalProviders: [String] = [], trust: TrustRules = TrustRules()
    ) {
        self.poster = poster
        self.now = now
        self.receivedAt = receivedAt ?? now
        self.retention = retention
        self.additionalProviders = additionalProviders
        self.trust = trust
    }

    /// - Parameter item: any bytes; if valid, one JSON object in UTF-8.
    public func decode(_ item: ArraySlice<UInt8>) -> Result<Event, ItemRejection> {
        guard item.count <= Self.longestItem else {
            return .failure(ItemRejection(.tooLong, "an item may have at most \(Self.longestItem) bytes"))
        }
        return Result { () throws(ItemRejection) in
            try event(
                from: try item.withUnsafeBufferPointer { bytes throws(ItemRejection) in
                    try PostedEventReader.read(UnsafeRawBufferPointer(bytes))
                })
        }
    }

    private func event(from posted: PostedEvent) throws(ItemRejection) -> Event {
        guard let type = posted.type else {
            throw ItemRejection(.unknownType, "type is required, one of \(Self.types)")
        }
        if let fault = posted.stringFault { throw fault.rejection }
        switch type {
        case "response":
            try requireServer(type)
            return try responseEvent(from: posted)
        case "recall":
            try requireServer(type)
            return Event(try notificationKey(posted), .recall)
        default:
            guard let kind = DeviceReport.Kind(rawValue: type) else {
                throw ItemRejection(.unknownType, "type must be one of \(Self.types)")
            }
            let key = try notificationKey(posted)
            var report = try report(kind, from: posted)
            report.isSigned = try isSigned(posted, id: key.name.id)
            var event = Event(key, .device(report))
            if report.isTimedByReceipt, report.bit != .witnessed { event.warnings.insert(.noOccurredAt) }
            return event
        }
    }

    private func responseEvent(from posted: PostedEvent) throws(ItemRejection) -> Event {
        let key = try notificationKey(posted, isResponse: true)
        var event = Event(key, .response(try response(from: posted)))
        guard let sentAt = key.sentAt ?? event.idTime else {
            let field: PostedField = posted.messageID == nil ? .notificationID : .messageID
            throw ItemRejection(
                .missingSentAt, "sent_at is required if \(field.name) is not a version 7 UUID")
        }
        if let idTime = event.idTime, sentAt - idTime > Self.oldID {
            event.warnings.insert(.idOlderThanSentAt)
        }
        return event
    }

    private static let types = "response, arrival, presentation, click, dismissal, recall"

    private func requireServer(_ type: String) throws(ItemRejection) {
        guard case .server = poster else {
            throw ItemRejection(.forbiddenType, "a device key may not post '\(type)': use a server key")
        }
    }
}

// MARK: - The notification

extension EventValidator {
    /// A sender's `sent_at` is authoritative; if it is missing, the time inside a version 7 id is used. A device's `sent_at`
    /// counts only if the id contains no time: it is a copy at best, and the row is found without it.
    private func notificationKey(
        _ posted: PostedEvent, isResponse: Bool = false
    ) throws(ItemRejection) -> (name: NotificationName, sentAt: Instant?) {
        let name = try notificationName(posted, isResponse: isResponse)
        let idTime = name.id.versionSevenInstant
        if let idTime { try checkKept(idTime, "according to the time in its version 7 id, the notification") }
        let sentAt = isResponse || idTime == nil ? posted.sentAt?.instant : nil
        if let sentAt { try checkKept(sentAt, "the notification") }
        return (name, sentAt == idTime ? nil : sentAt)
    }

    private func checkKept(_ sentAt: Instant, _ what: String) throws(ItemRejection) {
        guard sentAt <= now + Self.furthestFuture else {
            throw ItemRejection(.inFuture, "\(what) was sent more than 24 hours in the future")
        }
        guard sentAt >= now - retention else {
            let days = retention.milliseconds / Span.days(1).milliseconds
            throw ItemRejection(.tooOld, "\(what) is older than the retention of \(days) days")
        }
    }

    /// Whether an item may create the day in which a notification was sent, if nothing has been posted about that day yet. Servers
    /// can, up to the retention, to post what they kept from before. Device keys are public: with one id per day, any client could
    /// otherwise create a partition for every day of the retention.
    static func createsDay(of sentAt: Instant, _ poster: Poster, now: Instant) -> Bool {
        poster == .server || sentAt >= now - .days(deviceDays)
    }

    private func notificationName(
        _ posted: PostedEvent, isResponse: Bool
    ) throws(ItemRejection) -> NotificationName {
        if let postedID = posted.messageID {
            return try messageName(postedID, posted, isResponse: isResponse)
        }
        guard let postedID = posted.notificationID else {
            throw ItemRejection(
                .missingNotificationID,
                "notification_id (or message_id) is required: the UUID that the sender chose")
        }
        guard let id = postedID.uuid else {
            throw ItemRejection(.invalidNotificationID, "notification_id must be a UUID")
        }
        return .notification(id)
    }

    /// A message is for many devices. The token of a response, otherwise the device id, identifies the one.
    private func messageName(
        _ postedID: PostedUUID, _ posted: PostedEvent, isResponse: Bool
    ) throws(ItemRejection) -> NotificationName {
        guard posted.notificationID == nil else {
            throw ItemRejection(
                .invalidField,
                "post either notification_id or message_id: with both, it is unclear which one counts")
        }
        guard let id = postedID.uuid else {
            throw ItemRejection(.invalidField, "message_id must be a UUID")
        }
        let hasToken = posted.token != nil && posted.tokenMalformed != true
        if isResponse && hasToken { return .message(id, deviceID: nil) }
        if let deviceID = try deviceID(posted) { return .message(id, deviceID: deviceID) }
        throw isResponse
            ? ItemRejection(
                .missingToken,
                "token (or device_id) is required with message_id; a broadcast has its own notification_id"
            )
            : ItemRejection(
                .missingNotificationID,
                "device_id is required with message_id: together they identify the notification")
    }
}

// MARK: - Responses

extension EventValidator {
    private func response(from posted: PostedEvent) throws(ItemRejection) -> ProviderResponse {
        let reading = try provider(posted.provider)
        var error = ProviderError()
        if let postedError = posted.error {
            error = try ProviderError(postedError, provider: reading.provider)
        }
        let reason = error.reason ?? posted.reason.flatMap { $0.isEmpty ? nil : $0 }
        var response = ProviderResponse(
            provider: reading.provider, status: try status(posted, error, reading.provider))
        response.reason = reason
        if reading.provider == Self.hms, response.status > 65_535 {
            // HMS responds with HTTP 200 and a code of its own in the body; senders post either as the status.
            response.reason = String(response.status)
            response.status = 200
        }
        if posted.status == .error, response.reason == nil { response.reason = "error" }
        response.invalidSince = posted.timestamp?.instant ?? error.timestamp
        response.environment = try environment(posted.environment, reading)
        response.topic = posted.topic ?? ""
        response.pushType = posted.pushType ?? PushType.alert.rawValue
        response.priority = posted.priority
        response.mutableContent = posted.mutableContent
        response.collapseID = posted.collapseID
        response.campaign = posted.campaign ?? ""
        response.variant = posted.variant ?? ""
        response.isFinal = posted.final ?? false
        response.target = try target(of: posted, response)
        return response
    }

    private static let hms = "hms"

    private func provider(_ word: String?) throws(ItemRejection) -> Provider.Reading {
        let list = Provider.list(additional: additionalProviders)
        guard let word, !word.isEmpty else {
            throw ItemRejection(.invalidField, "provider is required, one of \(list)")
        }
        guard let reading = Provider.read(word, additional: additionalProviders) else {
            throw ItemRejection(
                .unknownProvider,
                "provider must be one of \(list), or a word that 'landfall app set providers' has added"
            )
        }
        return reading
    }

    /// 0 to 65,535. HMS has larger codes of its own, and an Expo ticket says `ok` or `error`. If an accepting status comes with
    /// an error that has a failing status, the error's status counts.
    private func status(
        _ posted: PostedEvent, _ error: ProviderError, _ provider: String
    ) throws(ItemRejection) -> Int {
        let longest = provider == Self.hms ? Int(Int32.max) : 65_535
        switch posted.status {
        case .code(let code) where (0...longest).contains(code):
            guard let status = error.status, (200...299).contains(code), (400...599).contains(status) else {
                return code
            }
            return status
        case .ok where provider == "expo", .error where provider == "expo": return 200
        case nil:
            if let status = error.status, (0...longest).contains(status) { return status }
        default: break
        }
        throw ItemRejection(
            .invalidStatus, "status is required: the provider's status as a number, 0 if it did not respond")
    }

    private func environment(
        _ name: String?, _ provider: Provider.Reading
    ) throws(ItemRejection) -> Environment {
        guard let name else { return provider.environment ?? .production }
        guard let environment = Environment(rawValue: name) else {
            throw ItemRejection(.invalidField, "environment must be production or sandbox")
        }
        guard provider.environment ?? environment == environment else {
            throw ItemRejection(
                .invalidField,
                "provider and environment name different environments: post provider apns")
        }
        return environment
    }

    private func target(
        of posted: PostedEvent, _ response: ProviderResponse
    ) throws(ItemRejection) -> ProviderResponse.Target? {
        let isMalformed = posted.tokenMalformed == true
        if isMalformed, (200...299).contains(response.status), response.reason == nil {
            throw ItemRejection(
                .invalidField,
                "token_malformed contradicts status \(response.status): the provider accepted the token")
        }
        if let value = posted.token, !isMalformed {
            let kind = try kind(of: posted, response)
            let issuer = TokenKind.issuer(ofTokensOf: response.provider)
            guard let normalized = TokenKind.normalize(value, issuer: issuer) else {
                // The provider rejected the token, too: the attempt counts, without a token.
                if response.status == 400, posted.messageID == nil { return nil }
                guard value.utf8.count <= TokenKind.longestValue else {
                    throw ItemRejection(.tooLong, "token is longer than \(TokenKind.longestValue) bytes")
                }
                throw ItemRejection(
                    .invalidToken,
                    "token is not a device token of kind \(kind.rawValue). If the provider rejected it as malformed, post "
                        + "token_malformed: true"
                        + (posted.messageID == nil ? "" : ", and device_id with message_id"))
            }
            return .token(
                TokenAddress(
                    provider: issuer, environment: response.environment, topic: response.topic,
                    kind: kind, value: normalized))
        }
        if let deviceID = try deviceID(posted) { return .device(deviceID) }
        guard posted.channel != nil || isMalformed else {
            throw ItemRejection(
                .missingToken,
                "token is required (or device_id for a channel without tokens, or channel for broadcasts, or "
                    + "token_malformed if the value was not a token)")
        }
        return nil
    }

    private func kind(
        of posted: PostedEvent, _ response: ProviderResponse
    ) throws(ItemRejection) -> TokenKind {
        guard let name = posted.tokenKind else {
            return .inferred(provider: response.provider, pushType: response.pushType)
        }
        guard let kind = TokenKind(rawValue: name) else {
            let kinds = TokenKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ItemRejection(.invalidField, "token_kind must be one of \(kinds)")
        }
        return kind
    }
}

// MARK: - Device events

extension EventValidator {
    private func report(
        _ kind: DeviceReport.Kind, from posted: PostedEvent
    ) throws(ItemRejection) -> DeviceReport {
        var report = DeviceReport(kind: kind)
        report.deviceID = try deviceID(posted)
        report.occurredAt = occurredAt(posted)
        if report.occurredAt == nil {
            report.occurredAt = receivedAt
            report.isTimedByReceipt = true
        }
        // Fields of another kind of event are ignored.
        switch kind {
        case .click:
            report.action = posted.action.flatMap { $0.isEmpty ? nil : $0 }
            report.appState = try word(posted.appState, .appState)
            report.hasText = posted.hasText
        case .arrival:
            report.evidence = try word(posted.evidence, .evidence) ?? .extension
            let outcome: PostedOutcome? = try word(posted.outcome, .outcome)
            report.extensionOutcome = outcome.flatMap { DeviceReport.ExtensionOutcome(rawValue: $0.rawValue) }
        case .presentation, .dismissal: break
        }
        report.isUnshared = posted.shared == false
        report.droppedEvents = try droppedEvents(posted)
        report.isClockOff = isClockOff(posted)
        report.category = posted.category.flatMap { $0.isEmpty ? nil : $0 }
        report.appVersion = posted.appVersion.flatMap { $0.isEmpty ? nil : $0 }
        report.kit = posted.kit.flatMap { $0.isEmpty ? nil : $0 }
        switch posted.source {
        case nil, "remote": break
        case "local": report.isLocal = true
        default: throw ItemRejection(.invalidField, "source must be remote or local")
        }
        return report
    }

    /// One of the words that the field may have.
    private func word<Word>(_ posted: String?, _ field: PostedField) throws(ItemRejection) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        guard let posted, !posted.isEmpty else { return nil }
        if let word = Word(rawValue: posted) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw ItemRejection(.invalidField, "\(field.name) must be one of \(words)")
    }

    /// The words of `outcome`. Only those of runs that did not end well are kept.
    private enum PostedOutcome: String, CaseIterable {
        case ok
        case expired
        case attachmentFailed = "attachment_failed"
    }

    private func droppedEvents(_ posted: PostedEvent) throws(ItemRejection) -> Int64 {
        guard let dropped = posted.dropped else { return 0 }
        guard (0...Self.mostDropped).contains(dropped) else {
            throw ItemRejection(.invalidField, "dropped must be from 0 to \(Self.mostDropped)")
        }
        return Int64(dropped)
    }

    private func isClockOff(_ posted: PostedEvent) -> Bool {
        guard let reportedAt = posted.reportedAt?.instant else { return false }
        return abs((receivedAt - reportedAt).milliseconds) > DeviceReport.clockTolerance.milliseconds
    }

    /// Whether the event is about a notification that its poster has certainly received.
    ///
    /// - Throws: `invalid_receipt` if the app requires a receipt. Also for `source` `local`, because a device that forges an event
    ///   chooses its source.
    private func isSigned(_ posted: PostedEvent, id: UUID) throws(ItemRejection) -> Bool {
        guard trust.receipts != .off else { return false }
        guard poster == .device else { return true }
        if let text = posted.receipt, let receipt = Receipt(text),
            receipt.isValid(for: id, keys: trust.receiptKeys)
        {
            return true
        }
        guard trust.receipts == .observe else {
            throw ItemRejection(
                .invalidReceipt,
                posted.receipt == nil
                    ? "receipt is required: the sender puts it into the payload, and the device posts it with its events"
                    : "receipt must be what the sender signed for this notification_id or message_id, with a key that is valid"
            )
        }
        return false
    }

    /// The event's time by the server's clock: if the device states its clock at upload, that corrects the time. `nil` if the
    /// time is missing or impossible; the caller then uses the time of receipt.
    private func occurredAt(_ posted: PostedEvent) -> Instant? {
        guard var occurredAt = posted.occurredAt?.instant else { return nil }
        if let reportedAt = posted.reportedAt?.instant { occurredAt = occurredAt + (receivedAt - reportedAt) }
        return (now - retention...now + Self.furthestFuture).contains(occurredAt) ? occurredAt : nil
    }

    private func deviceID(_ posted: PostedEvent) throws(ItemRejection) -> UUID? {
        guard let postedID = posted.deviceID else { return nil }
        guard let id = postedID.uuid else {
            throw ItemRejection(.invalidField, "device_id must be a UUID")
        }
        return id
    }
}

extension Event {
    fileprivate init(_ key: (name: NotificationName, sentAt: Instant?), _ content: Content) {
        self.init(key.name, sentAt: key.sentAt, content: content)
    }
}
