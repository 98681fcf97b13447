import Access
import Synchronization
import Testing

@Suite struct KeySieveTests {
    private struct Unreachable: Error {}

    private static func digest(_ number: Int) throws -> KeyDigest {
        try #require(KeyDigest(of: "lf_device_\(number)"))
    }

    @Test("keys that are asked about while a query is under way share the next one")
    func batches() async throws {
        let sizes = Mutex<[Int]>([])
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (released, releasing) = AsyncStream<Void>.makeStream()
        let valid = try Self.digest(7)
        let sieve = KeySieve { digests in
            let isFirst = sizes.withLock { sizes in
                sizes.append(digests.count)
                return sizes.count == 1
            }
            if isFirst {
                beginning.yield()
                for await _ in released { break }
            }
            return Set(digests).intersection([valid])
        }
        let digests = try (0..<2_500).map { try Self.digest($0) }
        let known = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await sieve.knows(digests[0]) }
            for await _ in begun { break }
            for digest in digests.dropFirst() { group.addTask { try await sieve.knows(digest) } }
            while await sieve.waitingCount < 2_499 { await Task.yield() }
            releasing.yield()
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(known == 1)
        #expect(sizes.withLock { $0 } == [1, 1_000, 1_000, 499])
    }

    @Test("an error of the database reaches every caller, and the next caller asks again")
    func errors() async throws {
        let attempts = Mutex(0)
        let digest = try Self.digest(1)
        let sieve = KeySieve { digests in
            if attempts.withLock({ attempts in
                attempts += 1
                return attempts == 1
            }) {
                throw Unreachable()
            }
            return Set(digests)
        }
        await #expect(throws: Unreachable.self) { try await sieve.knows(digest) }
        #expect(try await sieve.knows(digest))
    }
}
