internal import DeliveryModel
public import Instants
internal import PostgresClient

public struct Annotation: Hashable, Sendable {
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

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.get("annotation_id")
        at = try row.get("at")
        until = try row.getOptional("until")
        text = try row.get("text")
        campaign = try row.getOptional("campaign")
        createdBy = try row.get("created_by")
        createdAt = try row.get("created_at")
    }
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
