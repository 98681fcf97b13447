/// How much is measured.
struct BenchSettings: Sendable, Encodable {
    /// Registered installations with one token each.
    ///
    /// Half as many as notifications: some writes happen once a day per token, and two pushes a day make them weigh
    /// as much as they would in real use.
    var devices = 50_000
    /// Posted in bulk, to the writer, and as statements.
    var bulkNotifications = 100_000
    var eventsPerBulkRequest = 5_000
    var bulkConnections = 4
    /// More than can be posted one by one in the time.
    var singleNotifications = 300_000
    var singleConnections = 64
    var singleSeconds = 10
    var noOpSeconds = 5

    static let full = BenchSettings()

    static let quick = BenchSettings(
        devices: 5_000, bulkNotifications: 20_000, singleNotifications: 60_000, singleSeconds: 2,
        noOpSeconds: 1)
}
