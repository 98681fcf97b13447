internal import DeliveryModel
internal import Foundation
internal import Trust

extension EventValidator {
    func report(
        _ kind: DeviceReport.Kind, from posted: inout PostedEvent, sentAt: Instant?
    ) throws(ItemRejection) -> DeviceReport {
        var report = DeviceReport(kind: kind)
        report.deviceID = deviceID(&posted)
        let occurredAt = occurredAt(posted, sentAt: sentAt)
        report.occurredAt = occurredAt ?? receivedAt
        report.isTimedByReceipt = occurredAt == nil
        // Fields of another kind of event are ignored.
        switch kind {
        case .click:
            report.facts = posted.facts.stated(by: [.device, .click])
            report.facts.appState = word(posted.appState, .appState, &posted)
        case .arrival:
            report.facts = posted.facts.stated(by: [.device, .arrival])
            report.evidence = try evidence(&posted)
            if posted.outcome?.lowercased() != "ok" {
                report.facts.extensionOutcome = word(posted.outcome, .outcome, &posted)
            }
        case .presentation, .dismissal: report.facts = posted.facts.stated(by: [.device])
        }
        report.isUnshared = posted.shared == false
        report.droppedEvents = droppedEvents(&posted)
        report.isClockOff =
            posted.reportedAt?.instant
            .map { abs((receivedAt - $0).milliseconds) > DeviceReport.clockTolerance.milliseconds } ?? false
        report.appVersion = posted.appVersion.flatMap { $0.isEmpty ? nil : $0 }
        report.kit = posted.kit.flatMap { $0.isEmpty ? nil : $0 }
        let source: PostedSource? = word(posted.source, .source, &posted)
        report.isLocal = source == .local
        return report
    }

    /// The field's word, in upper or lower case; `nil` if the field does not have this word.
    private func word<Word>(_ text: String?, _ field: PostedField, _ posted: inout PostedEvent) -> Word?
    where Word: RawRepresentable<String> {
        guard let text, !text.isEmpty else { return nil }
        if let word = Word(rawValue: text) ?? Word(rawValue: text.lowercased()) { return word }
        posted.unread.insert(field)
        return nil
    }

    /// The evidence of an arrival. If it cannot be read, the arrival is confirmed, but not as reported by the
    /// extension. Only a server may claim to be the provider.
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

    private func droppedEvents(_ posted: inout PostedEvent) -> Int64 {
        guard let dropped = posted.dropped else { return 0 }
        guard (0...Self.mostDropped).contains(dropped) else {
            posted.unread.insert(.dropped)
            return 0
        }
        return Int64(dropped)
    }

    /// Whether the event is about a notification that its poster has certainly received. Throws
    /// `invalid_receipt` if the app requires a receipt, also for `source` `local`, because a device that
    /// forges an event chooses its source.
    func isSigned(_ posted: PostedEvent) throws(ItemRejection) -> Bool {
        guard trust.receipts != .off else { return false }
        guard poster == .device else { return true }
        if let text = posted.receipt, let receipt = Receipt(text),
            case .success(let id) = posted.messageID ?? posted.notificationID,
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

    /// The event's time by the server's clock, corrected if the device states its clock at upload; `nil` if
    /// it is missing or contradicts the others. The push was sent at `sentAt`, as far as the item says, by a
    /// clock that may differ from the device's.
    private func occurredAt(_ posted: PostedEvent, sentAt: Instant?) -> Instant? {
        guard var occurredAt = posted.occurredAt?.instant else { return nil }
        if let reportedAt = posted.reportedAt?.instant {
            guard occurredAt <= reportedAt else { return nil }
            occurredAt = occurredAt + correction(of: reportedAt)
        }
        if let sentAt, occurredAt + DeviceReport.clockTolerance < sentAt { return nil }
        // Not as a range: a replay may be of an item that was received before the retention.
        return now - retention <= occurredAt && occurredAt <= receivedAt ? occurredAt : nil
    }

    /// The difference that converts the device's clock to the server's. The device read its clock before or
    /// during the upload, so a time within the upload needs no correction.
    private func correction(of reportedAt: Instant) -> Span {
        min(max(reportedAt, uploadedFrom), receivedAt) - reportedAt
    }

    func deviceID(_ posted: inout PostedEvent) -> UUID? {
        guard let postedID = posted.deviceID else { return nil }
        if postedID.uuid == nil { posted.unread.insert(.deviceID) }
        return postedID.uuid
    }
}
