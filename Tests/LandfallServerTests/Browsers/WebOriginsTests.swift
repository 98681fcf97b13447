import Access
import DeliveryModel
import Synchronization
import Testing

@Suite struct WebOriginsTests {
    @Test(
        "origins are listed as browsers send them",
        arguments: [
            ("https://shop.example", #"["https://shop.example"]"#),
            (
                "https://shop.example, https://www.shop.example:8443,https://shop.example",
                #"["https://shop.example","https://www.shop.example:8443"]"#
            ),
            ("http://localhost:3000", #"["http://localhost:3000"]"#),
            ("capacitor://localhost", #"["capacitor://localhost"]"#),
            ("*", #"["*"]"#),
        ])
    func valid(text: String, json: String) throws {
        #expect(try AppSetting.named("cors_origins").json(text) == json)
    }

    @Test(
        "any other text is not an origin",
        arguments: [
            "", "shop.example", "https://", "https://Shop.example", "HTTPS://shop.example", "null",
            "https://shop.example/", "https://shop.example/path", "https://shop.example?x", "https://a@b",
            "https://shop.example:443", "http://shop.example:80", "https://shop.example:0",
            "https://shop.example:65536", "https://*.shop.example", "https://shop.example,*",
            "https://a,,https://b", #"https://a"b"#, "https://-a.example", "https://shop.example\u{0301}",
        ])
    func invalid(text: String) {
        #expect(throws: AccessError.self) { try AppSetting.named("cors_origins").json(text) }
    }

    @Test("an origin is allowed if it is listed byte for byte, or if every origin is")
    func contains() {
        let listed = WebOrigins(["https://shop.example"])
        #expect(listed.contains("https://shop.example"))
        for other in [
            "http://shop.example", "https://shop.example:8443", "https://evil-shop.example",
            "https://shop.example.evil.example", "null", "", "*",
        ] {
            #expect(!listed.contains(other))
            #expect(WebOrigins([WebOrigins.everyOrigin]).contains(other))
        }
    }
}

@Suite struct OriginRingTests {
    /// A clock that only advances on request, and origins that may change or be unavailable.
    private final class World: Sendable {
        struct Unavailable: Error {}

        private let state = Mutex(
            (elapsed: Duration.zero, origins: [String]?(["https://a.example"]), queries: 0))
        private let start = ContinuousClock.now

        var queries: Int { state.withLock { $0.queries } }
        var now: ContinuousClock.Instant { start + state.withLock { $0.elapsed } }

        func advance(_ duration: Duration) { state.withLock { $0.elapsed += duration } }
        /// `nil` if the database does not respond.
        func set(_ origins: [String]?) { state.withLock { $0.origins = origins } }

        func ring() -> OriginRing {
            OriginRing(
                now: { self.now },
                read: {
                    let origins = self.state.withLock { state in
                        state.queries += 1
                        return state.origins
                    }
                    guard let origins else { throw Unavailable() }
                    return WebOrigins(origins)
                })
        }
    }

    @Test("a flood of preflights asks the database once in five seconds")
    func flood() async throws {
        let world = World()
        let ring = world.ring()
        for _ in 0..<1_000 { #expect(try await ring.origins().contains("https://a.example")) }
        #expect(world.queries == 1)
        world.set(["https://b.example"])
        world.advance(.milliseconds(4_999))
        #expect(try await ring.origins().contains("https://a.example"))
        world.advance(.milliseconds(1))
        #expect(try await ring.origins().contains("https://a.example") == false)
        #expect(world.queries == 2)
    }

    @Test("concurrent preflights share a query")
    func concurrent() async throws {
        let world = World()
        let ring = world.ring()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { try await ring.origins().contains("https://a.example") } }
            for try await isAllowed in group { #expect(isAllowed) }
        }
        #expect(world.queries == 1)
    }

    @Test("while the database does not respond, the origins of before are allowed, if there are any")
    func unavailable() async throws {
        let world = World()
        let ring = world.ring()
        world.set(nil)
        await #expect(throws: World.Unavailable.self) { try await ring.origins() }
        world.set(["https://a.example"])
        #expect(try await ring.origins().contains("https://a.example"))
        world.set(nil)
        world.advance(.seconds(5))
        for _ in 0..<100 { #expect(try await ring.origins().contains("https://a.example")) }
        #expect(world.queries == 3)
    }

    @Test("while the database stalls, one preflight waits, and others get the origins of before")
    func stalls() async throws {
        let (released, releasing) = AsyncStream<Void>.makeStream()
        let world = World()
        let queries = Mutex(0)
        let ring = OriginRing(now: { world.now }) {
            let query = queries.withLock { count -> Int in
                count += 1
                return count
            }
            if query > 1 { for await _ in released { break } }
            return WebOrigins(["https://\(query).example"])
        }
        #expect(try await ring.origins().contains("https://1.example"))
        world.advance(.seconds(5))
        async let late = ring.origins()
        while queries.withLock({ $0 }) < 2 { await Task.yield() }
        for _ in 0..<100 { #expect(try await ring.origins().contains("https://1.example")) }
        releasing.yield()
        #expect(try await late.contains("https://2.example"))
        #expect(queries.withLock { $0 } == 2)
    }
}
