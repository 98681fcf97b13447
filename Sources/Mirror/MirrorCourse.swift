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
    /// Whether the server's ledger is known to be the one that was read before.
    private var isVerified = false
    /// Whether the server can wait for a change.
    private var canWait = true
    /// Whether the last page was empty.
    private var isInStep = false
    private var hasNotedStep = false

    /// How many seconds the server may wait for a change.
    private static let wait = 30
    /// The pause after an empty page: with a server that waits, and with one that does not.
    private static let interval = (waiting: Duration.seconds(1), polling: Duration.seconds(10))

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
    }

    /// - Throws: `MirrorTrouble` of the sender's database, ``MirrorError``, `CancellationError`.
    mutating func run(on target: any MirrorTarget) async throws {
        position = try target.position()
        hasOpened = true
        isVerified = false
        while true {
            try Task.checkCancellation()
            let page: Page?
            do {
                page = try await next()
            } catch let trouble as MirrorTrouble {
                // Afterward, the server may have been restored.
                isVerified = false
                try await wait(after: trouble)
                continue
            } catch FeedClient.Refusal.unknownPosition {
                throw otherLedger
            }
            if let page {
                try target.apply(page.batch, page.position)
                position = page.position
                startsOver = false
                summary.tokens += page.counts.tokens
                summary.changes += page.counts.changes
            }
            endTrouble()
            isInStep = page == nil
            guard isInStep else { continue }
            if mirror.options.isOnce { return }
            noteStep()
            try await mirror.pause(canWait ? Self.interval.waiting : Self.interval.polling)
        }
    }

    /// The next page; `nil` if nothing has changed.
    private mutating func next() async throws -> Page? {
        guard let position, !startsOver, position.fillCursor == nil else { return try await tokens() }
        if !isVerified {
            try await verify(position)
            isVerified = true
        }
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
            fillCursor: read.content.nextCursor, filledTo: read.content.reaches(from: filledTo), proof: nil,
            revision: (self.position?.revision ?? 0) + 1)
        return Page(
            batch: read.content.batch(above: filledTo, deletesRetired: mirror.options.deletesRetired),
            position: position, counts: .init(tokens: read.content.tokens.count))
    }

    private mutating func changes(_ position: MirrorPosition) async throws -> Page? {
        let waits = isInStep && canWait && !mirror.options.isOnce
        do {
            let read = try await mirror.client.changes(
                after: position.after, limit: mirror.options.pageSize, wait: waits ? Self.wait : nil)
            try check(app: read.app)
            guard read.content.nextAfter != position.after else { return nil }
            var next = position
            next.after = read.content.nextAfter
            next.proof = read.content.proof(after: position.after, position.proof)
            next.revision += 1
            return Page(
                batch: read.content.batch(deletesRetired: mirror.options.deletesRetired), position: next,
                counts: .init(changes: read.content.changes.count))
        } catch FeedClient.Refusal.unknownParameter where waits {
            // A server of an earlier version.
            canWait = false
            return try await changes(position)
        }
    }

    /// Asks for the last change again. Another server, or one that was restored from an older backup, may
    /// have given its number to another row.
    private func verify(_ position: MirrorPosition) async throws {
        guard let proof = position.proof else { return }
        var (after, read) = (proof.after, Int64.min)
        while read != after {
            read = after
            let page = try await mirror.client.changes(after: after, limit: mirror.options.pageSize)
            try check(app: page.app)
            if page.content.changes.contains(where: { $0.proof == proof.text }) { return }
            after = page.content.nextAfter
        }
        throw otherLedger
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
