import Hummingbird
import Logging
import ServiceLifecycle

/// A web server with an origin of its own.
struct WebSite {
    let port: Int
    var origin: String { "http://127.0.0.1:\(port)" }

    static func serve<Value: Sendable>(
        _ router: Router<BasicRequestContext>, _ body: (WebSite) async throws -> Value
    ) async throws -> Value {
        let (ports, running) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { running.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let services = ServiceGroup(services: [application], logger: application.logger)
        let result: Result<Value, any Error> = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await services.run()
                running.finish()
            }
            var iterator = ports.makeAsyncIterator()
            let result: Result<Value, any Error>
            if let port = await iterator.next() {
                do {
                    result = .success(try await body(WebSite(port: port)))
                } catch {
                    result = .failure(error)
                }
            } else {
                result = .failure(NotServed())
            }
            await services.triggerGracefulShutdown()
            return result
        }
        return try result.get()
    }

    struct NotServed: Error {}
}

extension Router<BasicRequestContext> {
    /// Adds a file at this path.
    func file(_ path: String, _ type: String, _ text: String) {
        get(RouterPath(path)) { _, _ in
            Hummingbird.Response(
                status: .ok, headers: [.contentType: "\(type); charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }
}
