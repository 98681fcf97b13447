public import Basics
internal import Foundation
public import Ingestion
internal import Maintenance
public import People
public import Settings

/// The configuration of one server: how it works, and where it finds what it needs to start.
public struct ServerConfiguration: DatabaseSettings {
    /// The `Server` field of responses.
    static let serverName = "landfall"

    public var host = "127.0.0.1"
    public var port = 8080
    public var adminHost = "127.0.0.1"
    /// The port that serves only health checks and metrics; 0 picks a free one, `nil` means none.
    public var adminPort: Int?
    public var dataFolder = "~/.landfall"
    public var tokenKey = ""
    public var databaseURL = ""
    public var databaseCells = CellList()
    public var preparesStatements = true
    public var isDistributed = false
    public var allowsUnsafeDatabase = false
    public var postgresPrograms = ""
    public var limits = Limits()
    /// Addresses and ranges, separated by commas.
    var trustedProxies = "" {
        didSet { limits.trustedProxies = Self.ranges(trustedProxies) ?? [] }
    }
    public var reports = ReportLimits()
    /// How long rows are kept; older events are rejected.
    public var retention = Span.standardRetention
    /// Days that ended this long ago are packed; `nil` if none are.
    public var packedAfter = MaintenanceSettings().packedAfter
    /// How much is kept of each app's rejected items.
    public var quarantine = QuarantineLimits()
    /// The number of batches that may be in progress at once.
    public var writers = 2
    /// Connections for registrations, feeds and the console.
    public var administrationConnections = 4
    public var web = WebSettings()
    public var runsMaintenance = true
    /// How long requests in progress may continue after a signal to stop.
    public var shutdownGrace = Duration.seconds(20)
    public var logging = LogSettings()
    /// How long a rendering of `/metrics` is reused.
    public var metricsLifetime = Duration.seconds(1)
    /// Whether to keep the system's setting for core dumps; otherwise there are none, because they would
    /// contain token values.
    public var allowsCoreDumps = false

    /// How long one round trip to the database may take before its connection is closed as lost.
    public var statementTimeout = Duration.seconds(15)
    /// How long a request may use the database in total, including retries; less than clients wait.
    public var workTimeout = Duration.seconds(25)

    /// Returns `nil` if any entry is invalid.
    static func ranges(_ text: String) -> [AddressRange]? {
        let ranges = text.split(separator: ",").map {
            AddressRange($0.trimmingCharacters(in: .whitespaces))
        }
        return ranges.contains { $0 == nil } ? nil : ranges.compactMap { $0 }
    }

    public struct WebSettings: Sendable {
        /// Whether this server serves the console.
        public var isEnabled = true
        /// The address of the console's own port.
        public var host = "127.0.0.1"
        /// The port of the console alone; `nil` if it is part of the port that events are posted to.
        public var port: Int?
        /// The header field in which a proxy names the person whom it has signed in; empty if none does.
        public var proxyUserHeader = ""
        /// The header field with the person's groups; empty if roles are kept here alone.
        public var proxyGroupsHeader = ""
        /// What the proxy sends to show that it is the proxy.
        public var proxySecret = ""
        /// The cost of finding a passphrase by guessing.
        public var passphraseCost = Passphrase.Cost.standard

        public init() {}
    }
}
