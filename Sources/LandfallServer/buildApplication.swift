public import Hummingbird
public import Logging
internal import NIOCore

/// The HTTP service: what `landfall-server` runs and what tests call.
///
/// - Parameter onServerRunning: called with the port once the server accepts connections.
public func buildApplication(
    _ configuration: ServerConfiguration, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let connections = backend.metrics.connections
    let limits = configuration.limits
    return Application(
        router: buildRouter(configuration, backend: backend, logger: logger),
        server: .http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionCounter(connections), RequestBounds(limits)],
                idleTimeout: TimeAmount(limits.idleTimeout),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerCount))),
        configuration: .init(
            address: .hostname(configuration.host, port: configuration.port), serverName: "landfall",
            availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
        onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? configuration.port)
        },
        logger: logger)
}

private func buildRouter(
    _ configuration: ServerConfiguration, backend: Backend, logger: Logger
) -> Router<LandfallRequestContext> {
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(
        middleware: RequestObserver(
            metrics: backend.metrics.http, accessLog: AccessLog(configuration.logging.access, logger: logger))
    )
    router.add(middleware: ProblemMiddleware())
    HealthController(pool: backend.pool).addRoutes(to: router)
    MetricsController(backend: backend).addRoutes(to: router)

    let contract = router.group("v1")
        .add(middleware: KeyMiddleware(keys: backend.keys, limits: configuration.limits))
        .add(middleware: RateLimitMiddleware(configuration.limits))
        .add(middleware: ExpectMiddleware())
    EventsController(
        batcher: backend.batcher, limits: configuration.limits, retention: configuration.retention,
        metrics: backend.metrics.ingestion
    ).addRoutes(to: contract)
    DevicesController(pool: backend.pool, registry: backend.registry).addRoutes(to: contract)
    router.refuseOtherMethods()
    return router
}
