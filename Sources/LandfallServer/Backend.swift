internal import Access
internal import Foundation
internal import Ingestion
public import Logging
internal import Settings
internal import TokenLifecycle
public import Vault

/// The services that the routes use: the cells with their databases, keys and the registry.
public struct Backend: Sendable {
    let cells: Cells
    let keys: KeyRing
    let sieve: KeySieve
    let traffic: UnprovenTraffic
    let registry: DeviceRegistry
    let waitingMessages = WaitingMessages()
    let vault: TokenVault
    let metrics: ServerMetrics
    /// `nil` without the console.
    let tail: EventTail?
    /// `host:port`, the name of this server in the doctor's reports.
    let name: String

    var front: Cell { cells.front }

    /// How long the start waits for a further cell whose database stalls.
    private static let patience = Duration.seconds(10)

    /// Opens every cell. Any but the front cell is opened later if its database is in trouble (``LateCell``):
    /// the start fails only if it is not the cell, or has another token key.
    ///
    /// - Parameter waits: whether to wait for the front cell's database if it is unavailable, until the task
    ///   is canceled.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, waits: Bool = false,
        clock: ServerClock = ServerClock(), logger: Logger
    ) async throws -> Backend {
        let (metrics, vault) = (ServerMetrics(), TokenVault(tokenKey))
        let sharedQueue =
            configuration.cells.count > 1 ? SharedQueue(limit: configuration.limits.queued) : nil
        let front = try await Cell.open(
            configuration.cells[0], configuration, vault: vault, metrics: metrics, sharedQueue: sharedQueue,
            waits: waits, clock: clock, logger: logger)
        let others = configuration.cells.dropFirst().map { address in
            var logger = logger
            logger[metadataKey: "cell"] = "\(address.cell)"
            return CellPlace(address) { [logger] in
                let cell = try await Cell.open(
                    address, configuration, vault: vault, metrics: metrics, sharedQueue: sharedQueue,
                    waits: false, clock: clock.ofAnotherDatabase(), logger: logger)
                await cell.report(to: front, logger: logger)
                return cell
            }
        }
        let backend = Backend(
            configuration, Cells(front: front, others: others), vault: vault, metrics: metrics)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in others {
                    group.addTask {
                        do {
                            let cell = try await within(patience) { try await place.tryToOpen() }
                            if case .some(.some) = cell { return }
                        } catch {
                            if case ServeError.wrongCell = error { throw error }
                            // LateCell logs any other error.
                            if error is TokenKeyError { throw error }
                        }
                        logger.warning(
                            "the database of a cell is away: its apps get 503 until it is back",
                            metadata: ["cell": "\(place.address.cell)"])
                    }
                }
                try await group.waitForAll()
            }
        } catch {
            try await backend.close()
            throw error
        }
        return backend
    }

    private init(
        _ configuration: ServerConfiguration, _ cells: Cells, vault: TokenVault, metrics: ServerMetrics
    ) {
        self.cells = cells
        name = "\(Self.hostName):\(configuration.port)"
        self.metrics = metrics
        self.vault = vault
        tail = configuration.web.isEnabled ? EventTail() : nil
        keys = KeyRing(pools: { try cells[$0].keyPool }, vault: vault)
        sieve = KeySieve.looking { try cells[$0].keyPool }
        registry = DeviceRegistry(vault: vault)
        traffic = UnprovenTraffic(configuration.limits, metrics) {
            (try? cells[$0])?.clock ?? cells.front.clock
        }
    }

    /// This machine's name for itself. Queries the system and no name server, for which
    /// `ProcessInfo.hostName` may wait.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Lets pending requests use the databases for this long, then rejects those that still wait for them.
    func beginToEnd(within patience: Duration) {
        for cell in cells.open { cell.beginToEnd(within: patience) }
    }

    /// Whether requests were rejected during shutdown because a database did not respond.
    var hasAbandonedWork: Bool { cells.open.contains(where: \.hasAbandonedWork) }

    /// Closes the connections, after the work in progress.
    public func close() async throws {
        for cell in cells.open { try await cell.close() }
    }
}
