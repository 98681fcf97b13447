internal import NIOPosix
internal import Synchronization

/// Runs scrypt, which is slow by design, on a few dedicated threads, so that no other request waits for it.
/// An address that sends many passphrases delays the others by one of them at most.
final class PassphraseDesk: Sendable {
    static let mostWaiting = 32
    static let mostPerAddress = 4

    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let reject: @Sendable () -> Void
    }

    private let threads: NIOThreadPool
    private let state: Mutex<Turns<IPAddress, Job>>

    /// - Parameter threads: already started; as many as the size says.
    init(threads: NIOThreadPool, size: Int) {
        self.threads = threads
        state = Mutex(Turns(places: size, most: Self.mostWaiting, mostPerCaller: Self.mostPerAddress))
    }

    /// The desk for sign-ins by passphrase, which anyone may attempt.
    static func forChecks() -> PassphraseDesk { PassphraseDesk(threads: checks, size: 2) }
    /// The desk for people with a valid link.
    static func forLinks() -> PassphraseDesk { PassphraseDesk(threads: links, size: 1) }

    private static let checks = started(2)
    private static let links = started(1)

    private static func started(_ size: Int) -> NIOThreadPool {
        let threads = NIOThreadPool(numberOfThreads: size)
        threads.start()
        return threads
    }

    /// - Throws: 503 if too many of the address, or of all together, wait.
    func run<Value: Sendable>(
        from address: IPAddress, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let problem = Problem.unavailable("overloaded", "too many people sign in at once: try again")
        return try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { continuation.resume(with: Result { try work() }) },
                reject: { continuation.resume(throwing: problem) })
            state.withLock { $0.add(job, of: address.client) }?.reject()
            begin()
        }
    }

    private func begin() {
        while let job = state.withLock({ $0.begin() }) {
            threads.submit { [self] _ in
                job.run()
                state.withLock { $0.end() }
                begin()
            }
        }
    }
}

/// A queue for a few places: the callers take turns, and the work of each caller keeps its order.
struct Turns<Caller: Hashable & Sendable, Work: Sendable>: Sendable {
    let places: Int
    let most: Int
    let mostPerCaller: Int
    private var waiting: [Caller: [Work]] = [:]
    /// The callers with waiting work, the next one first.
    private var order: [Caller] = []
    private var busy = 0

    init(places: Int, most: Int, mostPerCaller: Int) {
        (self.places, self.most, self.mostPerCaller) = (places, most, mostPerCaller)
    }

    /// Adds work. Returns what is rejected if there is no room: the latest of a caller with more waiting.
    mutating func add(_ work: Work, of caller: Caller) -> Work? {
        let own = waiting[caller, default: []].count
        guard own < mostPerCaller else { return work }
        var rejected: Work?
        if waiting.values.reduce(0, { $0 + $1.count }) >= most {
            let counts = order.map { ($0, waiting[$0, default: []].count) }
            guard let (other, count) = counts.max(by: { $0.1 < $1.1 }), count > own + 1 else { return work }
            rejected = waiting[other]?.popLast()
        }
        if own == 0 { order.append(caller) }
        waiting[caller, default: []].append(work)
        return rejected
    }

    /// The next work, if a place is free for it.
    mutating func begin() -> Work? {
        guard busy < places, !order.isEmpty else { return nil }
        let caller = order.removeFirst()
        guard var own = waiting.removeValue(forKey: caller), !own.isEmpty else { return nil }
        let next = own.removeFirst()
        if !own.isEmpty {
            waiting[caller] = own
            order.append(caller)
        }
        busy += 1
        return next
    }

    mutating func end() { busy -= 1 }
}
