internal import PostgresClient

/// Tokens whose pushes are rejected alike if the environment is wrong.
struct PeerGroup: Hashable {
    let appID: Int64
    let provider: String
    let environment: String
    let topic: String
    let appVersion: String

    init(_ row: PostgresRow) throws {
        appID = try row.get("app_id")
        provider = try row.get("provider")
        environment = try row.get("environment")
        topic = try row.get("topic")
        appVersion = try row.get("app_version")
    }
}

/// The recent rejections of a peer group.
struct PeerCounts {
    let attemptedCount: Int64
    let rejectedCount: Int64
    let tokenCount: Int64
}
