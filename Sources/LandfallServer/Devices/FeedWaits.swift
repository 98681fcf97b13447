internal import CoreMetrics
internal import DeliveryModel
internal import HTTPTypes
internal import NIOCore
internal import PostgresClient
internal import ServiceLifecycle
internal import Synchronization
internal import TokenLifecycle

/// Requests that wait for changes of their app's tokens (`GET /v1/token-changes?wait=30`).
///
/// None of them holds a connection to the database. Once a second, two statements per cell find out which of
/// them have a change, however many wait (docs/decisions/0066).
final class FeedWaits: Service, Sendable {
    /// Why a wait ended.
    enum Ending {
        /// The feed has rows after the one that the request knows, or is in another cell now.
        case changed
        /// The time has passed, or the server shuts down.
        case over
        case clientLeft
    }

    /// The time between two looks at a cell's ledger.
    private static let pause = Duration.seconds(1)
    /// The time after which the next look does not wait for a cell that does not respond.
    private static let patience = Duration.seconds(5)

    private struct Wait {
        let cell: CellNumber
        let position: ChangeFeed.Position
        let ending: AsyncStream<Ending>.Continuation
    }

    private struct State {
        var places: FeedPlaces
        var lastID = 0
        var waits: [Int: Wait] = [:]
    }

    private let cells: Cells
    private let taken: Meter
    private let state: Mutex<State>

    /// - Parameter limit: how many requests may wait at the same time.
    init(_ backend: Backend, limit: Int) {
        (cells, taken) = (backend.cells, backend.metrics.feedWaits)
        state = Mutex(State(places: FeedPlaces(limit: limit)))
    }

    /// A place for a request that is going to wait.
    ///
    /// - Throws: 503 if all places are taken, 429 if those of the app are.
    func place(of app: App) throws(Problem) -> StreamPlace {
        if let problem = state.withLock({ $0.places.take(app) }) { throw problem }
        taken.increment()
        return StreamPlace { [self] in
            state.withLock { $0.places.leave(app) }
            taken.decrement()
        }
    }

    /// Waits until the feed of the app has a change. The caller holds a ``place(of:)``.
    ///
    /// - Parameter position: the last row that the request knows; 0 for none.
    func wait(
        for app: App, after position: Int64, until deadline: NIODeadline, on channel: any Channel
    ) async -> Ending {
        let (endings, ending) = AsyncStream<Ending>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.waits[state.lastID] = Wait(
                cell: app.cell, position: .init(appID: app.appID, transitionID: position), ending: ending)
            return state.lastID
        }
        defer { state.withLock { $0.waits[id] = nil } }
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) { _ = ending.yield(.over) }
        defer { timer.cancel() }
        return await withGracefulShutdownHandler {
            await ClientDeparture.watch(channel) {
                ending.yield(.clientLeft)
            } during: {
                await endings.first { _ in true } ?? .over
            }
        } onGracefulShutdown: {
            ending.yield(.over)
        }
    }

    /// Each cell has a loop of its own: the requests of the others do not wait for one that stalls.
    func run() async {
        await withTaskGroup(of: Void.self) { loops in
            for number in cells.numbers {
                loops.addTask { await every(Self.pause, from: ()) { _ in await self.look(in: number) } }
            }
        }
    }

    /// If a database does not respond, nothing of its apps has changed: the requests end when their time has
    /// passed.
    private func look(in number: CellNumber) async {
        let waits = state.withLock { $0.waits.values.filter { $0.cell == number } }
        guard !waits.isEmpty, let cell = try? cells[number] else { return }
        let positions = Set(waits.map(\.position))
        let passed = try? await within(Self.patience) {
            try await cell.pool.withConnection { try ChangeFeed.passed(positions, on: $0) }
        }
        guard let passed else { return }
        for wait in waits where passed.contains(wait.position) { wait.ending.yield(.changed) }
    }
}

/// The places for requests that wait, of which an app may take a quarter.
struct FeedPlaces {
    let limit: Int
    private var taken: [App: Int] = [:]
    private var total = 0

    init(limit: Int) { self.limit = limit }

    var share: Int { max(limit / 4, 1) }

    /// Takes a place.
    ///
    /// - Returns: the reason there is none.
    mutating func take(_ app: App) -> Problem? {
        guard taken[app, default: 0] < share else {
            return Problem(
                .tooManyRequests, "too_many_waits",
                "\(share) requests of this app wait for changes, the most for one app: use fewer readers, or leave out wait",
                headers: [.retryAfter: String(Int.random(in: 5...15))])
        }
        guard total < limit else {
            return .unavailable(
                "too_many_waits", "too many requests wait for changes: repeat it later, or leave out wait")
        }
        taken[app, default: 0] += 1
        total += 1
        return nil
    }

    mutating func leave(_ app: App) {
        taken[app, default: 0] -= 1
        if taken[app] == 0 { taken[app] = nil }
        total -= 1
    }
}
