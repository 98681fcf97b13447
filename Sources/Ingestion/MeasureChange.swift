internal import DeliveryModel
internal import PostgresClient

/// What a batch adds to one row of the counters.
struct MeasureChange {
    let headline: RollupChanges.HeadlineKey
    /// Nil in the headline counters.
    let segmentID: Int64?
    let counts: MeasureCounts
}

extension [MeasureChange] {
    /// Measures in the order of `Measure.allCases`. Most do not change in a batch: zeros are sent as nulls.
    var parameter: PostgresParameter {
        .rows(PostgresRowType("landfall.measure_change"), self) { change, row in
            row.append(change.headline.appID)
            row.append(change.headline.quarter)
            row.append(change.headline.campaignID)
            row.append(change.segmentID)
            for count in change.counts.inOrder { row.append(count == 0 ? nil : count) }
        }
    }
}
