internal import Ingestion
internal import Instants

/// The newest items of one app, with a sample of each second. A value with the time passed in, so that it can be tested.
struct AppTail: Sendable {
    struct Entry: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case line(TailLine)
            /// How many further items were posted in the same second.
            case leftOut(Int)
        }

        /// Later entries have higher numbers.
        let number: Int
        let at: Instant
        let content: Content
    }

    static let most = 100
    static let mostPerSecond = 20

    /// Oldest first.
    private var entries: [Entry] = []
    /// The start of the second in which items were last posted.
    private(set) var second = Instant(millisecondsSinceEpoch: 0)
    private var taken = 0
    private var leftOut = 0

    /// Adds the items of one post. If the second has too little room for them, those that are taken are spread evenly over the post.
    ///
    /// - Parameter lastNumber: the number of the latest entry of any app.
    mutating func add(
        _ items: [BatchItem], _ verdicts: [Verdict], at now: Instant, lastNumber: inout Int
    ) {
        close(at: now, &lastNumber)
        second = now.startOfSecond
        let count = min(items.count, verdicts.count)
        let shown = min(count, Self.mostPerSecond - taken)
        taken += shown
        leftOut += count - shown
        // By index and not as a sequence: an iterator would copy each item, with all the strings of its event.
        for position in 0..<shown {
            let index = position * count / shown
            keep(.line(TailLine(items[index], verdicts[index])), at: now, &lastNumber)
        }
    }

    /// The entries after this number, newest first. The items that were left out of a second are an entry once the second is over.
    mutating func read(after number: Int, at now: Instant, lastNumber: inout Int) -> [Entry] {
        close(at: now, &lastNumber)
        return entries.reversed().prefix { $0.number > number }.map(\.self)
    }

    /// Ends the second if it is over.
    private mutating func close(at now: Instant, _ lastNumber: inout Int) {
        guard now.startOfSecond != second else { return }
        let missed = leftOut
        (taken, leftOut) = (0, 0)
        if missed > 0 { keep(.leftOut(missed), at: second, &lastNumber) }
    }

    private mutating func keep(_ content: Entry.Content, at instant: Instant, _ lastNumber: inout Int) {
        lastNumber += 1
        if entries.count >= Self.most { entries.removeFirst(entries.count - Self.most + 1) }
        entries.append(Entry(number: lastNumber, at: instant, content: content))
    }
}

extension Instant {
    fileprivate var startOfSecond: Instant {
        Instant(millisecondsSinceEpoch: millisecondsSinceEpoch - millisecondsSinceEpoch % 1_000)
    }
}
