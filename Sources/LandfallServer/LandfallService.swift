internal import EmbeddedPostgres
public import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import TokenLifecycle
internal import UnixSignals

/// One server from start to end: finds or starts its database, serves until a signal comes, and gives everything back.
public struct LandfallService: Sendable {
    private let host: String
    private let port: Int
    private let databaseURL: String?
    private let dataFolder: URL
    private let environment: [String: String]

    /// Requests that are under way when the signal comes have this long to finish.
    private static let grace = Duration.seconds(20)
    /// So long may they still wait for the database, which leaves time to answer them.
    private static let databaseGrace = grace * 7 / 10

    /// - Parameter databaseURL: anything libpq takes; else `LANDFALL_DATABASE_URL`; else the private cluster in the data
    ///   folder.
    public init(
        host: String, port: Int, databaseURL: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.host = host
        self.port = port
        let configured = databaseURL ?? environment["LANDFALL_DATABASE_URL"] ?? ""
        self.databaseURL = configured.isEmpty ? nil : configured
        self.dataFolder = DataFolder(environment: environment).url
        self.environment = environment
    }

    public func run() async throws {
        var logger = Logger(label: "landfall") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = environment["LANDFALL_LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        guard databaseURL == nil else { return try await serve(nil, logger: logger) }

        let cluster = try EmbeddedPostgres.startOrFind(dataFolder: dataFolder)
        do {
            try await serve(cluster, logger: logger)
        } catch {
            try? cluster.release()
            throw error
        }
        try cluster.release()
    }

    private func serve(_ cluster: EmbeddedPostgres?, logger: Logger) async throws {
        var configuration = ServerConfiguration(
            databaseURL: databaseURL ?? cluster?.connectionURL ?? "")
        configuration.host = host
        configuration.port = port
        try DataFolder(environment: environment).create()
        let tokenKey = try TokenKey.load(dataFolder: dataFolder, environment: environment)
        let backend = try await Backend.open(configuration, tokenKey: tokenKey, logger: logger)
        let result: Result<Void, any Error>
        do {
            let demo = cluster == nil ? nil : try await DemoApp.prepare(backend, dataFolder: dataFolder)
            result = .success(try await serve(configuration, backend, demo, logger: logger))
        } catch {
            result = .failure(error)
        }
        try await backend.close()
        try result.get()
        guard !backend.hasAbandonedWork else { throw ServeError.databaseStalled }
    }

    private func serve(
        _ configuration: ServerConfiguration, _ backend: Backend, _ demo: DemoApp?, logger: Logger
    ) async throws {
        let isPrivate = databaseURL == nil
        let (folder, environment) = (dataFolder, environment)
        let application = buildApplication(configuration, backend: backend, logger: logger) { port in
            let welcome = Welcome(
                host: configuration.host, port: port, dataFolder: isPrivate ? folder : nil, demo: demo,
                environment: environment)
            print(welcome.text)
            // Nobody may wait for these lines behind a full buffer.
            fflush(nil)
        }
        var group = ServiceGroupConfiguration(
            services: [application, DatabaseEnding(backend: backend, patience: Self.databaseGrace)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = Self.grace
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ServeError.portInUse(configuration.port)
        } catch let error as IOError where [EADDRNOTAVAIL, EACCES].contains(error.errnoCode) {
            throw ServeError.cannotListen(host: configuration.host, port: configuration.port)
        } catch is SocketAddressError {
            throw ServeError.cannotListen(host: configuration.host, port: configuration.port)
        }
    }
}

public enum ServeError: Error, Equatable, Sendable, CustomStringConvertible {
    case portInUse(Int)
    case cannotListen(host: String, port: Int)
    case databaseStalled

    public var description: String {
        switch self {
        case .portInUse(let port):
            "port \(port) is taken by another program: choose another with --port (make run PORT=…)"
        case .cannotListen(let host, let port):
            "this machine cannot listen on \(host), port \(port): give one of its addresses in --host (0.0.0.0 for all), "
                + "and a port it may use in --port"
        case .databaseStalled:
            "the database did not answer in time: the last requests were refused (503), and what they posted may or may not "
                + "be recorded. Their senders should repeat them"
        }
    }
}
