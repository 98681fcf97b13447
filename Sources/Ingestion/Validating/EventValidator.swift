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
    private let uploadedFrom: Instant
    private let retention: Span
    private let additionalProviders: [String]
    private let trust: TrustRules
    private let taxonomy: RejectionTaxonomy

    /// - Parameters:
    ///   - receivedAt: when the item was received, if that was before now (in a replay).
    ///   - uploadedFrom: when its request began. Its device read its clock before the upload, which may take long.
    ///   - retention: how long rows are kept; older events are rejected.
    ///   - additionalProviders: provider names that the app has added to ``Provider/known``.
    ///   - trust: what the app demands of devices. Of these, only receipts matter here.
    ///   - taxonomy: the list that decides which words of a response count.
    public init(
        poster: Poster, now: Instant, receivedAt: Instant? = nil, uploadedFrom: Instant? = nil,
        retention: Span = .standardRetention, additionalProviders: [String] = [],
        trust: TrustRules = TrustRules(),
        taxonomy: RejectionTaxonomy = .empty
    ) {
        self.poster = poster
        self.now = now
        self.receivedAt = receivedAt ?? now
        self.uploadedFrom = min(uploadedFrom ?? self.receivedAt, self.receivedAt)
        self.retention = retention
        self.additionalProviders = additionalProviders
        self.trust = trust
        self.taxonomy = taxonomy
    }

    /// - Parameter item: any bytes; if valid, one JSON object in UTF-8.
    public func decode(_ item: ArraySlice<UInt8>) -> Result<Event, ItemRejection> {
        guard item.count <= Self.longestItem else {
            return .failure(ItemRejection(.tooLong, "an item may have at most \(Self.longestItem) bytes"))
        }
        return Result { () throws(ItemRejection) in
            var posted = try item.withUnsafeBufferPointer { bytes throws(ItemRejection) in
                try PostedEventReader.read(UnsafeRawBufferPointer(bytes))
            }
            var event = try event(from: &posted)
            if !posted.unread.isEmpty { event.warnings.formUnion(posted.unread.warnings) }
            return event
        }
    }

    private func event(from posted: inout PostedEvent) throws(ItemRejection) -> Event {
        guard let type = posted.type else {
            throw ItemRejection(.unknownType, "type is required, one of \(Self.types)")
        }
        if let fault = posted.stringFault { throw fault.rejection }
        switch type {
        case "response":
            try requireServer(type)
            return try responseEvent(from: &posted)
        case "recall":
            try requireServer(type)
            return Event(try notificationKey(&posted), .recall)
        default:
            guard let kind = DeviceReport.Kind(rawValue: type) else {
                throw ItemRejection(.unknownType, "type must be one of \(Self.types)")
            }
            let key = try notificationKey(&posted)
            var report = try report(kind, from: &posted)
            report.isSigned = try isSigned(posted, id: key.name.id)
            var event = Event(key, .device(report))
            if report.isTimedByReceipt, report.bit != .witnessed, !posted.unread.contains(.occurredAt) {
                event.warnings.insert(posted.occurredAt?.instant == nil ? .noOccurredAt : .impossibleTime)
            }
            return event
        }
    }

    private func responseEvent(from posted: inout PostedEvent) throws(ItemRejection) -> Event {
        // The first response decides in which cohort a push counts, so a wrong time is not left out.
        if posted.unread.contains(.sentAt) { throw PostedField.sentAt.misfit }
        let key = try notificationKey(&posted, isResponse: true)
        var event = Event(key, .response(try response(from: &posted)))
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
        _ posted: inout PostedEvent, isResponse: Bool = false
    ) throws(ItemRejection) -> (name: NotificationName, sentAt: Instant?) {
        let name = try notificationName(&posted, isResponse: isResponse)
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
        _ posted: inout PostedEvent, isResponse: Bool
    ) throws(ItemRejection) -> NotificationName {
        if let postedID = posted.messageID {
            return try messageName(postedID, &posted, isResponse: isResponse)
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
        _ postedID: PostedUUID, _ posted: inout PostedEvent, isResponse: Bool
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
        if let deviceID = deviceID(&posted) { return .message(id, deviceID: deviceID) }
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
    private func response(from posted: inout PostedEvent) throws(ItemRejection) -> ProviderResponse {
        let reading = try provider(posted.provider)
        let provider = Provider.speaking(
            reading.provider, isToChannel: posted.channel != nil && posted.token == nil, token: posted.token)
        let said = try said(&posted, by: provider)
        var response = ProviderResponse(provider: provider, status: said.status)
        response.reason = said.reason
        response.invalidSince = posted.timestamp?.instant ?? said.timestamp
        response.environment = try environment(&posted, reading)
        response.topic = posted.topic ?? ""
        response.pushType = posted.pushType.flatMap { $0.isEmpty ? nil : $0 } ?? PushType.alert.rawValue
        response.priority = posted.priority
        response.mutableContent = posted.mutableContent
        response.collapseID = posted.collapseID
        response.campaign = posted.campaign ?? ""
        response.variant = posted.variant ?? ""
        response.isFinal = posted.final ?? false
        response.target = try target(of: &posted, response)
        return response
    }

    /// What the provider said: its status, its reason and, from APNs, when the token became invalid.
    private func said(
        _ posted: inout PostedEvent, by provider: String
    ) throws(ItemRejection) -> (status: Int, reason: String?, timestamp: Instant?) {
        let reason = posted.reason.flatMap { $0.isEmpty ? nil : $0 }
        var (status, word) = try status(posted.status, by: provider)
        if let status, reason == nil, word == nil, posted.error == nil { return (status, nil, nil) }
        let error = ProviderError(
            posted.error, reason: word ?? reason, status: status, provider: provider, token: posted.token,
            taxonomy)
        if error.hasUnreadTimestamp { posted.unread.insert(.timestamp) }
        status = error.status
        if status == nil, posted.status == .word("error") { (status, word) = (200, "error") }
        guard let status else {
            throw ItemRejection(
                .invalidStatus,
                "status is required: the provider's status as a number, 0 if it did not respond. It may be missing only if the "
                    + "reason is listed for one status")
        }
        return (status, error.reason ?? (posted.status == .word("error") ? "error" : nil), error.timestamp)
    }

    /// The status as a number, unless the provider has codes or words of its own: they are the reason.
    private func status(
        _ posted: PostedStatus?, by provider: String
    ) throws(ItemRejection) -> (status: Int?, word: String?) {
        switch posted {
        case nil: return (nil, nil)
        case .code(let code) where (0...599).contains(code): return (code, nil)
        case .code(let code):
            // HMS and others respond with HTTP 200 and a code of their own in the body; senders post either as the status.
            let isCode = code > 0 && taxonomy.spellings.listed(String(code), of: provider) != nil
            if isCode || (provider == Self.hms && (65_536...Int(Int32.max)).contains(code)) {
                return (200, String(code))
            }
            if (0...65_535).contains(code) { return (code, nil) }
        case .word("ok") where provider == Self.expo: return (200, nil)
        case .word("error") where provider == Self.expo: return (200, nil)
        case .word(let word):
            if let listed = taxonomy.spellings.listed(word, of: provider) {
                return (taxonomy.status(of: listed, by: provider), listed)
            }
        }
        throw ItemRejection(
            .invalidStatus, "status is required: the provider's status as a number, 0 if it did not respond")
    }

    private static let hms = "hms"
    private static let expo = "expo"

    private func provider(_ word: String?) throws(ItemRejection) -> Provider.Reading {
        if let word, let reading = Provider.read(word, additional: additionalProviders) { return reading }
        let list = Provider.list(additional: additionalProviders)
        guard let word, !word.isEmpty else {
            throw ItemRejection(.invalidField, "provider is required, one of \(list)")
        }
        throw ItemRejection(
            .unknownProvider,
            "provider must be one of \(list), or a word that 'landfall app set providers' has added")
    }

    private func environment(
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
            if let kind = TokenKind(rawValue: name) { return kind }
            posted.unread.insert(.tokenKind)
        }
        return .inferred(provider: response.provider, pushType: response.pushType)
    }
}

