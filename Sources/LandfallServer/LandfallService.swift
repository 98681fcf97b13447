internal import EmbeddedPostgres
public import Foundation
internal import Hummingbird
internal import Logging
internal import Maintenance
internal import NIOCore
internal import NIOPosix
internal import People
internal import PostgresClient
internal import ServiceLifecycle
internal import Settings
internal import Vault

/// One server: finds or starts its database, serves until a signal arrives, and releases everything.
public struct LandfallService: Sendable {
    private let settings: EffectiveSettings
    private let environment: [String: String]
    private let dataFolder: URL
    private let logger: Logger

    /// - Parameter environment: the environment of the process. A setting overrides its variable.
    public init(
        settings: EffectiveSettings, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.settings = settings
        self.environment = settings.environment(over: environment)
        self.dataFolder = DataFolder(environment: self.environment).url
        self.logger = .landfall(settings.logging)
    }

    public func run() async throws {
        for warning in settings.warnings { logger.warning("\(warning)") }
        ServerSignals.settleHangUp()
        var configuration = settings.values
        if !configuration.allowsCoreDumps { CoreDumps.switchOff() }
        Allocator.returnLargeBlocks()
        configuration.limits.connections = connections(configuration.limits)
        guard configuration.usesPrivateDatabase else {
            return try await serve(configuration, nil, signals: nil)
        }

        // Kept to the end: a signal that killed the process at once would leave the database running.
        let signals = await ServerSignals()
        defer { withExtendedLifetime(signals) {} }
        let cluster = try EmbeddedPostgres.startOrFind(dataFolder: dataFolder, environment: environment)
        configuration.databaseURL = cluster.connectionURL
        do {
            try await serve(configuration, cluster, signals: signals)
        } catch {
            try? cluster.release()
            throw error
        }
        try cluster.release()
    }

    /// The connections for which this process may open files.
    private func connections(_ limits: ServerConfiguration.Limits) -> Int {
        let files = OpenFiles.raiseLimit()
        let connections = OpenFiles.connections(limits.connections, ofFiles: files)
        if connections < limits.connections {
            logger.warning(
                "limits.connections is lowered to the open files that the system allows: raise the hard limit (LimitNOFILE, ulimit -Hn)",
                metadata: ["connections": "\(connections)", "open_files": "\(files)"])
        }
        return connections
    }

    private func serve(
        _ configuration: ServerConfiguration, _ cluster: EmbeddedPostgres?, signals: ServerSignals?
    ) async throws {
        try DataFolder(environment: environment).create()
        let tokenKey =
            if cluster == nil {
                try TokenKey.load(dataFolder: dataFolder, environment: environment)
            } else {
                try TokenKey.load(
                    dataFolder: dataFolder, environment: environment,
                    ofPrivate: PostgresConnection(url: configuration.databaseURL))
            }
        // A private database already runs. While another is unavailable, a signal ends the program at once.
        let backend = try await Backend.open(
            configuration, tokenKey: tokenKey, waits: cluster == nil, logger: logger)
        let result: Result<Void, any Error>
        do {
            let demo = cluster == nil ? nil : try await DemoApp.prepare(backend, dataFolder: dataFolder)
            let isRead = isatty(STDOUT_FILENO) == 1
            let opensConsole = cluster != nil && isRead && configuration.web.isEnabled
            let welcome = Welcome(
                host: configuration.host, web: configuration.web,
                dataFolder: cluster == nil ? nil : dataFolder, demo: demo?.app,
                showsKey: demo?.isNew ?? false && isRead,
                consolePath: opensConsole ? try await backend.ownerLink().path : nil,
                environment: environment)
            let signals = if let signals { signals } else { await ServerSignals() }
            result = .success(try await serve(configuration, cluster, backend, welcome, signals))
        } catch {
            result = .failure(error)
        }
        try await backend.close()
        try result.get()
        guard !backend.hasAbandonedWork else { throw ServeError.databaseStalled }
    }

