/// Posts a log from where it was left, and keeps the place after every batch: at least once, whenever the
/// program is killed.
struct LogPosting {
    let tail: LogTail
    private let places: PlaceFile
    private(set) var poster: LinePoster

    init(_ path: String, _ places: PlaceFile, _ poster: LinePoster) throws {
        let place = try places.read()
        tail = try LogTail(path, from: place)
        (self.places, self.poster) = (places, poster)
        try beginAfterHeader()
    }

    /// Posts all whole lines that there are now, through the files that the log was rotated to.
    ///
    /// - Parameter isStopped: asked before each batch.
    /// - Parameter progress: called after each.
    mutating func postLines(
        isStopped: () -> Bool = { false }, progress: (inout LogPosting) -> Void = { _ in }
    ) async throws {
        while !isStopped() {
            let (lines, isOtherFile) = try tail.read()
            if isOtherFile { try beginAfterHeader() }
            if !lines.isEmpty {
                try await post(lines)
                progress(&self)
                continue
            }
            if tail.isPast, let rest = tail.file.rest {
                try await post([rest], isRest: true)
                continue
            }
            switch try tail.turn() {
            case .nothing: return
            case .further: continue
            case .otherFile:
                try await poster.finish()
                poster.begin(after: nil)
            }
        }
    }

    /// Posts the last line, if it has no line break and yet is whole. Returns false if it, or the record that
    /// it is in, is left for the next run, because it may still be written.
    mutating func postRest() async throws -> Bool {
        guard poster.isBetweenRecords else { return false }
        guard let rest = tail.file.rest, !rest.isBlank else { return true }
        guard poster.isWhole(rest) else { return false }
        try await post([rest], isRest: true)
        return true
    }

    mutating func takeNews() -> [PostedCounts.Rejection] { poster.takeNews() }

    private mutating func post(_ lines: [LogLine], isRest: Bool = false) async throws {
        try await poster.post(lines)
        if isRest { try tail.file.takeRest() }
        // A later run would begin with the rest of a record.
        if poster.isBetweenRecords { try places.write(tail.place) }
    }

    private mutating func beginAfterHeader() throws {
        poster.begin(after: try tail.file.header())
    }
}
