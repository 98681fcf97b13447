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
    let gate = ConnectionGate(limits, backend.metrics.connections)
    let router = buildRouter(configuration, backend: backend, posts)
    PreflightController(origins: backend.origins, metrics: backend.metrics.browsers).addRoutes(to: router)
    let console =
        configuration.web.isEnabled && configuration.web.port == nil
        ? Console(backend: backend, configuration: configuration, observer: posts.observer) : nil
    console?.addRoutes(to: router)
    router.rejectOtherMethods()
    var application = Application(
        router: router,
        server: HTTPServerBuilder { responder in
            LandfallChannel(
                http: HTTP1Channel(responder: responder, configuration: .init(limits, posts.observer)),
                gate: gate, posts: posts)
        },
        configuration: .init(
            address: .hostname(configuration.host, port: configuration.port),
            serverName: ServerConfiguration.serverName,
            // Devices connect all at once when a campaign is sent. If the backlog is full, a client tries again after 1, 3 and 7
            // s.
            backlog: limits.connections,
            // One more than there are places: that one makes another give way.
            availableConnectionsDelegate: .maximum(limits.connections + 1, logger: logger)),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? configuration.port)
        },
        logger: logger)
    if let console { application.addServices(console.services) }
    return application
}

/// All routes for programs, which `openapi.yaml` describes: without the console, those that only reject, and those that browsers use by
/// themselves.
func buildRouter(
    _ configuration: ServerConfiguration, backend: Backend, _ posts: SmallPostIntake
) -> Router<LandfallRequestContext> {
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: posts.observer)
    router.add(middleware: BrowserResponseMiddleware())
    router.add(middleware: ProblemMiddleware(observer: posts.observer))
    router.add(middleware: ExactPathMiddleware())
    let operation = router.group().add(middleware: QueryMiddleware())
    HealthController(backend).addRoutes(to: operation)
    if configuration.adminPort == nil {
        MetricsController(backend: backend, lifetime: configuration.metricsLifetime).addRoutes(to: operation)
    }
    OpenAPIController().addRoutes(to: operation)

    let contract = router.group("v1")
        .add(
            middleware: KeyMiddleware(
                keys: backend.keys, sieve: backend.sieve, limits: configuration.limits,
                rejections: backend.metrics.rateLimits)
        )
        .add(middleware: BrowserMiddleware(metrics: backend.metrics.browsers))
        .add(middleware: RateLimitMiddleware(limits: posts.intake.callers))
        .add(middleware: QueryMiddleware())
        .add(middleware: ExpectMiddleware())
    EventsController(intake: posts.intake).addRoutes(to: contract)
    DevicesController(
        pool: backend.pool, registry: backend.registry, waitingMessages: backend.waitingMessages,
        clock: backend.clock, budget: posts.intake.budget, metrics: backend.metrics.registrations,
        limits: posts.intake.callers
    ).addRoutes(to: contract)
    FeedsController(pool: backend.pool, vault: backend.vault, clock: backend.clock).addRoutes(to: contract)
    ReportsController(desk: ReportDesk(configuration, backend: backend), clock: backend.clock)
        .addRoutes(to: contract)
    return router
}

extension ReportDesk {
    init(_ configuration: ServerConfiguration, backend: Backend) {
        self.init(
            pool: backend.reportPool, limits: configuration.reports, metrics: backend.metrics.database)
    }
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
    init(_ limits: ServerConfiguration.Limits, _ observer: RequestObserver) {
        self.init(
            additionalChannelHandlers: [RequestBounds(limits, observer: observer)],
            // Hummingbird's timeout would not see the requests of the `EventLane`; `RequestBounds` handles it.
            idleTimeout: nil,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerCount))
    }
}
