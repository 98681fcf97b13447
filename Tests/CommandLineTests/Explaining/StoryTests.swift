import DeliveryModel
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle

@testable import Dashboards
@testable import Rendering

@Suite("The story of a token with a long life", .database) struct StoryTests {
    private let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)

    private func scope(limit: Int64 = 30, senders: [String] = []) throws -> StoryScope {
        let clock = StoryClock(timeZone: try ReportTimeZone("Europe/Berlin"), now: LongLife.now)
        return StoryScope(
            app: App(appID: 1, slug: "shop"), clock: clock,
            pushesSince: LongLife.instant("2025-01-01T00:00:00Z"), limit: limit, senders: senders)
    }

    private func lived() async throws -> LongLife {
        let life = try LongLife()
        try await life.live()
        return life
    }

    private func told<Story: Sendable>(
        _ read: @escaping @Sendable (StoryScope, PostgresConnection) throws -> Story
    ) async throws -> Story {
        let scope = try scope()
        return try await TestDatabase.current.pool.withConnection { try read(scope, $0) }
    }

    @Test("is complete, as text and as JSON, and does not contain the value")
    func token() async throws {
        _ = try await lived()
        let story = try await told { try TokenStory.read(tokenID: 1, $0, on: $1) }
        let (text, json) = (story.lines(style), [story.document.indentedText])
        try GoldenFile.expect(text, "token.txt")
        try GoldenFile.expect(json, "token.json")
        for line in text { #expect(displayWidth(line) <= 100) }
        for line in text + json { #expect(!line.lowercased().contains(LongLife.value.prefix(8))) }
    }

    @Test("includes its device, with accounts, slots and the ledger of all tokens")
    func device() async throws {
        _ = try await lived()
        let story = try await told { try DeviceStory.read(deviceID: LongLife.deviceID, $0, on: $1) }
        try GoldenFile.expect(story.lines(style), "device.txt")
        try GoldenFile.expect([story.document.indentedText], "device.json")
    }

    @Test(
        "includes its notifications: clicked, rejected, unmatched",
        arguments: [
            ("clicked", LongLife.id("2025-01-10T10:00:00Z", 1)),
            ("refused", LongLife.id("2025-02-02T12:00:00Z", 3)), ("unmatched", LongLife.channelPush),
        ])
    func notification(name: String, id: UUID) async throws {
        _ = try await lived()
        let story = try await told { try NotificationStory.read(notificationID: id, $0, on: $1) }
        try GoldenFile.expect(story.lines(style), "notification-\(name).txt")
        try GoldenFile.expect([story.document.indentedText], "notification-\(name).json")
    }

    @Test("shows only the newest rows if there are more than requested, and says how many there are")
    func limit() async throws {
        _ = try await lived()
        let scope = try scope(limit: 2)
        let story = try await TestDatabase.current.pool.withConnection {
            try TokenStory.read(tokenID: 1, scope, on: $0)
        }
        #expect(story.ledger.entries.map(\.ruleName) == ["sign_of_life", "rotated"])
        #expect(story.ledger.earlierCount == 7)
        #expect(story.pushes.map(\.notificationID.uuidString.last) == ["7", "8"])
    }

    @Test("lists the pushes of one sender, or those that name none")
    func senders() async throws {
        _ = try await lived()
        func story(_ senders: [String]) async throws -> TokenStory {
            let scope = try scope(senders: senders)
            return try await TestDatabase.current.pool.withConnection {
                try TokenStory.read(tokenID: 1, scope, on: $0)
            }
        }
        let all = try await story([]).pushes.map(\.notificationID)
        let checkout = try await story(["checkout"])
        #expect(checkout.pushes.map(\.facts.sender) == ["checkout"])
        #expect(checkout.lines(style).contains("Pushes of checkout since 2025-01-01 01:00:00"))
        #expect(checkout.document.lineText.contains(#""senders":["checkout"]"#))
        #expect(try await story(["", "checkout"]).pushes.map(\.notificationID) == all)
        #expect(try await story([""]).pushes.count == all.count - 1)
        #expect(try await story(["billing"]).pushes.isEmpty)
    }

    @Test("is found by number, by the beginning of the fingerprint and by the value in either case")
    func search() async throws {
        let life = try await lived()
        let vault = life.vault
        let fingerprint = try await TestDatabase.current.query(
            "SELECT encode(fingerprint, 'hex') FROM landfall.token WHERE token_id = 1"
        ) { try $0.get(0, as: String.self) }
        let digits = try #require(fingerprint.first)
        for typed in [
            "#1", String(digits.prefix(8)), digits, digits.uppercased(), LongLife.value.uppercased(),
        ] {
            let name = try TokenName(typed)
            let found = try await TestDatabase.current.pool.withConnection { connection in
                try TokenSearch(app: App(appID: 1, slug: "shop"), connection: connection, vault: { vault })
                    .find(name)
            }
            #expect(found == .one(1))
        }
    }

    @Test("names the app that has a token unknown to this one, and asks which of several is meant")
    func several() async throws {
        let life = try await lived()
        let vault = life.vault
        // The same value in the sandbox.
        try await TestDatabase.current.execute(
            """
            INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, state, first_seen_at,
                                        last_sign_of_life_at, state_changed_at)
            SELECT app_id, provider, 'sandbox', topic, fingerprint, kind, 'active', first_seen_at, first_seen_at,
                   first_seen_at
            FROM landfall.token WHERE token_id = 1
            """)
        let name = try TokenName(LongLife.value)
        try await TestDatabase.current.pool.withConnection { connection in
            let shop = TokenSearch(app: App(appID: 1, slug: "shop"), connection: connection, vault: { vault })
            guard case .several(let tokens) = try shop.find(name) else {
                Issue.record("two tokens have this value")
                return
            }
            #expect(tokens.count == 2)
            #expect(tokens.contains(1))
            let garden = TokenSearch(
                app: App(appID: 2, slug: "garden"), connection: connection, vault: { vault })
            #expect(throws: StoryError.unknownToken(app: "garden", knownIn: ["shop"])) {
                try garden.find(name)
            }
            let withoutKey = TokenSearch(
                app: App(appID: 1, slug: "shop"), connection: connection, vault: { nil })
            #expect(throws: StoryError.noFingerprint) { try withoutKey.find(name) }
        }
    }

    @Test("suggests where to look for an unknown token")
    func unknown() async throws {
        _ = try await lived()
        let clock = StoryClock(timeZone: .utc, now: LongLife.now)
        let garden = StoryScope(
            app: App(appID: 2, slug: "garden"), clock: clock, pushesSince: LongLife.now - .days(1))
        let keptFrom = LongLife.instant("2025-01-10T00:00:00Z")
        let dropped = LongLife.id("2024-06-01T00:00:00Z", 1)
        let sent = LongLife.id("2025-01-10T10:00:00Z", 1)
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.retention (kept_from) VALUES ($1)", [.value(keptFrom)])
        try await TestDatabase.current.pool.withConnection { connection in
            #expect(
                throws: StoryError.unknownDevice(LongLife.deviceID, app: "garden", knownIn: ["shop"])
            ) { try DeviceStory.read(deviceID: LongLife.deviceID, garden, on: connection) }
            #expect(throws: StoryError.unknownToken(app: "garden", knownIn: [])) {
                try TokenStory.read(tokenID: 1, garden, on: connection)
            }
            #expect(
                throws: StoryError.unknownNotification(
                    sent, app: "garden", knownIn: ["shop"],
                    sentAt: LongLife.instant("2025-01-10T10:00:00Z"), keptFrom: keptFrom)
            ) { try NotificationStory.read(notificationID: sent, garden, on: connection) }
            #expect {
                try NotificationStory.read(notificationID: dropped, garden, on: connection)
            } throws: {
                "\($0)".hasSuffix(
                    "what was sent before 2025-01-10T00:00:00.000Z was dropped: it is only included in the counters"
                )
            }
        }
    }
}
