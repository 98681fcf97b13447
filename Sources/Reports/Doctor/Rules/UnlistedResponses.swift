internal import Access
internal import DeliveryModel
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Responses whose reason is on no list: a misspelling by the sender, an exception's name instead
/// of the provider's word, or a new word of the provider.
enum UnlistedResponses: SingleDiagnosis {
    static let subject = "reasons of responses"

    struct Facts: Hashable {
        struct Response: Hashable {
            let provider: String
            let status: Int64
            let reason: String?
            let rejected: Int64

            var spoken: String {
                "\(providerName(provider)) \(responseWords(status: status, reason: reason))"
            }
        }

        /// The most frequent first.
        let responses: [Response]
        let attempted: Int64

        var unlisted: Int64 { responses.reduce(0) { $0 + $1.rejected } }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try examination.query(.Doctor.unlistedResponses, examination.recent, on: connection)
        return Facts(
            responses: try rows.compactMap { row in
                guard let provider: String = try row.getOptional("provider") else { return nil }
                return Facts.Response(
                    provider: provider, status: try row.get("status"),
                    reason: try row.getOptional("reason"), rejected: try row.get("rejected"))
            }, attempted: try rows.first?.get("attempted") ?? 0)
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        facts.attempted == 0
            ? .nothing : .judged("\(Words.count(facts.unlisted, "response", "responses")) on no list")
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        guard facts.unlisted >= examination.rules.unlistedResponses else { return nil }
        let most = facts.responses.prefix(3)
        let words = Words.list(most.map { "\(Words.number($0.rejected)) \($0.spoken)" })
        let rest = facts.responses.count > most.count ? ", and others" : ""
        return Finding(
            .unlistedResponses, .warning,
            "\(Words.count(facts.unlisted, "response has", "responses have")) a reason that is on no list"
                + ": \(words)\(rest).",
            meaning:
                "They count as unknown, or under the entry that covers all other reasons of their status, "
                + "and change no token: a dead token among them stays active.",
            remedy:
                "Post the provider's error unchanged in error (FCM's error object, the body of APNs), or "
                + "the provider's own word in reason; docs/http.md lists where senders find it. If the "
                + "provider has a new word, it needs a row in provider_reason.",
            command: examination.command("rejections"),
            evidence: [
                .init("unlisted", Proportion(facts.unlisted, of: facts.attempted).json),
                .init(
                    "responses",
                    .array(
                        most.map {
                            [
                                "provider": .string($0.provider), "status": .integer($0.status),
                                "reason": .optional($0.reason), "rejected": .integer($0.rejected),
                            ]
                        })),
            ])
    }
}
