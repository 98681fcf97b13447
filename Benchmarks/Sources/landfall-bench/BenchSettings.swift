/// The amount of work to measure.
struct BenchSettings: Sendable, Encodable {
    /// The number of times everything is measured, each time with other events, so that other programs on the
    /// machine affect all figures equally.
    var rounds = 3
    /// Notifications in the database during the second stage; 0 skips that stage.
    var rows = 10_000_000
    /// Registered installations with one token each.
    var devices = 300_000
    /// Installations that receive one kind of bulk traffic; three kinds need three times as many registered
    /// installations.
    ///
    /// There are half as many as notifications: some writes happen once a day per token, and with two pushes
    /// a day they have the weight that they have in real use.
    ///
    /// The remaining installations get one push each: half of them an accepted one, half of them one that
    /// retires their token.
    var pushedDevices = 60_000
    /// Posted in bulk, passed to the writer, and sent as statements; the total of all rounds.
    var bulkNotifications = 120_000
    var eventsPerBulkRequest = 5_000
    var bulkConnections = 4
    /// As many as the server has writers.
    var writers = 2
    /// More than can be posted one by one in the available time; the total of all rounds.
    var singleNotifications = 300_000
    var singleConnections = 64
    /// Per round.
    var singleSeconds = 5
    var noOpSeconds = 3
    /// The responses in the requests of an overload, which are sent over and over with new notification ids.
    var overloadNotifications = 20_000
    var eventsPerOverloadRequest = 100
    /// They have far more events in their requests than the server allows to wait.
    var overloadConnections = 2_048
    /// The mean time that each of them pauses before a request: as long as a rejected client is asked to wait
    /// at least.
    var overloadPauseMilliseconds = 1_000
    var overloadSeconds = 10

    static let full = BenchSettings()

    static let quick = BenchSettings(
        rounds: 1, rows: 100_000, devices: 21_000, pushedDevices: 5_000, bulkNotifications: 20_000,
        singleNotifications: 60_000, singleSeconds: 2, noOpSeconds: 1,
        overloadSeconds: 3)
}
