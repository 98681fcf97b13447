internal import Ingestion
internal import Instants
internal import Synchronization

/// What this server recorded last, by app: in memory, for the console.
///
/// It costs ingestion one lock per post, and a line for at most 20 items per app and second.
final class EventTail: Sendable {
    /// Beyond that, the app that posted nothing for the longest time is forgotten.
    static let mostApps = 200

    private struct State {
        var apps: [Int64: AppTail] = [:]
        var lastNumber = 0

        mutating func makeRoom() {
            guard apps.count >= EventTail.mostApps,
                let oldest = apps.min(by: { $0.value.second < $1.value.second })
            else { return }
            apps[oldest.key] = nil
        }
    }

    private let state = Mutex(State())

    /// Adds the items of one post, all of one app, after their commit.
    func add(_ items: [BatchItem], _ verdicts: [Verdict], at now: Instant) {
        guard !items.isEmpty else { return }
        let appID = items[0].appID
        state.withLock { state in
            if state.apps[appID] == nil { state.makeRoom() }
            state.apps[appID, default: AppTail()].add(
                items, verdicts, at: now, lastNumber: &state.lastNumber)
        }
    }

    /// The app's entries after this number, newest first.
    func entries(of appID: Int64, after number: Int = 0, at now: Instant) -> [AppTail.Entry] {
        state.withLock { state in
            state.apps[appID]?.read(after: number, at: now, lastNumber: &state.lastNumber) ?? []
        }
    }
}
