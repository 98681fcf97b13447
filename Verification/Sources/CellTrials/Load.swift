internal import Basics
internal import Synchronization

/// Clients that post to apps, and a reader of each app's feed, while something else happens.
struct Load: Sendable {
    let apps: [CellApp]
    let client: CellClient
    let log: PostLog
    let seed: UInt64
    /// The time from a client's request to its next; `nil` if there is none.
    let pace: Duration?

    private static let clients = 8

    /// What the clients know of an app.
    struct Known: Sendable {
        var items = RecordedItems()
        var reading = FeedReader.Reading()
    }

    private enum End: Sendable {
        case script
        case posted(app: Int, RecordedItems)
        case read(app: Int, FeedReader.Reading)
    }

    /// Posts until the script has ended, and reads until everything was fed.
    ///
    /// - Returns: what is known of each app.
    func run(while script: @escaping @Sendable () async throws -> Void) async throws -> [Known] {
        let (hasEnded, isQuiet) = (Flag(), Flag())
        return try await withThrowingTaskGroup(of: End.self) { group in
            for number in 0..<Self.clients {
                let app = number % apps.count
                let random = SeededRandom(seed: seed, stream: UInt64(number))
                let first = Poster(apps[app], client, log, pace: pace, random: random)
                group.addTask {
                    var poster = first
                    try await poster.run { hasEnded.isSet }
                    return .posted(app: app, poster.known)
                }
            }
            for app in apps.indices {
                let reader = FeedReader(app: apps[app], client: client)
                let random = SeededRandom(seed: seed, stream: UInt64(1_000 + app))
                group.addTask { .read(app: app, try await reader.read(random) { isQuiet.isSet }) }
            }
            group.addTask {
                try await script()
                return .script
            }
            var known = apps.map { _ in Known() }
            var posting = Self.clients
            for try await end in group {
                switch end {
                case .script: hasEnded.set()
                case .posted(let app, let items):
                    known[app].items.formUnion(items)
                    posting -= 1
                    if posting == 0 { isQuiet.set() }
                case .read(let app, let reading): known[app].reading = reading
                }
            }
            return known
        }
    }
}

/// A fact that becomes true once.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}
