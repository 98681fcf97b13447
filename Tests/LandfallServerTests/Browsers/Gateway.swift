import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1
import Synchronization

/// The network between a browser and Landfall: passes requests on, loses them, or responds itself, as a
/// network does that wants its user to sign in.
final class Gateway: Sendable {
    /// A response that pages may read.
    struct Reply: Sendable {
        var status: HTTPResponse.Status
        var headers: HTTPFields = [:]
        var body = ""
    }

    enum Route: Sendable {
        /// The page cannot read the response, which it cannot tell from a missing network.
        case nowhere
        /// Landfall, on this port.
        case landfall(Int)
        /// Responds to a post of these notification ids.
        case reply(@Sendable (_ ids: [String]) -> Reply)
    }

    private struct State {
        var route = Route.nowhere
        var posts: [[String]] = []
    }

    private let state = Mutex(State())

    /// The notification ids of each post since the route was chosen.
    var posts: [[String]] { state.withLock { $0.posts } }

    func choose(_ route: Route) { state.withLock { $0 = State(route: route) } }

    func wait(forPosts count: Int) async throws {
        try await waiting("\(count) posts") { posts.count >= count }
    }

    func serve(_ body: (WebSite) async throws -> Void) async throws {
        let router = Router()
        router.on("/v1/**", method: .options) { request, _ in try await self.respond(to: request) }
        router.on("/v1/**", method: .post) { request, _ in try await self.respond(to: request) }
        router.on("/v1/**", method: .put) { request, _ in try await self.respond(to: request) }
        try await WebSite.serve(router, body)
    }

    private func respond(to request: Request) async throws -> Hummingbird.Response {
        let body = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
        let items = try? JSONSerialization.jsonObject(with: body) as? [[String: Any]]
        let route = state.withLock { state in
            if let items { state.posts.append(items.map { $0["notification_id"] as? String ?? "" }) }
            return state.route
        }
        switch route {
        case .nowhere: return Hummingbird.Response(status: .badGateway)
        case .landfall(let port): return try await forward(request, body, to: port)
        case .reply(let reply):
            let isPreflight = request.method == .options
            let reply = isPreflight ? Reply(status: .noContent) : reply(items?.compactMap(\.id) ?? [])
            var headers = reply.headers
            headers[.accessControlAllowOrigin] = "*"
            headers[.accessControlAllowHeaders] = "Authorization, Content-Type"
            headers[.accessControlExposeHeaders] = "Retry-After"
            return Hummingbird.Response(
                status: reply.status, headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
        }
    }

    private func forward(_ request: Request, _ body: Data, to port: Int) async throws -> Hummingbird.Response
    {
        var sent = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(request.uri)")
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where field.name != .contentLength {
            sent.headers.add(name: field.name.canonicalName, value: field.value)
        }
        if request.method != .options { sent.body = .bytes(body) }
        let response = try await HTTPClient.shared.execute(sent, timeout: .seconds(180))
        var headers = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name), name != .contentLength, name != .transferEncoding else {
                continue
            }
            headers.append(HTTPField(name: name, value: value))
        }
        return Hummingbird.Response(
            status: .init(code: Int(response.status.code)), headers: headers,
            body: ResponseBody(byteBuffer: try await response.body.collect(upTo: 1 << 20)))
    }
}

extension [String: Any] {
    fileprivate var id: String? { self["notification_id"] as? String }
}
