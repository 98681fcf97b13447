/// The body of one request.
struct PostedBody: Sendable {
    let bytes: [UInt8]
    let eventCount: Int

    /// One object.
    init(single event: String) {
        bytes = Array(event.utf8)
        eventCount = 1
    }

    /// A JSON array.
    init(bulk events: ArraySlice<String>) {
        bytes = Array("[\(events.joined(separator: ","))]".utf8)
        eventCount = events.count
    }

    /// Arrays of at most `size` events each.
    static func bulk(_ events: [String], size: Int) -> [PostedBody] {
        stride(from: 0, to: events.count, by: size).map { start in
            PostedBody(bulk: events[start..<min(start + size, events.count)])
        }
    }
}

extension [PostedBody] {
    var eventCount: Int { reduce(0) { $0 + $1.eventCount } }
}
