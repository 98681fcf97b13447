import Foundation
import Hummingbird

/// A web app with `landfall-sw.js` as it is, and the code of docs/kit.md with another server and key.
struct WebShop {
    /// Where its browsers find Landfall.
    let landfall: WebSite
    let key: String

    /// Serves the app from an origin of its own.
    static func serve(
        landfall: WebSite, key: String, _ body: (WebSite) async throws -> Void
    ) async throws {
        let shop = WebShop(landfall: landfall, key: key)
        let router = Router()
        router.file("/landfall-sw.js", "text/javascript", try helper())
        // With all other tests, a request may take longer than ten seconds.
        let patience = "AbortSignal.timeout = () => null;"
        router.file("/sw.js", "text/javascript", try patience + shop.code("sw.js"))
        let module = try shop.code("sw.js").replacingOccurrences(
            of: #"importScripts("/landfall-sw.js")"#, with: #"import "/landfall-sw.js""#)
        router.file("/module.js", "text/javascript", patience + module)
        router.file("/push.js", "text/javascript", try patience + shop.code("push.js"))
        router.file(
            "/", "text/html",
            "<!doctype html><title>Shop</title><script src=/landfall-sw.js></script><script src=/push.js></script>"
        )
        try await WebSite.serve(router, body)
    }

    static func helper() throws -> String { try text("clients/web/landfall-sw.js") }

    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    struct NotFound: Error {
        let name: String
    }

    /// The code block that begins with the name of a file.
    private func code(_ name: String) throws -> String {
        let blocks = try Self.text("docs/kit.md").components(separatedBy: "```")
        guard let block = blocks.first(where: { $0.contains("// \(name)\n") }) else {
            throw NotFound(name: name)
        }
        return block.dropFirst("js".count)
            .replacingOccurrences(of: "https://push.example.com", with: landfall.origin)
            .replacingOccurrences(of: "lf_device_…", with: key)
    }
}
