internal import Access

/// The live pages that are open, and which of them are told of a change.
struct OpenPages {
    /// Further pages ask again every half minute instead.
    static let most = 500
    /// How many pages are told at a time, because each then asks for its numbers. With more pages, each is told less often, in turn.
    static let mostTold = 50

    private var lastID = 0
    private var pages: [Int: App] = [:]
    /// Those that have to be told, in their order.
    private var waiting: [Int] = []

    /// Each once.
    var watched: Set<App> { Set(pages.values) }

    /// A page is told soon after it opens, because something may have changed since its numbers were read.
    ///
    /// - Returns: its number; `nil` if too many are open.
    mutating func open(_ app: App) -> Int? {
        guard pages.count < Self.most else { return nil }
        lastID += 1
        pages[lastID] = app
        waiting.append(lastID)
        return lastID
    }

    mutating func close(_ id: Int) {
        pages[id] = nil
        waiting.removeAll { $0 == id }
    }

    /// The pages to be told now that something of these apps has changed.
    mutating func told(of changed: Set<App>) -> Set<Int> {
        let known = Set(waiting)
        waiting += pages.keys.sorted().filter { id in
            !known.contains(id) && pages[id].map(changed.contains) ?? false
        }
        let next = Set(waiting.prefix(Self.mostTold))
        waiting.removeFirst(next.count)
        return next
    }
}
