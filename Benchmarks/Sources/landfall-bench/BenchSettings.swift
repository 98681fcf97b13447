/// How much is measured.
struct BenchSettings: Sendable, Encodable {
    /// Everything is measured so often, each time with other events: what else runs on the machine then falls on all
    /// figures alike.
    var rounds = 3
    /// Rows of the second stage; 0 leaves it out.
    var rows = 10_000_000
    /// Registered installations with one token each.
    var devices = 300_000
    /// Those that one kind of bulk traffic goes to; three kinds need three times as many registered ones.
    ///
    /// Half as many as notifications: some writes happen once a day per token, and two pushes a day make them weigh
    /// as much as they would in real use.
    ///
    /// Those that are left get one push each, half of them an accepted one and half of them the one that retires their token.
    var pushedDevices = 60_000
    /// Posted in bulk, to the writer, and as statements; in all rounds together.
    var bulkNotifications = 120_000
    var eventsPerBulkRequest = 5_000
    var bulkConnections = 4
    /// As many as the server has writers.
    var writers = 2
    /// More than can be posted one by one in the time, in all rounds together.
    var singleNotifications = 300_000
    var singleConnections = 64
    /// In each round.
    var singleSeconds = 5
    var noOpSeconds = 3
    var overload = OverloadSettings()

    static let full = BenchSettings()

    static let quick = BenchSettings(
        rounds: 1, rows: 100_000, devices: 21_000, pushedDevices: 5_000, bulkNotifications: 20_000,
        singleNotifications: 60_000, singleSeconds: 2, noOpSeconds: 1, overload: .quick)
}

/// How the server is overloaded.
struct OverloadSettings: Sendable, Encodable {
    var eventsPerRequest = 100
    /// What the server can do is measured with so many connections, each of which waits for its answer, before the overload and
    /// again behind it.
    var capacityConnections = 64
    var capacitySeconds = 5.0
    /// How much more than it can do is asked of the server.
    var factor = 3.0
    /// Enough for more than the server lets wait.
    var connections = 2_048
    var seconds = 10.0

    static let quick = OverloadSettings(capacitySeconds: 2, seconds: 3)
}
