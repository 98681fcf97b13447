internal import Access
public import Instants
internal import PostgresClient
internal import SQLFiles

/// HyperLogLog sketches of the installations that were targeted, reached and engaged
/// (docs/decisions/0024), if the database has the extension `hll` and maintenance has built some.
public enum ReachSketches {
    /// The relative standard error of a count. `sql/reports/reach_sketched.sql` contains the number of registers.
    public static let standardError = HyperLogLog.standardError

    /// Windows up to this length are counted exactly, from the notifications.
    public static let longestExactWindow = Span.days(3)

    /// Whether sketches contain the result. There are none by the traits of segments.
    ///
    /// Call this within a transaction, whose later statements can then name the extension's functions.
    static func response(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError)
        -> Bool
    {
        let window = query.window
        guard !query.needsSegments, window.to - window.from > longestExactWindow,
            try connection.query(.Administration.nameSketchFunctions).first != nil
        else { return false }
        return try connection.query(
            .Reports.hasSketches, [.value(query.app.appID), .value(window.from), .value(window.to)]
        ).single().get("has_sketches")
    }
}
