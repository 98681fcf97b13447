public import Instants
internal import PostgresClient

/// Selects items of a quarantine. A property that is `nil` does not restrict the selection.
public struct QuarantineFilter: Hashable, Sendable {
    public var codes: [ItemRejection.Code]?
    public var itemIDs: [Int64]?
    /// Received at or after this instant.
    public var from: Instant?
    /// Received before this instant.
    public var to: Instant?
    /// The kind of key that posted it.
    public var poster: EventValidator.Poster?

    public init(
        codes: [ItemRejection.Code]? = nil, itemIDs: [Int64]? = nil, from: Instant? = nil,
        to: Instant? = nil, poster: EventValidator.Poster? = nil
    ) {
        self.codes = codes
        self.itemIDs = itemIDs
        self.from = from
        self.to = to
        self.poster = poster
    }

    /// The parameters of the statements that follow the app.
    var parameters: [PostgresParameter] {
        [
            codes.map { .array($0.map(\.rawValue)) } ?? .noArray(of: String.self),
            itemIDs.map { .array($0) } ?? .noArray(of: Int64.self), .value(from), .value(to),
            .value(poster?.rawValue),
        ]
    }
}
