internal import Foundation
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The messages between a browser and this program: requests with their responses, and events by session.
///
/// Every wait ends: with a response or an event, after its limit, when its task is canceled, or when the
/// browser ends.
final class DevToolsPipe: Sendable {
    private typealias Waiter = CheckedContinuation<DevToolsValue, any Error>

    private struct EventWaiter {
        let id: Int
        let session: String
        let method: String
        let isWanted: @Sendable (DevToolsValue) -> Bool
        let waiter: Waiter
    }

    private struct Event {
        let session: String
        let method: String
        let parameters: DevToolsValue
    }

    private struct State {
        var lastID = 0
        var requests: [Int: Waiter] = [:]
        var eventWaiters: [EventWaiter] = []
        /// Events that were not taken yet, in their order.
        var events: [Event] = []
        /// Why there will be no more messages.
        var end: BrowserError?
    }

    private let output: Int32
    private let state = Mutex(State())
    private let writing = Mutex(())

    /// - Parameters:
    ///   - output: the descriptor to write to. It stays the caller's.
    ///   - openInput: opens what the browser writes to; called, and read, on a thread of its own, which
    ///     closes it.
    init(output: Int32, openInput: @escaping @Sendable () -> Int32) {
        self.output = output
        let thread = Thread { [weak self] in
            let input = openInput()
            defer { close(input) }
            Self.readMessages(from: input) { self?.receive($0) }
            self?.end(.ended(log: ""))
        }
        thread.name = "browser"
        thread.start()
    }

    /// Calls `body` with each message, until the browser closes its end. Messages end with a NUL byte.
    private static func readMessages(from input: Int32, _ body: (Data) -> Void) {
        var message = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: 0) {
                message.append(contentsOf: rest[..<end])
                body(message)
                message.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            message.append(contentsOf: rest)
        }
    }

    private func receive(_ bytes: Data) {
        guard let message = try? DevToolsValue(bytes: bytes) else { return }
        if let id = message["id"].integer {
            let waiter = state.withLock { $0.requests.removeValue(forKey: id) }
            let error = message["error"]
            if error.isNull {
                waiter?.resume(returning: message["result"])
            } else {
                waiter?.resume(throwing: BrowserError.rejected(error["message"].text ?? error.script))
            }
            return
        }
        let event = Event(
            session: message["sessionId"].text ?? "", method: message["method"].text ?? "",
            parameters: message["params"])
        let waiter = state.withLock { state -> Waiter? in
            let position = state.eventWaiters.firstIndex {
                $0.session == event.session && $0.method == event.method && $0.isWanted(event.parameters)
            }
            guard let position else {
                state.events.append(event)
                return nil
            }
            return state.eventWaiters.remove(at: position).waiter
        }
        waiter?.resume(returning: event.parameters)
    }

    /// Ends all waits, and those to come.
    func end(_ error: BrowserError) {
        let waiters = state.withLock { state in
            if state.end == nil { state.end = error }
            defer { (state.requests, state.eventWaiters) = ([:], []) }
            return Array(state.requests.values) + state.eventWaiters.map(\.waiter)
        }
        waiters.forEach { $0.resume(throwing: error) }
    }

    func send(
        _ method: String, _ parameters: DevToolsValue, session: String, within limit: Duration
    ) async throws -> DevToolsValue {
        var message: [String: DevToolsValue] = ["method": .text(method), "params": parameters]
        if !session.isEmpty { message["sessionId"] = .text(session) }
        let id = nextID()
        message["id"] = .number(Double(id))
        let bytes = DevToolsValue.object(message).bytes + [0]
        return try await waiting(id, for: method, within: limit) { waiter in
            let end = self.state.withLock { state in
                if state.end == nil { state.requests[id] = waiter }
                return state.end
            }
            if let end { return waiter.resume(throwing: end) }
            self.deliver(bytes)
        }
    }

    /// Takes the first wanted event that was not taken yet, or waits for the next one.
    func event(
        _ method: String, session: String, within limit: Duration,
        where isWanted: @escaping @Sendable (DevToolsValue) -> Bool
    ) async throws -> DevToolsValue {
        let id = nextID()
        return try await waiting(id, for: method, within: limit) { waiter in
            let result: Result<DevToolsValue, any Error>? = self.state.withLock { state in
                let position = state.events.firstIndex {
                    $0.session == session && $0.method == method && isWanted($0.parameters)
                }
                if let position { return .success(state.events.remove(at: position).parameters) }
                if let end = state.end { return .failure(end) }
                state.eventWaiters.append(
                    EventWaiter(id: id, session: session, method: method, isWanted: isWanted, waiter: waiter))
                return nil
            }
            if let result { waiter.resume(with: result) }
        }
    }

    /// Takes all events of this kind that have come and were not taken yet.
    func takeEvents(_ method: String, session: String) -> [DevToolsValue] {
        state.withLock { state in
            let taken = state.events.filter { $0.session == session && $0.method == method }
            state.events.removeAll { $0.session == session && $0.method == method }
            return taken.map(\.parameters)
        }
    }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func waiting(
        _ id: Int, for method: String, within limit: Duration, _ start: (Waiter) -> Void
    ) async throws -> DevToolsValue {
        let clock = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.fail(id, BrowserError.late(method: method, limit: limit))
        }
        defer { clock.cancel() }
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { start($0) }
        } onCancel: {
            fail(id, CancellationError())
        }
    }

    private func fail(_ id: Int, _ error: any Error) {
        let waiter = state.withLock { state in
            if let waiter = state.requests.removeValue(forKey: id) { return Waiter?.some(waiter) }
            let position = state.eventWaiters.firstIndex { $0.id == id }
            return position.map { state.eventWaiters.remove(at: $0).waiter }
        }
        waiter?.resume(throwing: error)
    }

    private func deliver(_ bytes: Data) {
        writing.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}
