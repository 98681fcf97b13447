/// How much is measured.
struct BenchSettings: Sendable, Encodable {
    /// Everything is measured so often, each time with other events: what else runs on the machine then falls on all
    /// figures alike.
    var rounds = 3
    /// Registered installations with one token each.
    ///
    /// Half as many as notifications: some writes happen once a day per token, and two pushes a day make them weigh
    /// as much as they would in real use.
    var devices = 60_000
    /// Posted in bulk, to the writer, and as statements; in all rounds together.
    var bulkNotifications = 120_000
    var eventsPerBulkRequest = 5_000
    var bulkConnections = 4
    /// More than can be posted one by one in the time, in all rounds together.
    var singleNotifications = 300_000
    var singleConnections = 64
    /// In each round.
    var singleSeconds = 5
    var noOpSeconds = 3

    static let full = BenchSettings()

    static let quick = BenchSettings(
        rounds: 1, devices: 5_000, bulkNotifications: 20_000, singleNotifications: 60_000, singleSeconds: 2,
        noOpSeconds: 1)
}
