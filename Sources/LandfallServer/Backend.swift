internal import Access
internal import Foundation
internal import Ingestion
public import Logging
internal import TokenLifecycle
public import Vault

/// The services that the routes use: the cell with its database, keys and the registry.
public struct Backend: Sendable {
    let front: Cell
    let keys: KeyRing
    let sieve: KeySieve
    let origins: OriginRing
    let traffic: UnprovenTraffic
    let registry: DeviceRegistry
    let waitingMessages = WaitingMessages()
    let vault: TokenVault
    let metrics: ServerMetrics
    /// `nil` without the console.
    let tail: EventTail?
    /// `host:port`, the name of this server in the doctor's reports.
    let name: String

    /// Opens the cell (``Cell/open(_:vault:metrics:waits:clock:logger:)``).
    ///
    /// - Parameter waits: whether to wait for a database that is unavailable, until the task is canceled.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, waits: Bool = false,
        clock: ServerClock = ServerClock(), logger: Logger
    ) async throws -> Backend {
        let (metrics, vault) = (ServerMetrics(), TokenVault(tokenKey))
        let front = try await Cell.open(
            configuration, vault: vault, metrics: metrics, waits: waits, clock: clock, logger: logger)
        return Backend(configuration, front: front, vault: vault, metrics: metrics)
    }

    private init(
        _ configuration: ServerConfiguration, front: Cell, vault: TokenVault, metrics: ServerMetrics
    ) {
        self.front = front
        name = "\(Self.hostName):\(configuration.port)"
        self.metrics = metrics
        self.vault = vault
        tail = configuration.web.isEnabled ? EventTail() : nil
        keys = KeyRing(pool: front.keyPool, vault: vault)
        sieve = KeySieve(pool: front.keyPool)
        origins = OriginRing(pool: front.keyPool)
        registry = DeviceRegistry(vault: vault)
        traffic = UnprovenTraffic(configuration.limits, metrics, clock: front.clock)
    }

    /// This machine's name for itself. Queries the system and no name server, for which
    /// `ProcessInfo.hostName` may wait.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Lets pending requests use the database for this long, then rejects those that still wait for it.
    func beginToEnd(within patience: Duration) { front.beginToEnd(within: patience) }

    /// Whether requests were rejected during shutdown because the database did not respond.
    var hasAbandonedWork: Bool { front.hasAbandonedWork }

    /// Closes the connections, after the work in progress.
    public func close() async throws { try await front.close() }
}
