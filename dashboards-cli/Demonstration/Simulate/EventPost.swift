/// The body of one `POST /v1/events`.
struct EventPost: Sendable {
    enum Form: Sendable {
        /// One JSON array.
        case array
        /// One object per line.
        case lines

        var contentType: String {
            switch self {
            case .array: "application/json"
            case .lines: "application/x-ndjson"
            }
        }
    }

    let form: Form
    let itemCount: Int
    let body: [UInt8]

    private init(_ events: ArraySlice<[UInt8]>, as form: Form) {
        self.form = form
        itemCount = events.count
        body = form == .array ? Self.array(events) : Self.ndjson(events)
    }

    /// Items per request, in rotation, because senders' batches differ in size. The number of sizes is odd, so that every size
    /// occurs in both forms.
    static let sizes = [50, 120, 500, 210, 330]

    /// Splits events into requests, alternately arrays and lines.
    ///
    /// - Parameter first: the number of requests before these.
    static func posts(of events: [[UInt8]], first: Int) -> [EventPost] {
        var posts: [EventPost] = []
        var rest = events[...]
        while !rest.isEmpty {
            let turn = first + posts.count
            posts.append(
                EventPost(
                    rest.prefix(sizes[turn % sizes.count]), as: turn.isMultiple(of: 2) ? .array : .lines))
            rest = rest.dropFirst(sizes[turn % sizes.count])
        }
        return posts
    }

    static func ndjson(_ events: ArraySlice<[UInt8]>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(events.reduce(0) { $0 + $1.count + 1 })
        for event in events {
            bytes += event
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static func array(_ events: ArraySlice<[UInt8]>) -> [UInt8] {
        [UInt8(ascii: "[")] + Array(events.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }
}
