internal import Access
public import DeliveryModel
public import PostgresClient

extension Verification {
    /// The names of apps, campaigns and responses by id, for printing differences.
    public struct Names: Hashable, Sendable {
        public var apps: [Int64: String] = [:]
        /// `spring`, or `spring/B` with a variant.
        public var campaigns: [Int64: String] = [:]
        /// `apns 410 Unregistered`.
        public var responses: [Int64: String] = [:]

        /// The response that a difference is about; its id if it has no name.
        public func response(of difference: Difference) -> String? {
            guard let responseID = difference.part?.responseID else { return nil }
            return responses[responseID] ?? String(responseID)
        }
    }

    /// Looks up the names that the differences need.
    public func names(on connection: PostgresConnection) throws(PostgresError) -> Names {
        var names = Names()
        for app in try AppDirectory(connection).apps() { names.apps[app.appID] = app.slug }
        let ids = Set(differences.compactMap(\.campaignID)).sorted()
        for row in try connection.query(.Reports.campaignNames, [.array(ids)]) {
            let key: String = try row.get("key")
            let variant: String = try row.get("variant")
            names.campaigns[try row.get("campaign_id")] = variant.isEmpty ? key : "\(key)/\(variant)"
        }
        let responses = Set(differences.compactMap(\.part?.responseID)).sorted()
        for row in try connection.query(.Reports.responses, [.array(responses)]) {
            let (provider, status): (String, Int32) = (try row.get("provider"), try row.get("status"))
            let reason: String? = try row.getOptional("reason")
            names.responses[try row.get("response_id")] =
                "\(provider) \(status)" + (reason.map { " \($0)" } ?? "")
        }
        return names
    }

    /// The document of `landfall verify --json`; quarters are in UTC. Fields that a table lacks are null.
    public func document(names: Names) -> JSONValue {
        [
            "report": "verify",
            "notifications": .integer(notifications),
            "received": .integer(received),
            "quarantined": .integer(quarantined),
            "counters": .integer(counters),
            "difference_count": .integer(differenceCount),
            "differences": .array(differences.map { Self.json($0, names) }),
        ]
    }

    private static func json(_ difference: Difference, _ names: Names) -> JSONValue {
        [
            "table": .string(difference.table),
            "app": .optional(names.apps[difference.appID]),
            "quarter": .optional(difference.quarter?.rfc3339),
            "campaign": .optional(difference.campaignID.flatMap { names.campaigns[$0] }),
            "segment_id": .optional(difference.segmentID),
            "state": .optional(difference.part?.state),
            "answer": .optional(names.response(of: difference)),
            "stage": .optional(difference.part?.stage),
            "bucket": .optional(difference.part?.bucket.map(Int64.init)),
            "version": .optional(difference.part?.version),
            "measure": .string(difference.measure),
            "counted": .integer(difference.counted),
            "recorded": .integer(difference.recorded),
        ]
    }
}

extension Verification.Part {
    var responseID: Int64? {
        guard case .state(_, let responseID) = self, responseID != 0 else { return nil }
        return responseID
    }

    /// `attempted accepted arrived`: the names of the bits.
    public var state: String? {
        guard case .state(let rawValue, _) = self else { return nil }
        return DeliveryState(rawValue: rawValue).names.joined(separator: " ")
    }

    public var stage: String? {
        guard case .latency(let stage, _) = self else { return nil }
        return stage
    }

    public var bucket: Int16? {
        guard case .latency(_, let bucket) = self else { return nil }
        return bucket
    }

    /// `ios 7.1.0`
    public var version: String? {
        guard case .version(let platform, let appVersion) = self else { return nil }
        return platform.isEmpty ? appVersion : "\(platform) \(appVersion)"
    }
}
