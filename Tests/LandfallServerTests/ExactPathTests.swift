import Access
import Hummingbird
import TestDatabase
import Testing

/// A proxy's rule for a path must cover every request that reaches the route.
@Suite(.database) struct ExactPathTests {
    @Test("every route has one path: any other spelling of it is 404")
    func spellings() async throws {
        let device = "/v1/devices/6f9619ff-8b86-4011-b42d-00cf4fc964ff"
        let routes: [(HTTPRequest.Method, String)] = [
            (.get, "/metrics"), (.get, "/healthz"), (.get, "/readyz"), (.get, "/openapi.yaml"),
            (.get, "/v1/tokens"), (.get, "/v1/token-changes"), (.get, "/v1/reports/funnel"),
            (.post, "/v1/events"), (.put, device), (.delete, device), (.delete, "\(device)/tokens"),
        ]
        try await TestServer.run { server async throws in
            for (method, path) in routes {
                let last = path.split(separator: "/").last ?? ""
                let encoded = "%" + String(last.utf8.first ?? 0, radix: 16) + last.dropFirst()
                var spellings = [
                    "\(path)/", "\(path)//", "/\(path)", "/.\(path)", "/x/..\(path)", "\(path)/.",
                    "\(path);x",
                    "\(path)%00", path.uppercased(), path.replacing("/\(last)", with: "//\(last)"),
                    path.replacing("/\(last)", with: "/./\(last)"),
                    path.replacing("/\(last)", with: "/\(encoded)"), "\(path)/?x", "\(path)//?x",
                ]
                // An id may be written in either case; percent signs are not part of an id.
                if path == device { spellings.removeAll { !$0.hasSuffix("/") && !$0.contains("//") } }
                for spelling in spellings {
                    let status = try await server.send(method, spelling, as: .server).status
                    #expect([400, 404].contains(status), "\(method) \(spelling) is \(status)")
                    let other = try await server.send(.options, spelling, as: .server).status
                    #expect([400, 404].contains(other), "OPTIONS \(spelling) is \(other)")
                }
                #expect(
                    try await server.send(method, path, as: .server).status != 404 || path.hasPrefix(device))
            }
        }
    }
}
