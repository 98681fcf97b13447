internal import CoreMetrics
public import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore

/// The HTTP service, as run by `landfall-server` and by tests.
///
/// - Parameter onServerRunning: called with the port once the server accepts connections.
public func buildApplication(
    _ configuration: ServerConfiguration, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let limits = configuration.limits
    let posts = SmallPostIntake(configuration, backend: backend, logger: logger)
    let router = buildRouter(configuration, backend: backend, posts)
    router.rejectOtherMethods()
    return Application(
        router: router,
        server: HTTPServerBuilder { responder in
            LandfallChannel(
                http: HTTP1Channel(
                    responder: responder,
                    configuration: .init(limits, backend.metrics.connections, posts.observer)),
                posts: posts)
        },
        configuration: .init(
            address: .hostname(configuration.host, port: configuration.port),
            serverName: ServerConfiguration.serverName,
            // Devices connect all at once when a campaign is sent. If the backlog is full, a client tries again after 1, 3 and 7
            // s.
            backlog: limits.connections,
            availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? configuration.port)
        },
        logger: logger)
}

/// All routes, without those that only reject: the routes that `openapi.yaml` describes.
func buildRouter(
    _ configuration: ServerConfiguration, backend: Backend, _ posts: SmallPostIntake
) -> Router<LandfallRequestContext> {
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: posts.observer)
    router.add(middleware: ProblemMiddleware(observer: posts.observer))
    router.add(middleware: ExactPathMiddleware())
    HealthController(readiness: Readiness(pool: backend.pool, health: backend.writeHealth)).addRoutes(
        to: router)
    MetricsController(backend: backend, lifetime: configuration.metricsLifetime).addRoutes(to: router)
    OpenAPIController().addRoutes(to: router)

    let contract = router.group("v1")
        .add(
            middleware: KeyMiddleware(
                keys: backend.keys, limits: configuration.limits, rejections: backend.metrics.rateLimits)
        )
        .add(middleware: RateLimitMiddleware(limits: posts.intake.callers))
        .add(middleware: ExpectMiddleware())
    EventsController(intake: posts.intake).addRoutes(to: contract)
    DevicesController(
        pool: backend.pool, registry: backend.registry, waitingMessages: backend.waitingMessages,
        clock: backend.clock, budget: posts.intake.budget, limits: posts.intake.callers,
        quotas: backend.quotas
    ).addRoutes(to: contract)
    FeedsController(pool: backend.pool, vault: backend.vault, clock: backend.clock).addRoutes(to: contract)
    ReportsController(
        pool: backend.reportPool, limits: configuration.reports, metrics: backend.metrics.database,
        clock: backend.clock
    ).addRoutes(to: contract)
    return router
}

extension SmallPostIntake {
    init(_ configuration: ServerConfiguration, backend: Backend, logger: Logger) {
        let limits = configuration.limits
        self.init(
            intake: EventIntake(configuration, backend: backend), keys: backend.keys,
            addresses: ClientAddresses(trustedProxies: limits.trustedProxies),
            observer: RequestObserver(
                metrics: backend.metrics.http, access: configuration.logging.access, logger: logger),
            logger: logger)
    }
}

extension HTTP1Channel.Configuration {
    fileprivate init(
        _ limits: ServerConfiguration.Limits, _ connections: Meter, _ observer: RequestObserver
    ) {
        self.init(
            additionalChannelHandlers: [
                ConnectionCounter(connections), RequestBounds(limits, observer: observer),
            ],
            // Hummingbird's timeout would not see the requests of the `EventLane`; `RequestBounds` handles it.
            idleTimeout: nil,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerCount))
    }
}
