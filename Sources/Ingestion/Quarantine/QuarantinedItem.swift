public import Instants
internal import PostgresClient

/// One item in quarantine.
public struct QuarantinedItem: Hashable, Sendable {
    public let appID: Int64
    public let itemID: Int64
    public let receivedAt: Instant
    /// The error code; text, because an older version may have had other codes.
    public let code: String
    public let detail: String
    /// The rules under which it was read.
    public let poster: EventValidator.Poster
    /// `nil` if the text was not requested.
    let sealedText: [UInt8]?

    init(_ row: PostgresRow, of appID: Int64) throws {
        self.appID = appID
        itemID = try row.get("item_id")
        receivedAt = try row.get("received_at")
        code = try row.get("code")
        detail = try row.get("detail")
        poster = try row.get("poster")
        sealedText = try row.getOptional("sealed_text")
    }
}
