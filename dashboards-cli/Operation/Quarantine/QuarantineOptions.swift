internal import ArgumentParser
internal import Ingestion
internal import Instants
internal import Reports

/// The items of the quarantine to select, except by the time they were received.
struct QuarantineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only items rejected with this code (may be repeated): \(codes).", valueName: "code"),
        transform: { try word($0, of: "code") })
    var code: [ItemRejection.Code] = []

    @Option(help: ArgumentHelp("Only the item with this number (may be repeated).", valueName: "id"))
    var id: [Int64] = []

    @Option(
        help: ArgumentHelp(
            "Only items that this kind of key posted: server or device.", valueName: "kind"),
        transform: { try word($0, of: "kind of key that posts items") })
    var poster: EventValidator.Poster?

    private static let codes = ItemRejection.Code.allCases.map(\.rawValue).joined(separator: ", ")

    func filter(from: Instant? = nil, to: Instant? = nil) -> QuarantineFilter {
        QuarantineFilter(
            codes: code.isEmpty ? nil : code, itemIDs: id.isEmpty ? nil : id, from: from, to: to,
            poster: poster)
    }

    /// The selection, for the audit.
    var words: String {
        let parts =
            code.map(\.rawValue) + id.map { "item \($0)" }
            + [poster.map { "of \($0.rawValue) keys" }].compactMap(\.self)
        return parts.isEmpty ? "all items" : parts.joined(separator: ", ")
    }
}

/// Reads an instant as users type it, in UTC.
func instant(_ text: String?, option: String, now: Instant) throws -> Instant? {
    guard let text else { return nil }
    guard let instant = WindowBound.instant(text, in: .utc, now: now) else {
        throw ValidationError(
            "\(option) is not valid: use 2026-03-01 (UTC), 2026-03-01T09:30:00+01:00, 7d, 24h, today or now."
        )
    }
    return instant
}
