import DeliveryModel
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import TokenLifecycle

@testable import Access

@Suite struct KeyRingTests {
    /// A clock that only advances on request, and keys that can be revoked.
    private final class World: Sendable {
        private let elapsed = Mutex(Duration.zero)
        private let known = Mutex<[KeyDigest: Credential]>([:])
        private let asked = Mutex(0)
        private let start = ContinuousClock.now

        var queries: Int { asked.withLock { $0 } }

        func advance(_ duration: Duration) {
            elapsed.withLock { $0 += duration }
        }

        func now() -> ContinuousClock.Instant {
            start + elapsed.withLock { $0 }
        }

        func add(_ text: String) throws -> Credential {
            let digest = try #require(KeyDigest(of: text))
            let credential = Credential(keyID: 1, kind: .device, app: App(appID: 1, slug: "shop"))
            known.withLock { $0[digest] = credential }
            return credential
        }

        func revokeAll() {
            known.withLock { $0 = [:] }
        }

        func find(_ digest: KeyDigest) -> Credential? {
            asked.withLock { $0 += 1 }
            return known.withLock { $0[digest] }
        }

        func ring(capacity: Int = 10_000) -> KeyRing {
            KeyRing(capacity: capacity, now: now) { self.find($0) }
        }
    }

    @Test("a revoked key stops working within five seconds, and is looked up once in that time")
    func revocation() async throws {
        let world = World()
        let ring = world.ring()
        let credential = try world.add("lf_device_a")
        #expect(try await ring.credential(for: "lf_device_a") == credential)
        world.revokeAll()
        world.advance(.milliseconds(4_900))
        #expect(try await ring.credential(for: "lf_device_a") == credential)
        #expect(world.queries == 1)
        world.advance(.milliseconds(100))
        #expect(ring.recall(try #require(KeyDigest(of: "lf_device_a"))) == .outdated)
        #expect(try await ring.credential(for: "lf_device_a") == nil)
        #expect(ring.recall(try #require(KeyDigest(of: "lf_device_a"))) == .invalid)
        #expect(world.queries == 2)
    }

    @Test("an unknown key is remembered for five seconds too, and works once it exists")
    func unknownKeys() async throws {
        let world = World()
        let ring = world.ring()
        #expect(try await ring.credential(for: "lf_device_a") == nil)
        #expect(try await ring.credential(for: "lf_device_a") == nil)
        #expect(world.queries == 1)
        let credential = try world.add("lf_device_a")
        world.advance(.seconds(5))
        #expect(try await ring.credential(for: "lf_device_a") == credential)
    }

    @Test("invented keys evict no valid one, and valid keys evict only the least recently used")
    func eviction() async throws {
        let world = World()
        let ring = world.ring(capacity: 20)
        let inUse = try #require(KeyDigest(of: "lf_device_0"))
        let credential = try world.add("lf_device_0")
        _ = try await ring.credential(for: inUse)
        for number in 1...1_000 { _ = try await ring.credential(for: "lf_device_x\(number)") }
        #expect(ring.recall(inUse) == .valid(credential))

        for number in 1...1_000 {
            _ = try world.add("lf_device_\(number)")
            _ = try await ring.credential(for: "lf_device_\(number)")
            #expect(ring.recall(inUse) == .valid(credential))
        }
        #expect(ring.recall(try #require(KeyDigest(of: "lf_device_1"))) == .unheard)
    }

    @Test("many requests with the same new key make one query")
    func singleFlight() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let asked = Mutex(0)
        let (beginnings, begun) = AsyncStream<Void>.makeStream()
        let ring = KeyRing { _ in
            asked.withLock { $0 += 1 }
            begun.yield()
            for await _ in gate {}
            return nil
        }
        let digest = try #require(KeyDigest(of: "lf_device_a"))
        try await withThrowingTaskGroup(of: Credential?.self) { group in
            for _ in 0..<50 { group.addTask { try await ring.credential(for: digest) } }
            for await _ in beginnings { break }
            #expect(ring.recall(digest) == .asked)
            opener.finish()
            for try await credential in group { #expect(credential == nil) }
        }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("a failed lookup is not an response: it is thrown, and the next request looks the key up again")
    func outage() async throws {
        struct Away: Error {}
        let asked = Mutex(0)
        let ring = KeyRing { _ in
            guard
                asked.withLock({
                    $0 += 1; return $0
                }) > 1
            else { throw Away() }
            return nil
        }
        await #expect(throws: Away.self) { try await ring.credential(for: "lf_device_a") }
        #expect(try await ring.credential(for: "lf_device_a") == nil)
    }

    @Test(
        "a text that cannot be a key is never looked up",
        arguments: ["", "nonsense", "lf_" + String(repeating: "x", count: 98)])
    func noKey(text: String) async throws {
        let world = World()
        #expect(try await world.ring().credential(for: text) == nil)
        #expect(world.queries == 0)
    }
}
