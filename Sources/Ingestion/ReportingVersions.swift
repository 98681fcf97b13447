internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles
internal import Synchronization

/// Notes which app versions have ever reported an arrival, and remembers the segments of which that is noted.
final class ReportingVersions: Sendable {
    struct Segment: Hashable, Comparable, Sendable {
        let appID: Int64
        let segmentID: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.appID, left.segmentID) < (right.appID, right.segmentID)
        }
    }

    private static let capacity = 200_000
    private let noted = Mutex<Set<Segment>>([])

    /// Notes the versions of segments that are not known to be noted, with the transaction's next statement.
    ///
    /// - Parameter reported: segments with reported arrivals, and the quarter hour in which such a notification was sent.
    /// - Returns: what is to be remembered after the commit.
    func note(_ reported: [Segment: Instant], on connection: PostgresConnection) -> Set<Segment> {
        let new = noted.withLock { noted in reported.filter { !noted.contains($0.key) } }
            .sorted { $0.key < $1.key }
        guard !new.isEmpty else { return [] }
        connection.enqueue(
            PostgresStatement(
                .Ingestion.noteReportingVersions,
                [
                    .array(new.map(\.key.appID)), .array(new.map(\.key.segmentID)), .array(new.map(\.value)),
                ]))
        return Set(new.map(\.key))
    }

    func remember(_ segments: Set<Segment>) {
        guard !segments.isEmpty else { return }
        noted.withLock { noted in
            if noted.count + segments.count > Self.capacity { noted.removeAll() }
            noted.formUnion(segments)
        }
    }
}
