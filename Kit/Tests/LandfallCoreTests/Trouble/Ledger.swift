#if os(Linux)
    import Foundation

    @testable import LandfallCore

    /// What a server would have recorded: each event once, and what was posted with it.
    final class Ledger: Sendable {
        private struct State {
            var events: Set<String> = []
            var dropped = 0
            var damaged: [String] = []
            var requests: [[String]] = []
            var isUp = true
        }

        private let state = Locked(State())

        /// The ids of the events that were recorded.
        var events: Set<String> { state.use { $0.events } }
        /// The sum of `dropped` of events that were new: the server does not count it with a duplicate.
        var dropped: Int { state.use { $0.dropped } }
        /// Bodies and items that no complete event makes.
        var damaged: [String] { state.use { $0.damaged } }
        /// The ids in each request that reached the server.
        var requests: [[String]] { state.use { $0.requests } }

        /// A server that is down closes connections without reading what was posted.
        var isUp: Bool {
            get { state.use { $0.isUp } }
            set { state.use { $0.isUp = newValue } }
        }

        func record(_ body: Data) -> Response {
            guard let items = (try? JSONSerialization.jsonObject(with: body)) as? [[String: Any]] else {
                state.use { $0.damaged.append(String(decoding: body.prefix(200), as: UTF8.self)) }
                return .problem(400, "invalid_json")
            }
            return state.use { state in
                let before = state.events.count
                let ids = items.map { item in note(item, &state) }
                state.requests.append(ids)
                let accepted = state.events.count - before
                return .recorded(accepted, duplicates: items.count - accepted)
            }
        }

        private func note(_ item: [String: Any], _ state: inout State) -> String {
            guard let id = item["notification_id"] as? String, item["type"] as? String == "arrival",
                item["kit"] is String, item["occurred_at"] is Int64, item["reported_at"] is Int64
            else {
                state.damaged.append("\(item)")
                return ""
            }
            if state.events.insert(id).inserted { state.dropped += item["dropped"] as? Int ?? 0 }
            return id
        }

        /// Serves it, over real connections.
        func server(losing isLost: @escaping @Sendable (_ request: Int) -> Bool = { _ in false }) throws
            -> LoopbackServer
        {
            let count = Locked(0)
            return try LoopbackServer { [self] request in
                guard isUp else { return .init(response: .page(503), isLost: true) }
                let number = count.use { count in
                    defer { count += 1 }
                    return count
                }
                return .init(response: record(request.body), isLost: isLost(number))
            }
        }
    }
#endif
