public import Hummingbird
public import Logging
internal import ServiceLifecycle

/// The listener of `web.port`: the console alone, so that events can be posted from anywhere while the console stays private.
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