// MARK: - Device events

extension EventValidator {
    private func report(
        _ kind: DeviceReport.Kind, from posted: inout PostedEvent
    ) throws(ItemRejection) -> DeviceReport {
        var report = DeviceReport(kind: kind)
        report.deviceID = deviceID(&posted)
        report.occurredAt = occurredAt(posted)
        if report.occurredAt == nil {
            report.occurredAt = receivedAt
            report.isTimedByReceipt = true
        }
        // Fields of another kind of event are ignored.
        switch kind {
        case .click:
            report.action = posted.action.flatMap { $0.isEmpty ? nil : $0 }
            report.appState = word(posted.appState, .appState, &posted)
            report.hasText = posted.hasText
        case .arrival:
            report.evidence = try evidence(&posted)
            let outcome: PostedOutcome? = word(posted.outcome, .outcome, &posted)
            report.extensionOutcome = outcome.flatMap { DeviceReport.ExtensionOutcome(rawValue: $0.rawValue) }
        case .presentation, .dismissal: break
        }
        report.isUnshared = posted.shared == false
        report.droppedEvents = droppedEvents(&posted)
        report.isClockOff = isClockOff(posted)
        report.category = posted.category.flatMap { $0.isEmpty ? nil : $0 }
        report.appVersion = posted.appVersion.flatMap { $0.isEmpty ? nil : $0 }
        report.kit = posted.kit.flatMap { $0.isEmpty ? nil : $0 }
        let source: PostedSource? = word(posted.source, .source, &posted)
        report.isLocal = source == .local
        return report
    }