    private func serve(
        _ configuration: ServerConfiguration, _ cluster: EmbeddedPostgres?, _ backend: Backend,
        _ welcome: Welcome, _ signals: ServerSignals
    ) async throws {
        let application = buildApplication(configuration, backend: backend, logger: logger) { port in
            if configuration.web.isEnabled, configuration.web.port == nil {
                await backend.noteConsole(host: configuration.host, port: port, logger: logger)
            }
            print(welcome.text(port: port))
            // A caller may be waiting for these lines, so they must not stay in the buffer.
            fflush(nil)
        }
        var services: [any Service] = [application]
        services += self.services(of: backend.front, configuration, backend)
        services += backend.cells.others.map { place -> any Service in
            LateCell(place: place, logger: logger) { self.services(of: $0, configuration, backend) }
        }
        // First, so that it is shut down last.
        if let port = configuration.adminPort {
            let administration = buildAdministration(
                configuration, port: port, backend: backend, logger: logger)
            services.insert(
                FurtherListener(
                    application: administration, host: configuration.adminHost, port: port, setting: "admin"),
                at: 0)
        }
        if configuration.web.isEnabled, let port = configuration.web.port {
            let console = buildConsole(configuration, port: port, backend: backend, logger: logger) {
                [logger] port in
                await backend.noteConsole(host: configuration.web.host, port: port, logger: logger)
            }
            services.append(
                FurtherListener(
                    application: console, host: configuration.web.host, port: port, setting: "web"))
        }
        services.append(ClientWatch(backend: backend, logger: logger))
        if let cluster { services.append(ClusterWatch(cluster: cluster, backend: backend, logger: logger)) }
        // Requests may wait for the database for part of the grace period; the rest is for responses.
        services.append(DatabaseEnding(backend: backend, patience: configuration.shutdownGrace * 7 / 10))
        // By default, a service is named by its description, which contains all that it holds: megabytes.
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, serviceName: "\(type(of: $0))") }, logger: logger)
        group.services.append(
            .init(
                service: signals, successTerminationBehavior: .gracefullyShutdownGroup,
                serviceName: "ServerSignals"))
        group.maximumGracefulShutdownDuration = configuration.shutdownGrace
        do {
            let services = ServiceGroup(configuration: group)
            try await withTaskExecutorPreference(EventLoopExecutor.shared) {
                try await services.run()
            }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ServeError.portInUse(configuration.port)
        } catch let error as IOError where [EADDRNOTAVAIL, EACCES].contains(error.errnoCode) {
            throw ServeError.cannotListen(host: configuration.host, port: configuration.port)
        } catch is SocketAddressError {
            throw ServeError.cannotListen(host: configuration.host, port: configuration.port)
        }
    }
}

extension LandfallService {
    /// The services that every cell needs while it is open.
    private func services(
        of cell: Cell, _ configuration: ServerConfiguration, _ backend: Backend
    ) -> [any Service] {
        let watches: [any Service] = [
            TokenKeyWatch(cell: cell, logger: logger),
            GaugeWatch(pool: cell.pool, metrics: cell.metrics, logger: logger),
            DatabaseWatch(cell: cell, source: backend.name, logger: logger),
            QuotaWatch(cell: cell, traffic: backend.traffic, logger: logger),
        ]
        guard configuration.runsMaintenance else { return watches }
        var settings = MaintenanceSettings(retention: configuration.retention)
        settings.quarantine = configuration.quarantine
        settings.source = backend.name
        settings.packedAfter = configuration.packedAfter
        let maintenance = Maintenance(settings)
        return watches
            + [MaintenanceService(pool: cell.patientPool, maintenance: maintenance, logger: logger)]
    }
}

/// Runs an application on the port of a setting such as `admin.port`.
private struct FurtherListener: Service {
    let application: any ApplicationProtocol
    let host: String
    let port: Int
    /// The settings' common name, for the message if this machine cannot listen there.
    let setting: String

    func run() async throws {
        do {
            try await application.run()
        } catch is IOError, is SocketAddressError {
            throw ServeError.cannotListenToo(host: host, port: port, setting: setting)
        }
    }
}

/// Bounds the time that requests may wait for the database after a signal. Otherwise a database that does not
/// respond would keep the program alive longer than the service manager waits.
///
/// Last in the service group: the last service is the first to shut down.
private struct DatabaseEnding: Service {
    let backend: Backend
    let patience: Duration

    func run() async throws {
        try? await gracefulShutdown()
        backend.beginToEnd(within: patience)
    }
}

/// Runs tasks on the threads that serve HTTP: on the request's own thread, if possible.
///
/// By default, Swift runs them on threads of its own, and each request changes threads half a dozen times.
/// For requests of one event, that was most of their cost.
final class EventLoopExecutor: TaskExecutor {
    /// Runs on the threads that Hummingbird serves with.
    static let shared = EventLoopExecutor()

    private let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The calling thread's loop, if it has one.
        group.any().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension Backend {
    /// Records the console's address for commands that print links.
    fileprivate func noteConsole(host: String, port: Int, logger: Logger) async {
        let address = ConsoleAddress.text(host: host, port: port)
        await logger.attempt("the console's address could not be recorded") {
            try await front.pool.withConnection { try ConsoleAddress.store(address, on: $0) }
        }
    }

    /// A link for the person who has started the server in a terminal.
    fileprivate func ownerLink() async throws -> SignInLink {
        try await front.pool.withTransaction { [front] in
            try PeopleDirectory.ownerLink(now: front.clock.now, on: $0)
        }
    }
}
