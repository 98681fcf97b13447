internal import Foundation

/// The server's verdicts on the items of one request, in order.
struct ItemVerdicts: Decodable, Equatable, Sendable {
    struct Rejection: Decodable, Equatable, Sendable {
        let index: Int
        let code: String
        let detail: String
    }

    let accepted: Int
    let duplicates: Int
    let rejected: Int
    let errors: [Rejection]

    var received: Int { accepted + duplicates + rejected }

    init(accepted: Int, duplicates: Int, errors: [Rejection]) {
        (self.accepted, self.duplicates, self.errors) = (accepted, duplicates, errors)
        rejected = errors.count
    }

    init(response: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(response)) }
}

/// The lines that were posted, and the verdicts on the events in them.
struct PostedCounts: Equatable, Sendable {
    /// All rejections with one code.
    struct Rejection: Equatable, Sendable {
        let code: String
        var items: Int64
        /// The first line, and why it was rejected.
        let line: Int
        let detail: String
    }

    /// Lines that were read, without blank ones.
    var lines: Int64 = 0
    private(set) var accepted: Int64 = 0
    private(set) var duplicates: Int64 = 0
    private(set) var rejected: Int64 = 0
    /// In the order in which they occurred first.
    private(set) var rejections: [Rejection] = []

    var items: Int64 { accepted + duplicates + rejected }
    /// Whether there were items, and the server recorded none of them.
    var isInvalid: Bool { rejected > 0 && rejected == items }

    /// Adds the verdicts on these items. Returns the rejections whose code is new.
    mutating func add(_ verdicts: ItemVerdicts, on items: [PostedItem]) -> [Rejection] {
        accepted += Int64(verdicts.accepted)
        duplicates += Int64(verdicts.duplicates)
        rejected += Int64(verdicts.rejected)
        let known = rejections.count
        for error in verdicts.errors where items.indices.contains(error.index) {
            let item = items[error.index]
            let (code, detail) = item.unread ?? (error.code, error.detail)
            if let place = rejections.firstIndex(where: { $0.code == code }) {
                rejections[place].items += 1
            } else {
                rejections.append(Rejection(code: code, items: 1, line: item.line, detail: detail))
            }
        }
        return Array(rejections[known...])
    }
}
