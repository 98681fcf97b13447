internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

/// Replaces the app's tokens inside unlisted reasons, because reasons are stored in the clear. Text that
/// looks like a token was replaced when the item was read; this type finds values that look like words.
struct SpokenTokens: Sendable {
    let known: KnownValues
    let taxonomy: RejectionTaxonomy

    /// Shorter words are not looked up, and at most ``mostWords`` of one reason are.
    private static let shortestWord = 6
    private static let mostWords = 24

    /// Replaces tokens in unlisted reasons, which most batches do not have.
    func replace(in events: inout [PostedItem], on connection: PostgresConnection) throws {
        // By index: an iterator would copy each item, with all the strings of its event.
        guard events.indices.contains(where: { events[$0].hasReason }) else { return }
        let reasons = Set(events.compactMap { unlistedReason(of: $0.response, appID: $0.appID) })
        guard !reasons.isEmpty else { return }
        let replacements = try replacements(for: reasons, on: connection)
        guard !replacements.isEmpty else { return }
        for index in events.indices {
            guard var response = events[index].response, let reason = response.reason,
                let replacement = replacements[.init(appID: events[index].appID, text: reason)]
            else { continue }
            response.reason = replacement
            events[index].event.content = .response(response)
        }
    }

    /// The reason of a response if it is not listed. Only unlisted reasons can contain a token.
    private func unlistedReason(of response: ProviderResponse?, appID: Int64) -> KnownValues.Text? {
        guard let response, let reason = response.reason,
            !taxonomy.spellings.contains(reason, of: response.provider)
        else { return nil }
        return KnownValues.Text(appID: appID, text: reason)
    }

    /// The reasons that contain a token, with the text to record instead.
    private func replacements(
        for reasons: Set<KnownValues.Text>, on connection: PostgresConnection
    ) throws -> [KnownValues.Text: String] {
        let words = Dictionary(uniqueKeysWithValues: reasons.map { ($0, Self.words(of: $0)) })
        let found = try known.among(Set(words.values.joined()), on: connection)
        var replacements: [KnownValues.Text: String] = [:]
        for (reason, words) in words {
            for word in words where found.contains(word) {
                let text = replacements[reason] ?? reason.text
                replacements[reason] = text.replacing(word.text, with: RecordedWords.token)
            }
        }
        return replacements
    }

    private static func words(of reason: KnownValues.Text) -> [KnownValues.Text] {
        reason.text.split { $0.isWhitespace || "\"'`,;()<>[]{}=".contains($0) }
            .filter { $0.utf8.count >= shortestWord }.prefix(mostWords)
            .map {
                KnownValues.Text(appID: reason.appID, text: String($0).trimmingCharacters(in: Self.stops))
            }
    }

    private static let stops = CharacterSet(charactersIn: ".:!?…")
}
