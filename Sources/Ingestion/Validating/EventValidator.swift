public import DeliveryModel
internal import Foundation
public import Trust

/// Validates posted items against the contract: bytes in, events or reasons out. Pure: the time is passed in.
public struct EventValidator: Sendable {
    /// The kind of key that posted the item.
    public enum Poster: String, CaseIterable, Decodable, Sendable {
        case server
        /// May post only what happened on a device.
        case device
    }

    /// More than a device can keep.
    static let mostDropped = 1_000_000
    static let furthestFuture = Span.hours(24)
    /// Devices cannot create days older than this. A phone that was off for two weeks reports about
    /// notifications whose responses were posted, so their days exist.
    static let deviceDays: Int64 = 14
    /// If an id is older than its push by more than this, it was not created when the push was sent.
    static let oldID = Span.hours(24)

    let appID: Int64
    let poster: Poster
    let now: Instant
    let receivedAt: Instant
    let uploadedFrom: Instant
    let retention: Span
    let additionalProviders: [String]
    let trust: TrustRules
    let taxonomy: RejectionTaxonomy

    /// - Parameters:
    ///   - appID: the app whose item it is; ids that are not UUIDs are in its namespace.
    ///   - receivedAt: when the item was received, if that was before now (in a replay).
    ///   - uploadedFrom: when the request began. The device read its clock before the upload, which may take
    ///     long.
    ///   - retention: how long rows are kept; older events are rejected.
    ///   - trust: what the app demands of devices. Of these, only receipts matter here.
    public init(
        appID: Int64, poster: Poster, now: Instant, receivedAt: Instant? = nil, uploadedFrom: Instant? = nil,
        retention: Span = .standardRetention, additionalProviders: [String] = [],
        trust: TrustRules = TrustRules(),
        taxonomy: RejectionTaxonomy = .empty
    ) {
        (self.appID, self.poster, self.now) = (appID, poster, now)
        self.receivedAt = receivedAt ?? now
        self.uploadedFrom = min(uploadedFrom ?? self.receivedAt, self.receivedAt)
        (self.retention, self.additionalProviders) = (retention, additionalProviders)
        (self.trust, self.taxonomy) = (trust, taxonomy)
    }

    public func decode(_ item: ArraySlice<UInt8>) -> Result<Event, ItemRejection> {
        guard item.count <= FieldLimits.item else {
            return .failure(ItemRejection(.tooLong, "an item may have at most \(FieldLimits.item) bytes"))
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
            throw ItemRejection(
                .unknownType,
                "type is required, one of \(Self.types). Several items are an array, without an object around it"
            )
        }
        if let fault = posted.stringFault { throw fault.rejection }
        switch type {
        case "response":
            try requireServer(type)
            return try responseEvent(from: &posted)
        case "unread_line":
            throw ItemRejection(
                .unreadPost, "landfall post could not translate this line: the item says why, and contains it"
            )
        case "recall":
            try requireServer(type)
            return Event(try notificationKey(&posted), .recall)
        default:
            guard let kind = DeviceReport.Kind(rawValue: type) else {
                throw ItemRejection(.unknownType, "type must be one of \(Self.types)")
            }
            let key = try notificationKey(&posted)
            var report = try report(
                kind, from: &posted, sentAt: key.name.id.versionSevenInstant ?? key.sentAt)
            report.isSigned = try isSigned(posted)
            if key.name.notificationID == nil { report.token = try receiptToken(&posted) }
            var event = Event(key, .device(report))
            if report.isTimedByReceipt, report.bit != .witnessed, !posted.unread.contains(.occurredAt) {
                event.warnings.insert(posted.occurredAt?.instant == nil ? .noOccurredAt : .impossibleTime)
            }
            return event
        }
    }

    private func responseEvent(from posted: inout PostedEvent) throws(ItemRejection) -> Event {
        // The first response decides a push's cohort, so an item with an unreadable time is rejected.
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

    // MARK: - The notification

    /// A sender's `sent_at` is authoritative; if missing, a version 7 id's time is used. A device's `sent_at`
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

    /// Whether an item may create the day in which a notification was sent, if nothing was posted about that
    /// day. Servers can, up to the retention, to post what they kept from before. Device keys are public:
    /// with one id per day, clients could otherwise create a partition for every day of the retention.
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
                "notification_id (or message_id) is required: the id that the sender chose")
        }
        return .notification(try id(postedID, .notificationID, .invalidNotificationID))
    }

    private func id(
        _ posted: PostedID, _ field: PostedField, _ code: ItemRejection.Code
    ) throws(ItemRejection) -> UUID {
        switch posted {
        case .success(let id): id.uuid(inApp: appID)
        case .failure(let fault): throw ItemRejection(code, "\(field.name) \(fault.advice)")
        }
    }

    /// A message is for many devices. The token of a response, otherwise the device id, identifies the one.
    private func messageName(
        _ postedID: PostedID, _ posted: inout PostedEvent, isResponse: Bool
    ) throws(ItemRejection) -> NotificationName {
        guard posted.notificationID == nil else {
            throw ItemRejection(
                .invalidField,
                "post either notification_id or message_id: with both, it is unclear which one counts")
        }
        let id = try id(postedID, .messageID, .invalidField)
        let hasToken = posted.token != nil && posted.tokenMalformed != true
        if isResponse && hasToken { return .message(id, deviceID: nil) }
        if let deviceID = deviceID(&posted) { return .message(id, deviceID: deviceID) }
        if posted.unread.contains(.deviceID) {
            throw ItemRejection(.invalidField, "device_id must be a UUID")
        }
        if !isResponse, isReceipt(posted) { return .message(id, deviceID: nil) }
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

extension Event {
    fileprivate init(_ key: (name: NotificationName, sentAt: Instant?), _ content: Content) {
        self.init(key.name, sentAt: key.sentAt, content: content)
    }
}
