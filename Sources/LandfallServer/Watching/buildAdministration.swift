public import Hummingbird
public import Logging

/// The listener of `admin.port`: health checks and metrics, with places of their own. However many connections the other port has,
/// a health check gets its response.
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
