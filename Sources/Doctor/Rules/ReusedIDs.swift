internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Reports

/// Responses whose `notification_id` a push to another device has.
enum ReusedIDs: SingleDiagnosis {
    static let subject = "ids of notifications"

    struct Facts: Hashable {
        var received: Int64 = 0
        /// The responses among them that got the warning `reused_id`.
        var reused: Int64 = 0
        /// From the start of the first hour with such a response to the end of the last.
        var span: Range<Instant>?
        /// Notifications with such responses, the latest first.
        var examples: [UUID] = []

        var share: Proportion { Proportion(reused, of: received) }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let row = try examination.query(.Doctor.reusedIds, examination.wholeHours, on: connection).single()
        let since = try row.getOptional("since", as: Instant.self)
        let last = try row.getOptional("last_hour", as: Instant.self)
        return Facts(
            received: try row.get("received"), reused: try row.get("reused"),
            span: since.flatMap { since in last.map { since..<($0 + .hours(1)) } },
            examples: try row.getArray("examples"))
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard facts.received > 0 else { return .nothing }
        let words =
            facts.reused == 0 ? "none used twice" : "used twice in \(Words.count(facts.reused, "response"))"
        return facts.received >= examination.rules.reusedIDs ? .judged(words) : .tooLittle(words)
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard facts.reused >= rules.reusedIDs, let share = facts.share.value, share >= rules.reusedShare
        else { return nil }
        let ids = facts.examples.map { $0.uuidString.lowercased() }
        let end = facts.span.map { min($0.upperBound, examination.looked.upperBound) }
        let span = facts.span.flatMap { span in end.map { " \(Words.span(span.lowerBound, $0))" } } ?? ""
        return Finding(
            .reusedIDs, share >= rules.reusedProblemShare ? .problem : .warning,
            "\(Words.count(facts.reused, "response")) named a notification_id that a push to another device "
                + "has\(span)" + (ids.isEmpty ? "." : ", such as \(Words.list(ids))."),
            "A sender puts one id into the payloads of many devices, such as the campaign's, or two senders "
                + "use the same numbers. All pushes with one id count as one, and most of their responses change no token.",
            "Give each device's push an id of its own, in the payload and in notification_id, and prefix numbers "
                + "with the sender's name. If one payload goes to many devices, post its id as message_id. "
                + "The responses of POST /v1/events name such items (reused_id).",
            command: ids.first.map {
                examination.commandWithoutWindow("explain", "notification", options: [$0])
            } ?? examination.command("funnel", options: ["--by", "campaign"]),
            evidence: [
                .init("reused", .integer(facts.reused)), .init("received", .integer(facts.received)),
                .init("share", facts.share.json), .init("from", .optional(facts.span?.lowerBound.rfc3339)),
                .init("to", .optional(end?.rfc3339)), .init("examples", .array(ids.map { .string($0) })),
            ])
    }
}
