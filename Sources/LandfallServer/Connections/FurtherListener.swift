internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// Builds an application for another port than the contract's, with places of its own for connections: health checks, and what the
/// caller adds.
///
/// - Parameters:
///   - places: the most connections.
///   - addRoutes: adds the routes to the router.
func furtherApplication(
    _ configuration: ServerConfiguration, host: String, port: Int, places: Int, backend: Backend,
    logger: Logger, onServerRunning: @escaping @Sendable (Int) async -> Void,
    addRoutes: (Router<LandfallRequestContext>, RequestObserver) -> Void
) -> Application<RouterResponder<LandfallRequestContext>> {
    let observer = RequestObserver(
        metrics: backend.metrics.http, access: configuration.logging.access, logger: logger)
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: observer)
    router.add(middleware: ProblemMiddleware(observer: observer))
    router.add(middleware: ExactPathMiddleware())
    HealthController(backend).addRoutes(to: router.group().add(middleware: QueryMiddleware()))
    addRoutes(router, observer)
    router.rejectOtherMethods()
    let gate = ConnectionGate(
        limit: places, perNetwork: places, patience: configuration.limits.patience, trustedProxies: [],
        metrics: backend.metrics.connections)
    return Application(
        router: router,
        server: HTTPServerBuilder { responder in
            LandfallChannel(
                http: HTTP1Channel(
                    responder: responder, configuration: .init(configuration.limits, observer)),
                gate: gate, posts: nil)
        },
        configuration: .init(
            address: .hostname(host, port: port), serverName: ServerConfiguration.serverName,
            backlog: places, availableConnectionsDelegate: .maximum(places + 1, logger: logger)),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
        logger: logger)
}

/// Runs an application on the port of a setting such as `admin.port`.
struct FurtherListener: Service {
    private let application: any ApplicationProtocol
    private let host: String
    private let port: Int
    private let setting: String

    /// - Parameter setting: the settings' common name, for the message if this machine cannot listen there.
    init(_ application: some ApplicationProtocol, host: String, port: Int, setting: String) {
        (self.application, self.host, self.port, self.setting) = (application, host, port, setting)
    }

    func run() async throws {
        do {
            try await application.run()
        } catch is IOError, is SocketAddressError {
            throw ServeError.cannotListenToo(host: host, port: port, setting: setting)
        }
    }
}