    /// One of the words that the field may have, in any case; `nil` if it is another.
    private func word<Word>(_ text: String?, _ field: PostedField, _ posted: inout PostedEvent) -> Word?
    where Word: RawRepresentable<String> {
        guard let text, !text.isEmpty else { return nil }
        if let word = Word(rawValue: text) ?? Word(rawValue: text.lowercased()) { return word }
        posted.unread.insert(field)
        return nil
    }

    /// An arrival with evidence that cannot be read is confirmed, but the extension did not report it.
    ///
    /// - Throws: `forbidden_evidence` if a device claims to be the provider.
    private func evidence(_ posted: inout PostedEvent) throws(ItemRejection) -> DeviceReport.Evidence {
        let text = posted.evidence?.lowercased() == "center" ? "centre" : posted.evidence
        let evidence: DeviceReport.Evidence? = word(text, .evidence, &posted)
        guard evidence != .provider || poster == .server else {
            throw ItemRejection(
                .forbiddenEvidence,
                "a device key may not post evidence 'provider': use a server key, or omit it")
        }
        return evidence ?? (posted.unread.contains(.evidence) ? .app : .extension)
    }

    private enum PostedSource: String {
        case remote
        case local
    }

    /// The words of `outcome`. Only those of runs that did not end well are kept.
    private enum PostedOutcome: String {
        case ok
        case expired
        case attachmentFailed = "attachment_failed"
    }

    private func droppedEvents(_ posted: inout PostedEvent) -> Int64 {
        guard let dropped = posted.dropped else { return 0 }
        guard (0...Self.mostDropped).contains(dropped) else {
            posted.unread.insert(.dropped)
            return 0
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
    /// time is missing or contradicts the others; the caller then uses the time of receipt.
    private func occurredAt(_ posted: PostedEvent) -> Instant? {
        guard var occurredAt = posted.occurredAt?.instant else { return nil }
        if let reportedAt = posted.reportedAt?.instant {
            guard occurredAt <= reportedAt else { return nil }
            occurredAt = occurredAt + correction(of: reportedAt)
        }
        return (now - retention...receivedAt).contains(occurredAt) ? occurredAt : nil
    }

    /// What makes the device's clock the server's. The device read its clock at some time before or during the upload, so a time
    /// within it needs no correction.
    private func correction(of reportedAt: Instant) -> Span {
        min(max(reportedAt, uploadedFrom), receivedAt) - reportedAt
    }

    private func deviceID(_ posted: inout PostedEvent) -> UUID? {
        guard let postedID = posted.deviceID else { return nil }
        if postedID.uuid == nil { posted.unread.insert(.deviceID) }
        return postedID.uuid
    }
}

extension PostedFields {
    /// One warning for each field.
    fileprivate var warnings: ItemWarnings {
        ItemWarnings(PostedField.allCases.filter(contains).map { .unreadField($0.rawValue) })
    }
}

extension ItemWarnings {
    /// Each warning with its code and advice about this item.
    public var notes: [(code: String, detail: String)] {
        notes { PostedField(rawValue: $0)?.name ?? "" }
    }
}

extension Event {
    fileprivate init(_ key: (name: NotificationName, sentAt: Instant?), _ content: Content) {
        self.init(key.name, sentAt: key.sentAt, content: content)
    }
}
