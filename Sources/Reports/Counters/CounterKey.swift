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
    /// Reads the key of a counter by state. An id of 0 means none.
    init(ofState row: PostgresRow) throws(PostgresError) {
        let (campaignID, segmentID): (Int64, Int64) = (
            try row.get("campaign_id"), try row.get("segment_id")
        )
        self.init(
            appID: try row.get("app_id"), quarter: try row.get("quarter"),
            campaignID: campaignID == 0 ? nil : campaignID, segmentID: segmentID == 0 ? nil : segmentID,
            part: .state(try row.get("state"), responseID: try row.get("response_id")))
    }

    /// Reads the app, the time, and the campaign if there is such a column.
    ///
    /// - Parameter time: the column of the time, `quarter` or `day`.
    init(_ row: PostgresRow, time: String, hasCampaign: Bool) throws(PostgresError) {
        var campaignID: Int64?
        if hasCampaign { campaignID = try row.getOptional("campaign_id") }
        self.init(
            appID: try row.get("app_id"), quarter: try row.get(time), campaignID: campaignID, segmentID: nil)
    }
}
