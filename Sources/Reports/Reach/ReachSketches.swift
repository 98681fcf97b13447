internal import Access
public import Instants
internal import PostgresClient
internal import SQLFiles

/// HyperLogLog sketches of who was aimed at, reached and engaged (docs/decisions/0024), where the database has the extension
/// `hll` and maintenance has built some.
public enum ReachSketches {
    /// Of a count, relative. `sql/reports/reach_sketched.sql` says with how many registers.
    public static let standardError = HyperLogLog.standardError

    /// Windows up to so long are counted from the notifications, exactly.
    public static let longestExactWindow = Span.days(3)

    /// Whether sketches answer the question. Nobody sketches by what segments are made of.
    ///
    /// Within a transaction, whose further statements can then name the extension's functions.
    static func answer(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) -> Bool
    {
        let window = query.window
        guard !query.needsSegments, window.to - window.from > longestExactWindow,
            try connection.query(.Administration.nameSketchFunctions).first != nil
        else { return false }
        return try connection.query(
            .Reports.hasSketches, [.value(query.app.appID), .value(window.from), .value(window.to)]
        ).single().get(0)
    }
}
