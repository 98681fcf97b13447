public import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle
internal import SmallPostLane

/// The HTTP service, as run by `landfall-server` and by tests.
///
/// - Parameter onServerRunning: called with the port once the server accepts connections.
public func buildApplication(
    _ configuration: ServerConfiguration, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let posts = SmallPostIntake(configuration, backend: backend, logger: logger)
    let waits = FeedWaits(backend, limit: configuration.limits.feedWaiters)
    let router = buildRouter(configuration, backend: backend, posts, waits)
    PreflightController(cells: backend.cells, metrics: backend.metrics.browsers).addRoutes(to: router)
    let console =
        configuration.web.isEnabled && configuration.web.port == nil
        ? Console(backend: backend, configuration: configuration, observer: posts.observer) : nil
    console?.addRoutes(to: router)
    router.rejectOtherMethods()
    let limits = configuration.limits
    let gate = ConnectionGate(
        limit: limits.connections, perNetwork: limits.connectionsPerAddress, patience: limits.patience,
        trustedProxies: limits.trustedProxies, metrics: backend.metrics.connections)
    var application = listener(
        router, limits, host: configuration.host, port: configuration.port, places: limits.connections,
        gate: gate, posts: posts, observer: posts.observer, logger: logger, onServerRunning: onServerRunning)
    application.addServices(waits)
    if let console { application.addServices(console.services) }
    return application
}

/// The listener of `admin.port`: health checks and metrics, with places of their own. However many
/// connections the other port has, a health check gets its response.
public func buildAdministration(
    _ configuration: ServerConfiguration, port: Int, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    furtherApplication(
        configuration, host: configuration.adminHost, port: port, places: 64, backend: backend,
        logger: logger, onServerRunning: onServerRunning
    ) { router, _ in
        MetricsController(backend: backend, lifetime: configuration.metricsLifetime)
            .addRoutes(to: router.group().add(middleware: QueryMiddleware()))
    }
}

/// The listener of `web.port`: the console alone, which stays private while events are posted from anywhere.
public func buildConsole(
    _ configuration: ServerConfiguration, port: Int, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    var services: [any Service] = []
    var application = furtherApplication(
        configuration, host: configuration.web.host, port: port, places: 2 * OpenPages.most,
        backend: backend, logger: logger, onServerRunning: onServerRunning
    ) { router, observer in
        let console = Console(backend: backend, configuration: configuration, observer: observer)
        console.addRoutes(to: router)
        services = console.services
    }
    application.addServices(services)
    return application
}

/// Builds an application for another port than the contract's, with places of its own for connections: health
/// checks, and what the caller adds.
private func furtherApplication(
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
    HealthController(cells: backend.cells).addRoutes(to: router.group().add(middleware: QueryMiddleware()))
    addRoutes(router, observer)
    router.rejectOtherMethods()
    let gate = ConnectionGate(
        limit: places, perNetwork: places, patience: configuration.limits.patience, trustedProxies: [],
        metrics: backend.metrics.connections)
    return listener(
        router, configuration.limits, host: host, port: port, places: places, gate: gate, posts: nil,
        observer: observer, logger: logger, onServerRunning: onServerRunning)
}

/// - Parameters:
///   - places: the most connections.
///   - posts: `nil` on a port that accepts no events.
private func listener(
    _ router: Router<LandfallRequestContext>, _ limits: ServerConfiguration.Limits, host: String, port: Int,
    places: Int, gate: ConnectionGate, posts: SmallPostIntake?, observer: RequestObserver, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void
) -> Application<RouterResponder<LandfallRequestContext>> {
    let http = HTTP1Channel.Configuration(
        additionalChannelHandlers: [RequestBounds(limits, observer: observer)],
        // Hummingbird's timeout would not see the requests of the `EventLane`; `RequestBounds` handles it.
        idleTimeout: nil,
        httpDecoderConfiguration: .init(
            maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
            maxHeaderFieldCount: limits.headerCount))
    return Application(
        router: router,
        server: HTTPServerBuilder { responder in
            LandfallChannel(
                http: HTTP1Channel(responder: responder, configuration: http), gate: gate, posts: posts)
        },
        configuration: .init(
            address: .hostname(host, port: port), serverName: ServerConfiguration.serverName,
            // A campaign makes devices connect at once. With a full backlog, clients retry after 1, 3, 7 s.
            backlog: places,
            // One more than there are places: that one makes another give way.
            availableConnectionsDelegate: .maximum(places + 1, logger: logger)),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
        logger: logger)
}

/// All routes for programs, which `openapi.yaml` describes: without the console, those that only reject, and
/// those that browsers use by themselves.
func buildRouter(
    _ configuration: ServerConfiguration, backend: Backend, _ posts: SmallPostIntake, _ waits: FeedWaits
) -> Router<LandfallRequestContext> {
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: posts.observer)
    router.add(middleware: BrowserResponseMiddleware())
    router.add(middleware: ProblemMiddleware(observer: posts.observer))
    router.add(middleware: ExactPathMiddleware())
    let operation = router.group().add(middleware: QueryMiddleware())
    HealthController(cells: backend.cells).addRoutes(to: operation)
    if configuration.adminPort == nil {
        MetricsController(backend: backend, lifetime: configuration.metricsLifetime).addRoutes(to: operation)
    }
    let description = Response(
        status: .ok, headers: [.contentType: "application/yaml"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_yaml)))
    operation.get("openapi.yaml") { _, _ in description }

    let contract = router.group("v1")
        .add(middleware: KeyMiddleware(configuration.limits, backend))
        .add(middleware: BrowserMiddleware(metrics: backend.metrics.browsers))
        .add(middleware: RateLimitMiddleware(limits: posts.intake.callers))
        .add(middleware: QueryMiddleware())
        .add(middleware: ExpectMiddleware())
    EventsController(intake: posts.intake).addRoutes(to: contract)
    let presets = IntakeController(intake: posts.intake)
    presets.addRoutes(to: contract)
    presets.addSetup(to: operation)
    DevicesController(
        cells: backend.cells, registry: backend.registry, waitingMessages: backend.waitingMessages,
        budget: posts.intake.budget, metrics: backend.metrics.registrations, limits: posts.intake.callers
    ).addRoutes(to: contract)
    FeedsController(cells: backend.cells, vault: backend.vault, keys: backend.keys, waits: waits)
        .addRoutes(to: contract)
    ReportsController(desk: ReportDesk(configuration, backend: backend)).addRoutes(to: contract)
    return router
}

extension ReportDesk {
    init(_ configuration: ServerConfiguration, backend: Backend) {
        self.init(cells: backend.cells, limits: configuration.reports)
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

/// Hummingbird's HTTP/1 channel for what the gate admits, with the `EventLane` right after its decoder.
struct LandfallChannel: ServerChildChannel {
    struct TooManyConnections: Error {}

    let http: HTTP1Channel
    let gate: ConnectionGate
    /// `nil` on a port that accepts no events.
    let posts: SmallPostIntake?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard let place = gate.open(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(TooManyConnections())
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // NIO's default buffers grow to 64 KiB per connection, and a connection may fill ten of them
            // before its body is read.
            try channel.syncOptions?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2_048, maximum: 16 * 1_024))
            let pipeline = channel.pipeline.syncOperations
            let bounds = try pipeline.handler(type: RequestBounds.self)
            bounds.place = place
            guard let posts else { return value }
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(EventLane(posts, bounds: bounds), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
