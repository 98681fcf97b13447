internal import DeliveryModel
internal import PostgresClient

/// The tokens that one breaker protects, by app, environment and topic.
struct BreakerKey: Hashable, Comparable, Sendable {
    let appID: Int64
    let environment: Environment
    let topic: String

    /// The order in which rows are locked.
    static func < (left: BreakerKey, right: BreakerKey) -> Bool {
        (left.appID, left.environment.rawValue, left.topic)
            < (right.appID, right.environment.rawValue, right.topic)
    }
}

extension [BreakerKey] {
    var parameters: [PostgresParameter] {
        [.array(map(\.appID)), .array(map(\.environment.rawValue)), .array(map(\.topic))]
    }
}
