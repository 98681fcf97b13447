import Access
import ChildPrograms
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import TestBrowser
import TestDatabase
import Testing

/// Pages that use keys they found elsewhere, from origins that their apps do not list.
@Suite(.database) struct BrowserHostileTests {
    private static let listed = "https://shop.example"

    private func click(_ number: Int) -> String {
        #"{"type":"click","notification_id":"\#(notificationID(number))"}"#
    }

    private func recorded() async throws -> Int64 {
        try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery")
    }

    @Test("a page of another origin records nothing, even if another app lists it, on either path")
    func otherOrigins() async throws {
        try await TestServer.run { server async throws in
            try await server.app.allow(Self.listed)
            try await TestServer.makeApp("evil").0.allow("https://evil.example")
            // From now on, posts with this key could take the `EventLane`.
            #expect(try await server.post("[]", as: .device).status == 200)
            for origin in ["https://evil.example", "https://nowhere.example", "null", "*", Self.listed + "/"]
            {
                let response = try await server.post(click(1), as: .device, headers: [.origin: origin])
                #expect(response.status == 403, "\(origin)")
                #expect(response.code == "origin_not_allowed")
                #expect(response.headers[.accessControlAllowOrigin] == nil)
            }
        }
        #expect(try await recorded() == 0)
    }

    @Test("keys that belong on servers are useless in a page, whatever its origin")
    func secretKeys() async throws {
        try await TestServer.run { server async throws in
            try await server.app.allow("*")
            for (kind, method, path) in [
                (APIKey.Kind.server, HTTPRequest.Method.post, "/v1/events"), (.server, .get, "/v1/tokens"),
                (.report, .get, "/v1/reports/funnel"), (.report, .post, "/v1/events"),
            ] {
                let response = try await server.send(
                    method, path, Array(click(1).utf8), as: kind, headers: [.origin: Self.listed])
                #expect(response.status == 403)
                #expect(response.code == "key_not_for_browsers")
                #expect(response.headers[.accessControlAllowOrigin] == nil)
            }
        }
        #expect(try await recorded() == 0)
    }

    @Test(
        "in Chromium, a page of a listed origin posts a click, and pages of other origins do not",
        .timeLimit(.minutes(40)))
    func chromium() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let (other, _) = try await TestServer.makeApp("other")
        let (device, secret) = (try #require(keys[.device]), try #require(keys[.server]))
        try await ServedApplication.run { served async throws in
            try await Pages.serve { own in
                try await Pages.serve { foreign in
                    try await Pages.serve { unknown in
                        try await app.allow(own.origin)
                        try await other.allow(foreign.origin)
                        let posts = [device, secret].enumerated().map { number, key in
                            Pages.Post(
                                url: "http://127.0.0.1:\(served.port)/v1/events", key: key,
                                body: click(number))
                        }
                        #expect(try await own.open(posts) == ["200 accepted 1", "blocked"])
                        #expect(try await recorded() == 1)
                        // The preflight of the first passes, because an app lists the origin; the request
                        // does not.
                        for page in [foreign, unknown] {
                            #expect(try await page.open([posts[0], posts[1]]) == ["blocked", "blocked"])
                        }
                        #expect(try await recorded() == 1)
                        let metric = "landfall_browser_requests_total"
                        let refused = #"{kind="request",verdict="origin_not_allowed"}"#
                        #expect(try await served.metric(metric + refused) == 1)
                    }
                }
            }
        }
    }
}

/// A web server with an origin of its own, whose page posts.
private struct Pages {
    struct Post: Encodable {
        let url: String
        let key: String
        let body: String
    }

    let origin: String

    static func serve(_ body: (Pages) async throws -> Void) async throws {
        let router = Router()
        router.get("/") { request, _ in
            let posts = request.uri.queryParameters["posts"] ?? "[]"
            return Hummingbird.Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: html(String(posts)))))
        }
        try await WebSite.serve(router) { try await body(Pages(origin: $0.origin)) }
    }

    /// What the page saw of the response to each post.
    func open(_ posts: [Post]) async throws -> [String] {
        let folder = try ThrowawayFolder.create(for: "browser")
        defer { try? folder.remove() }
        var page = try #require(URLComponents(string: origin + "/"))
        let json = String(decoding: try JSONEncoder().encode(posts), as: UTF8.self)
        page.queryItems = [URLQueryItem(name: "posts", value: json)]
        let url = try #require(page.url)
        // The browser runs on a thread that runs no tasks: both servers need those.
        let document = try await NIOThreadPool.singleton.runIfActive {
            try Chromium.document(of: url, profile: folder.url)
        }
        let seen = try #require(document.firstMatch(of: /<pre id="seen">([^<]*)<\/pre>/), "\(document)").1
        return seen.split(separator: "|").map(String.init)
    }

    private static func html(_ posts: String) -> String {
        """
        <!doctype html><meta charset=utf-8><pre id=seen></pre>
        <script>
        async function send(post) {
          try {
            const response = await fetch(post.url, { method: 'POST', body: post.body, headers: {
              'Authorization': `Bearer ${post.key}`, 'Content-Type': 'application/json' } });
            return `${response.status} accepted ${(await response.json()).accepted}`;
          } catch (error) {
            return 'blocked';
          }
        }
        (async () => {
          const seen = [];
          for (const post of \(posts)) seen.push(await send(post));
          document.getElementById('seen').textContent = seen.join('|');
        })();
        </script>
        """
    }
}
