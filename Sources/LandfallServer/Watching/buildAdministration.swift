public import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// The listener of `admin.port`: health checks and metrics, with places of their own. However many connections the other port has,
/// a health check gets its response.
public func buildAdministration(
    _ configuration: ServerConfiguration, port: Int, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let places = 64
    let observer = RequestObserver(
        metrics: backend.metrics.http, access: configuration.logging.access, logger: logger)
    let gate = ConnectionGate(
        limit: places, perNetwork: places, trustedProxies: [], metrics: backend.metrics.connections)
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: observer)
    router.add(middleware: ProblemMiddleware(observer: observer))
    router.add(middleware: ExactPathMiddleware())
    HealthController(backend).addRoutes(to: router)
    MetricsController(backend: backend, lifetime: configuration.metricsLifetime).addRoutes(to: router)
    router.rejectOtherMethods()
    return Application(
        router: router,
        server: HTTPServerBuilder { responder in
            LandfallChannel(
                http: HTTP1Channel(
                    responder: responder, configuration: .init(configuration.limits, observer)),
                gate: gate, posts: nil)
        },
        configuration: .init(
            address: .hostname(configuration.adminHost, port: port),
            serverName: ServerConfiguration.serverName, backlog: places,
            availableConnectionsDelegate: .maximum(places + 1, logger: logger)),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
        logger: logger)
}

/// Runs the listener of `admin.port`.
struct AdminListener: Service {
    private let host: String
    private let port: Int
    private let application: any ApplicationProtocol

    init(_ port: Int, _ configuration: ServerConfiguration, backend: Backend, logger: Logger) {
        host = configuration.adminHost
        self.port = port
        application = buildAdministration(configuration, port: port, backend: backend, logger: logger)
    }

    func run() async throws {
        do {
            try await application.run()
        } catch is IOError, is SocketAddressError {
            throw ServeError.cannotListenForAdmin(host: host, port: port)
        }
    }
}
