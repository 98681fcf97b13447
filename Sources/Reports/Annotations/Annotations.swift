public import DeliveryModel
public import PostgresClient

public struct Annotation: Hashable, Decodable, Sendable {
    public let id: Int64
    /// The instant it is about, or the start of the span.
    public let at: Instant
    /// The end of the span; `nil` for an instant.
    public let until: Instant?
    /// One line.
    public let text: String
    /// `nil` if it is about the whole app.
    public let campaign: String?
    /// The name of a person, or `command line`.
    public let createdBy: String
    public let createdAt: Instant
}

public enum AnnotationError: Error, Equatable, Sendable, CustomStringConvertible {
    case invalidText
    case invalidCampaign
    case endsBeforeStart
    case noSuchAnnotation(Int64, app: String)

    public var description: String {
        switch self {
        case .invalidText:
            "the text must be one line of 1 to \(FieldLimits.line) characters"
        case .invalidCampaign:
            "the campaign must not be empty: leave it out if the annotation is about the whole app"
        case .endsBeforeStart:
            "the end must be after the start: leave it out if the annotation is about an instant"
        case .noSuchAnnotation(let id, let app):
            "app '\(app)' has no annotation \(id); 'landfall annotate list --app \(app)' shows them"
        }
    }
}

/// What people note about a time, such as a release, so that reports can show it next to the numbers.
public enum Annotations {
    /// - Parameters:
    ///   - until: the end of the span it is about; `nil` for an instant.
    ///   - campaign: `nil` if it is about the whole app.
    ///   - name: who wrote it.
    /// - Throws: ``AnnotationError``, `PostgresError`.
    public static func add(
        _ text: String, of app: App, at instant: Instant, until: Instant? = nil, campaign: String? = nil,
        by name: String, now: Instant, on connection: PostgresConnection
    ) throws -> Annotation {
        guard isLine(text) else { throw AnnotationError.invalidText }
        guard campaign.map({ !$0.isEmpty && !$0.contains("\0") }) != false else {
            throw AnnotationError.invalidCampaign
        }
        if let until, until <= instant { throw AnnotationError.endsBeforeStart }
        try connection.fence([app.appID])
        return try connection.query(
            .Annotations.addAnnotation,
            [
                .value(app.appID), .value(instant), .value(until), .value(text),
                .value(campaign?.canonicalName), .value(name), .value(now),
            ]
        ).single().decode()
    }

    /// The annotations that touch the window, ordered by time.
    public static func list(
        of app: App, in window: Range<Instant>, on connection: PostgresConnection
    ) throws(PostgresError) -> [Annotation] {
        try connection.query(
            .Annotations.listAnnotations,
            [.value(app.appID), .value(window.lowerBound), .value(window.upperBound)]
        ).decode()
    }

    /// - Returns: what was removed.
    /// - Throws: ``AnnotationError/noSuchAnnotation(_:app:)``, `PostgresError`.
    @discardableResult
    public static func remove(
        _ id: Int64, of app: App, on connection: PostgresConnection
    ) throws -> Annotation {
        try connection.fence([app.appID])
        let removed = try connection.query(.Annotations.removeAnnotation, [.value(app.appID), .value(id)])
        guard let row = removed.first else {
            throw AnnotationError.noSuchAnnotation(id, app: app.slug)
        }
        return try row.decode()
    }

    /// Whether the text fits on one line of a chart's legend.
    private static func isLine(_ text: String) -> Bool {
        (1...FieldLimits.line).contains(text.unicodeScalars.count) && text.controlsEscaped == text
            && !text.allSatisfy(\.isWhitespace)
    }
}
