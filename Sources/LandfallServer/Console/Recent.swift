internal import Access
internal import HTTPTypes
internal import Synchronization

/// Values that take time to read, such as reports, kept for a short time: people who look at the same one at
/// once cost one report. A page waits a moment for its value, and otherwise gets the previous one.
final class Recent<Value: Sendable>: Sendable {
    struct Answer: Sendable {
        /// `nil` while the first one is being read.
        var value: Value?
        /// Set while a newer one is being read.
        var counting: ConsolePage.Counting?
    }

    private struct Entry {
        let reading: Reading<Value>
        /// The value before, and when it was read.
        var earlier: (value: Value, at: ContinuousClock.Instant)?

        /// What a page may still show while a newer value is read.
        var latest: (value: Value, at: ContinuousClock.Instant)? {
            let value = (try? reading.result?.get()).map { (value: $0, at: reading.startedAt) } ?? earlier
            return value.flatMap { $0.at.duration(to: .now) < .seconds(600) ? $0 : nil }
        }
    }

    private let entries: Mutex<RecentlyUsed<String, Entry>>
    private let timing: RecentTiming

    init(capacity: Int, timing: RecentTiming = RecentTiming()) {
        entries = Mutex(RecentlyUsed(capacity: capacity))
        self.timing = timing
    }

    /// - Parameter question: names the value, with everything that it depends on.
    func answer(
        _ question: String, _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Answer {
        let entry = entry(question, read)
        let wait = entry.earlier == nil ? timing.first : timing.again
        switch await entry.reading.result(within: wait) {
        case .success(let value): return Answer(value: value)
        case .failure(let error): throw error
        case nil:
            return Answer(value: entry.earlier?.value, counting: entry.earlier == nil ? .first : .again)
        }
    }

    private func entry(_ question: String, _ read: @escaping @Sendable () async throws -> Value) -> Entry {
        entries.withLock { entries in
            let known = entries[question]
            if let known, !known.reading.isOver { return known }
            // All who ask meanwhile wait for this one; one who leaves does not cancel it.
            let entry = Entry(reading: Reading(keptFor: timing.kept, read), earlier: known?.latest)
            entries[question] = entry
            return entry
        }
    }
}

extension Recent.Answer: Equatable where Value: Equatable {}

struct RecentTiming: Sendable {
    /// How long a page waits for the first one: most are there sooner, and a page without numbers is useless.
    var first = Duration.milliseconds(500)
    var again = Duration.milliseconds(60)
    /// How long a value is kept: within these bounds, ten times as long as reading it took.
    var kept: ClosedRange<Duration> = .seconds(2) ... .seconds(60)
}

private final class Reading<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        /// Until when the result is as good as a new one.
        var end: ContinuousClock.Instant?
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    let startedAt = ContinuousClock.now
    private let kept: ClosedRange<Duration>
    private let state = Mutex(State())

    init(keptFor kept: ClosedRange<Duration>, _ read: @escaping @Sendable () async throws -> Value) {
        self.kept = kept
        Task {
            do {
                finish(.success(try await read()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    var result: Result<Value, any Error>? { state.withLock(\.result) }

    var isOver: Bool { state.withLock { $0.end.map { $0 < .now } ?? false } }

    private func finish(_ result: Result<Value, any Error>) {
        // What takes long is kept longer, so that a page uses up at most a tenth of a connection. A report
        // that takes too long would take as long again; other failures may be over soon.
        let isWorthKeeping =
            switch result {
            case .success: true
            case .failure(let error): (error as? Problem)?.status == .gatewayTimeout
            }
        let wanted = isWorthKeeping ? startedAt.duration(to: .now) * 10 : kept.lowerBound
        let lifetime = min(max(kept.lowerBound, wanted), kept.upperBound)
        let waiting = state.withLock { state in
            state.result = result
            state.end = .now + lifetime
            return state.waiting
        }
        for waiter in waiting { waiter.finish() }
    }

    /// `nil` if there is none by then.
    func result(within patience: Duration) async -> Result<Value, any Error>? {
        let end: AsyncStream<Never>? = state.withLock { state in
            guard state.result == nil else { return nil }
            let (end, waiter) = AsyncStream<Never>.makeStream()
            state.waiting.append(waiter)
            return end
        }
        if let end {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in end {} }
                group.addTask { try? await Task.sleep(for: patience) }
                await group.next()
                group.cancelAll()
            }
        }
        return result
    }
}
