import Hummingbird
import Logging
import ServiceLifecycle
import TestDatabase

@testable import LandfallServer

/// The application itself, as the program runs it, with a listener for health checks: Hummingbird's test
/// framework ignores the limit of connections.
struct ServedApplication {
    let port: Int
    let adminPort: Int
    /// The port of the console if it has one of its own.
    let consolePort: Int?

    static func run(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (ServedApplication) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.port = 0
        configuration.adminPort = 0
        configuration.allowsUnsafeDatabase = true
        configure(&configuration)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        let (ports, isRunning) = AsyncStream<Int>.makeStream()
        let (adminPorts, adminRunning) = AsyncStream<Int>.makeStream()
        let application = buildApplication(configuration, backend: backend, logger: logger) {
            isRunning.yield($0)
        }
        let administration = buildAdministration(configuration, port: 0, backend: backend, logger: logger) {
            adminRunning.yield($0)
        }
        let (consolePorts, consoleRunning) = AsyncStream<Int>.makeStream()
        var running: [any Service] = [administration, application]
        if configuration.web.port != nil {
            running.append(
                buildConsole(configuration, port: 0, backend: backend, logger: logger) {
                    consoleRunning.yield($0)
                })
        } else {
            consoleRunning.finish()
        }
        let services = ServiceGroup(services: running, logger: logger)
        let result: Result<Void, any Error> = await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await services.run() }
            var (iterator, adminIterator) = (ports.makeAsyncIterator(), adminPorts.makeAsyncIterator())
            var consoleIterator = consolePorts.makeAsyncIterator()
            let served = ServedApplication(
                port: await iterator.next() ?? 0, adminPort: await adminIterator.next() ?? 0,
                consolePort: await consoleIterator.next())
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(served))
            } catch {
                result = .failure(error)
            }
            // Canceled, Hummingbird's server would drop connections that it has accepted and not begun to
            // serve.
            await services.triggerGracefulShutdown()
            return result
        }
        try await backend.close()
        try result.get()
    }

    /// The response to a request of a connection of its own.
    ///
    /// - Parameter address: the client's, one of 127.0.0.0/8.
    func get(_ path: String, from address: String = "127.0.0.1") async throws -> RawConnection.Response {
        // A connection whose request has not arrived yet is idle, and may give way. A client then tries
        // again.
        for _ in 0..<50 {
            if let response = try? await get(path, port: port, from: address) { return response }
        }
        return try await get(path, port: port, from: address)
    }

    func getFromAdmin(_ path: String) async throws -> RawConnection.Response {
        try await get(path, port: adminPort, from: "127.0.0.1")
    }

    func get(
        _ path: String, port: Int, from address: String
    ) async throws -> RawConnection.Response {
        try await RawConnection.open(port: port, from: address) { connection in
            try await connection.send("GET \(path) HTTP/1.1\r\nHost: landfall\r\n\r\n")
            return try await connection.response()
        }
    }

    /// The value of a metric; `nil` if there is none.
    func metric(_ name: String) async throws -> Double? {
        let lines = try await getFromAdmin("/metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix("\(name) ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
    }
}
