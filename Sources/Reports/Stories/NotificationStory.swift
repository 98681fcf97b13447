public import DeliveryModel
public import Foundation
public import PostgresClient

/// The life of one notification, and what it counts as.
public struct NotificationStory: Hashable, Sendable {
    public let scope: StoryScope
    public let push: PushRecord
    /// Whether no response has said when it was sent: the date is that of its first event.
    public let isProvisional: Bool
    /// The token to which it was sent, with its current state; `nil` for channels without tokens, and while
    /// no response is known.
    public let token: TokenProfile?
    /// The device that held the token when the response was recorded, or else the one that holds it now.
    public let deviceID: UUID?
    /// The transitions of the token because of its response.
    public let consequences: [LedgerEntry]
    public let names: StoryNames

    /// Reads the story in one snapshot.
    ///
    /// - Throws: ``StoryError/unknownNotification(_:app:knownIn:sentAt:keptFrom:)``; `PostgresError`.
    public static func read(
        notificationID: UUID, _ scope: StoryScope, on connection: PostgresConnection
    ) throws -> NotificationStory {
        try connection.snapshot {
            try connection.execute(script: .Reports.lockDeliveries)
            let search = StorySearch(connection: connection)
            let span = try search.sendingTimes(of: notificationID, now: scope.clock.now)
            let rows = try connection.query(
                .Stories.notification,
                [
                    .value(scope.app.appID), .value(notificationID), .value(span.lowerBound),
                    .value(span.upperBound),
                ])
            guard let row = rows.first else {
                throw StoryError.unknownNotification(
                    notificationID, app: scope.app.slug,
                    knownIn: try search.apps(ofNotification: notificationID, now: scope.clock.now),
                    sentAt: notificationID.versionSevenInstant, keptFrom: try search.keptFrom())
            }
            return try NotificationStory(row, StoryReader(scope: scope, connection: connection))
        }
    }

    private init(_ row: PostgresRow, _ reader: StoryReader) throws {
        let push = try PushRecord(row)
        scope = reader.scope
        self.push = push
        isProvisional = try row.get("is_provisional")
        token = try push.tokenID.flatMap { try reader.tokens([$0]).first }
        consequences = try reader.transitions(of: push)
        names = try reader.names(for: consequences, knowing: [token].compactMap(\.self))
        let holder = try push.installationID.flatMap { try reader.devices([$0])[$0] }
        deviceID = holder ?? token?.deviceID
    }

    /// The measures that count it. Empty without a provider's response.
    public var measures: [Measure] { Measure.allCases.filter { $0.value(of: push.state) == 1 } }

    /// The measure that counts it while no response is known: `unmatched` or `local`.
    public var unmatchedMeasures: [UnmatchedMeasure] {
        UnmatchedMeasure.allCases.filter { $0.value(of: push.state) == 1 }
    }
}

extension NotificationStory {
    /// Remarks in addition to the facts: why it counts as it does, and which facts contradict each other.
    public var remarks: [String] {
        [unmatched, date, rejections, contradiction, misdirection, witness, silence, outcome, clocks]
            .compactMap(\.self)
    }

    private var state: DeliveryState { push.state }
    private func counts(_ measure: Measure) -> Bool { measure.value(of: state) == 1 }

    private var unmatched: String? {
        guard !state.contains(.attempted) else { return nil }
        if state.contains(.local) {
            return
                "The app showed it by itself, so there is no provider response for it. It counts as local, in no campaign."
        }
        return
            "No provider response is on record, so it counts as unmatched, in no campaign. Either the sender "
            + "has not posted the response, or posted it under another id, or it was rejected (landfall "
            + "quarantine list). Once it is posted, everything on record counts at once."
    }

    private var date: String? {
        isProvisional
            ? "Its id does not say when it was sent, and there is no response that does: the date is that of "
                + "its first event, and changes once the response is posted." : nil
    }

    private var rejections: String? {
        let classes = push.rejectionClasses.map(\.rawValue).joined(separator: ", ")
        if state.contains(.accepted) {
            return classes.isEmpty
                ? nil
                : "It was also rejected (\(classes)), as happens to a push that is sent again. The acceptance counts."
        }
        return counts(.conflicting)
            ? "It was rejected for more than one class of reason (\(classes)). The first of these is the most final one, and counts."
            : nil
    }

    private var contradiction: String? {
        counts(.contradicted)
            ? "The device received it although no acceptance is on record: a response was lost, or another sender pushed it."
            : nil
    }

    private var misdirection: String? {
        counts(.misdirected)
            ? "An installation that it did not go to reported it, too. That counts as misdirected and in no other figure. Usually its "
                + "sender put one notification_id into the payload of many devices: it should post message_id instead."
            : nil
    }

    /// The confirmation of a push that no extension could report, such as a background push.
    private var witness: String? {
        guard let witness = push.witness, !counts(.confirmedUnreported) else { return nil }
        return "The device certainly received it: it was \(witness.sentence)."
    }

    private var silence: String? {
        if counts(.confirmedUnreported) {
            let how = push.witness.map { ": it was \($0.sentence)" } ?? ""
            return
                "The device certainly received it\(how). But the extension did not report it: a lost receipt."
        }
        if counts(.unconfirmedNotReportable) {
            return
                "No notification service extension could report it (push type "
                + "\(push.response?.pushType ?? "unknown"), or no mutable-content), so a missing arrival "
                + "means nothing."
        }
        if counts(.unconfirmedRecalled) {
            return "The sender withdrew it before the device reported anything."
        }
        guard counts(.reportable), !counts(.confirmed) else { return nil }
        let replaced =
            push.facts.collapseID == nil ? "" : ", or a later push with the same collapse id took its place"
        return
            "Accepted, but the device reported nothing: it was off, its event was lost\(replaced), or the "
            + "token is dead and the provider does not report that yet."
    }

    private var outcome: String? {
        switch push.facts.extensionOutcome {
        case .expired:
            "The notification service extension did not finish within 30 seconds, so the system showed the notification as it was sent."
        case .attachmentFailed:
            "The notification service extension could not load the attachment, so the notification was shown without it."
        case nil: nil
        }
    }

    private var clocks: String? {
        push.reports.contains { ($0.after?.milliseconds ?? 0) < 0 }
            ? "A device event is dated before the sending: the clocks of sender and device disagree." : nil
    }
}
