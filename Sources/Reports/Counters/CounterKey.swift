internal import Instants
internal import PostgresClient

/// The identity of a counter: app and quarter hour, and campaign, segment and part in the tables that have them.
struct CounterKey: Hashable, Comparable {
    let appID: Int64
    let quarter: Instant
    let campaignID: Int64?
    let segmentID: Int64?
    var part: Verification.Part?

    static func < (left: CounterKey, right: CounterKey) -> Bool {
        let (leftIDs, rightIDs) = (left.ids, right.ids)
        guard leftIDs == rightIDs else { return leftIDs < rightIDs }
        guard let leftPart = left.part, let rightPart = right.part else {
            return left.part == nil && right.part != nil
        }
        return leftPart < rightPart
    }

    private var ids: (Int64, Instant, Int64, Int64) { (appID, quarter, campaignID ?? 0, segmentID ?? 0) }
}

extension CounterKey {
    /// Reads six adjacent columns: app, quarter or day, campaign, segment, response and state. An id of 0 means none.
    init(_ row: PostgresRow, from column: Int) throws(PostgresError) {
        let (campaignID, segmentID): (Int64, Int64) = (try row.get(column + 2), try row.get(column + 3))
        self.init(
            appID: try row.get(column), quarter: try row.get(column + 1),
            campaignID: campaignID == 0 ? nil : campaignID, segmentID: segmentID == 0 ? nil : segmentID,
            part: .state(try row.get(column + 5), responseID: try row.get(column + 4)))
    }

    /// Reads app and quarter from the first two columns, and the campaign from the given one, if any.
    init(_ row: PostgresRow, campaign: Int?) throws(PostgresError) {
        let quarter: Instant = try row.get(1)
        var campaignID: Int64?
        if let campaign { campaignID = try row.getOptional(campaign) }
        self.init(
            appID: try row.get(0), quarter: quarter, campaignID: campaignID, segmentID: nil)
    }
}
