/// The way of one run: how far it has come, and what goes wrong on the way.
struct MirrorCourse {
    private let mirror: Mirror
    private var troubles: Troubles
    private(set) var summary = Mirror.Summary()
    /// Whether a database was opened before.
    private(set) var hasOpened = false
    /// Whether the first page of all tokens is still to be read, although the table has a position.
    private var startsOver: Bool
    private var position: MirrorPosition?
    /// Whether nothing more was there when the last page was read.
    private var isInStep = false
    private var hasNotedStep = false

    /// How many seconds the server may wait for a change.
    private static let wait = 30
    /// The pause once the table is in step, so that changes are collected.
    private static let interval = Duration.seconds(1)

    init(_ mirror: Mirror, _ troubles: Troubles) {
        self.mirror = mirror
        self.troubles = troubles
        startsOver = mirror.options.refills
    }

    /// A page as it is applied.
    private struct Page {
        var batch: MirrorBatch
        var position: MirrorPosition
        var counts: Mirror.Summary
        /// Whether more may follow at once.
        var hasMore: Bool
    }

    /// - Throws: `MirrorTrouble` of the sender's database, ``MirrorError``, `CancellationError`.
    mutating func run(on target: any MirrorTarget) async throws {
        position = try target.position()
        hasOpened = true
        while true {
            try Task.checkCancellation()
            let page: Page?
            do {
                page = try await next()
            } catch let trouble as MirrorTrouble {
                try await wait(after: trouble)
                continue
            } catch is FeedClient.UnknownPosition {
                throw otherLedger
            }
            if let page { try apply(page, to: target) }
            endTrouble()
            isInStep = page?.hasMore != true
            guard isInStep else { continue }
            if mirror.options.isOnce { return }
            noteStep()
            try await mirror.pause(Self.interval)
        }
    }

    private mutating func apply(_ page: Page, to target: any MirrorTarget) throws {
        // A fill replaces all rows of the app, but none that no mirror wrote, unless it is asked to.
        if position == nil, !startsOver, try target.hasTokens(of: page.position.app) {
            throw MirrorError.unknownRows(in: mirror.table, of: page.position.app)
        }
        try target.apply(page.batch, page.position)
        position = page.position
        startsOver = false
        summary.tokens += page.counts.tokens
        summary.changes += page.counts.changes
    }

    /// The next page; `nil` if nothing has changed.
    private func next() async throws -> Page? {
        guard let position, !startsOver, position.fillCursor == nil else { return try await tokens() }
        return try await changes(position)
    }

    private func tokens() async throws -> Page {
        let resumed = startsOver ? nil : position
        let read = try await mirror.client.tokens(
            cursor: resumed?.fillCursor, limit: mirror.options.pageSize)
        try check(app: read.app)
        let filledTo = resumed?.filledTo ?? 0
        let position = MirrorPosition(
            app: read.app, after: resumed?.after ?? read.content.changesAfter,
            fillCursor: read.content.nextCursor, filledTo: read.content.reaches(from: filledTo),
            proof: resumed?.proof ?? read.content.proof, revision: (self.position?.revision ?? 0) + 1)
        return Page(
            batch: read.content.batch(above: filledTo, deletesRetired: mirror.options.deletesRetired),
            position: position, counts: .init(tokens: read.content.tokens.count), hasMore: true)
    }

    private func changes(_ position: MirrorPosition) async throws -> Page? {
        let read = try await mirror.client.changes(
            after: position.after, proof: position.proof, limit: mirror.options.pageSize,
            wait: isInStep ? Self.wait : nil)
        try check(app: read.app)
        guard read.content.nextAfter != position.after else { return nil }
        var next = position
        next.after = read.content.nextAfter
        next.proof = read.content.proof
        next.revision += 1
        return Page(
            batch: read.content.batch(deletesRetired: mirror.options.deletesRetired), position: next,
            counts: .init(changes: read.content.changes.count), hasMore: read.content.hasMore)
    }

    private func check(app: String) throws(MirrorError) {
        guard let known = position?.app, known != app else { return }
        throw .refused(
            "\(mirror.table) has the tokens of app \(known), and the key is one of app \(app): name another table "
                + "with --table, or use a key of \(known)")
    }

    private var otherLedger: MirrorError {
        .refused(
            "the server does not know the last change that \(mirror.table) has: it was restored from an older "
                + "backup, or --server names another one. If it is the right one, run this once with --refill, "
                + "which reads all tokens again and removes rows that are no longer among them")
    }

    /// - Throws: ``MirrorError`` if the patience is over.
    mutating func wait(after trouble: MirrorTrouble) async throws {
        let pause = troubles.pause(after: trouble, now: .now, chance: .random(in: 0...1))
        guard let pause else { throw MirrorError.failed(trouble.reason) }
        if pause.isNew { mirror.log("\(trouble.reason). Trying again until it works.") }
        try await mirror.pause(pause.duration)
    }

    private mutating func endTrouble() {
        guard let duration = troubles.end(now: .now) else { return }
        mirror.log("It works again, after \(duration.components.seconds) s.")
    }

    private mutating func noteStep() {
        guard !hasNotedStep, let position else { return }
        hasNotedStep = true
        mirror.log("\(mirror.table) is in step with app \(position.app), and is kept so from now on.")
    }
}
