public import Hummingbird
public import Logging

/// The listener of `web.port`: the console alone, so that events can be posted from anywhere while the console stays private.
public func buildConsole(
    _ configuration: ServerConfiguration, port: Int, backend: Backend, logger: Logger,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let observer = RequestObserver(
        metrics: backend.metrics.http, access: configuration.logging.access, logger: logger)
    let router = Router(context: LandfallRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: observer)
    router.add(middleware: ProblemMiddleware(observer: observer))
    router.add(middleware: ExactPathMiddleware())
    HealthController(backend).addRoutes(to: router)
    let console = Console(backend: backend, configuration: configuration, observer: observer)
    console.addRoutes(to: router)
    router.rejectOtherMethods()
    var application = furtherApplication(
        router, host: configuration.web.host, port: port, places: 2 * OpenPages.most,
        configuration.limits, observer, backend: backend, logger: logger, onServerRunning: onServerRunning)
    application.addServices(console.changes)
    return application
}
