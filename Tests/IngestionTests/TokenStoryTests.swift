import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

/// Stories of tokens, passed through the registry and the writer as by a server.
@Suite(.database) struct TokenStoryTests {
    private typealias Push = TokenStory.Push
    private let story = TokenStory()
    private let phone = UUID()
    private let value = "00fa"

    @Test("the same death posted again does not retire a token that has registered since")
    func registeredAgain() async throws {
        try await story.register(value, on: phone, .hours(10))
        let death = Push(value: value, status: 410, reason: "Unregistered", died: .hours(8), sent: .hours(7))
        try await story.post([death])
        #expect(try await story.state(value) == "retired/unregistered")
        try await story.register(value, on: phone, .hours(5))
        #expect(try await story.state(value) == "active")
        var again = death
        again.sent = .hours(4)
        try await story.post([again])
        #expect(try await story.state(value) == "active")
        #expect(
            try await story.rules(value) == ["registered", "unregistered", "revived", "late_410_ignored"])
        let ignored = try #require(try await story.evidence(value).last)
        #expect(ignored.provider == "apns")
        #expect(ignored.status == 410)
        #expect(ignored.reason == "Unregistered")
        #expect(ignored.invalidSince == story.now - .hours(8))
        #expect(ignored.sentAt == story.now - .hours(4))
        #expect(ignored.registeredAt == story.now - .hours(5))
    }

    @Test(
        "the 410 of a push that was under way when the app registered again is not about the new registration"
    )
    func underWay() async throws {
        try await story.register(value, on: phone, .hours(10))
        try await story.register(value, on: phone, .hours(2))
        try await story.post([
            Push(value: value, status: 410, reason: "Unregistered", died: .hours(1), sent: .hours(3))
        ])
        #expect(try await story.state(value) == "active")
        #expect(try await story.rules(value) == ["registered", "late_410_ignored"])
    }

    @Test("a token registered again after a 410 is active until the next death; the ledger has all of it")
    func sameTokenAgain() async throws {
        try await story.register(value, on: phone, .hours(10))
        try await story.post([Push(value: value, status: 410, died: .hours(8), sent: .hours(7))])
        try await story.register(value, on: phone, .hours(6))
        try await story.post([Push(value: value, sent: .hours(5))])
        #expect(try await story.state(value) == "active")
        try await story.post([Push(value: value, status: 410, died: .hours(3), sent: .hours(2))])
        #expect(try await story.state(value) == "retired/unregistered")
        #expect(try await story.rules(value) == ["registered", "unregistered", "revived", "unregistered"])
    }

    @Test(
        "a late 410 retires despite acceptances in between and registrations from before; a registration from after revives"
    )
    func late410() async throws {
        try await story.register(value, on: phone, .hours(20))
        try await story.post([Push(value: value, sent: .hours(12))])
        try await story.post([Push(value: value, status: 410, died: .hours(15), sent: .hours(10))])
        #expect(try await story.state(value) == "retired/unregistered")
        try await story.post([Push(value: value, sent: .hours(11))])
        try await story.register(value, on: phone, .hours(16), told: .hours(1))
        #expect(try await story.state(value) == "retired/unregistered")
        try await story.register(value, on: phone, .hours(14), told: .hours(1))
        #expect(try await story.state(value) == "active")
        #expect(try await story.rules(value) == ["registered", "unregistered", "revived"])
    }

    @Test("a 410 without effect names the state that the token has by then, in the ledger too")
    func late410BesideSignOfLife() async throws {
        try await story.register(value, on: phone, .hours(10))
        try await story.register(value, on: phone, .hours(2))
        for table in ["token", "installation"] {
            try await TestDatabase.current.execute(
                "UPDATE landfall.\(table) SET last_sign_of_life_at = now() - interval '90 days'")
        }
        try await TestDatabase.current.execute("UPDATE landfall.token SET state = 'stale', cause = 'stale'")
        try await story.post(
            [Push(value: value, status: 410, died: .hours(1), sent: .hours(3))], besides: [phone])
        #expect(try await story.state(value) == "active")
        let turns = try await TestDatabase.current.query(
            """
            SELECT coalesce(from_state, 'new') || ' ' || to_state || ' ' || rule
            FROM landfall.token_transition ORDER BY transition_id
            """
        ) { try $0.get(0, as: String.self) }
        #expect(
            turns == [
                "new active registered", "stale active sign_of_life", "active active late_410_ignored",
            ])
    }

    @Test("an acceptance with the sign of life that wakes its token finds it active and clears its death")
    func acceptanceBesideSignOfLife() async throws {
        try await story.register(value, on: phone, .hours(10))
        try await story.post([Push(value: value, status: 200, sent: .hours(2))])
        for table in ["token", "installation"] {
            try await TestDatabase.current.execute(
                "UPDATE landfall.\(table) SET last_sign_of_life_at = now() - interval '90 days'")
        }
        // As after a death that the breaker held back, and a sweep.
        try await TestDatabase.current.execute(
            "UPDATE landfall.token SET state = 'stale', cause = 'stale', died_at = now() - interval '4 hours'"
        )
        try await story.post([Push(value: value, status: 200, sent: .hours(3))], besides: [phone])
        #expect(try await story.state(value) == "active")
        #expect(
            try await TestDatabase.current.count(
                "SELECT count(*) FROM landfall.token WHERE died_at IS NOT NULL") == 0)
    }

    @Test("an App Store build registered as sandbox: all pushes are rejected twice, no token is retired")
    func wrongEnvironment() async throws {
        let values = (0..<12).map { String(format: "%04x", $0) }
        for value in values {
            try await story.register(value, on: UUID(), .hours(9), environment: .sandbox)
        }
        func reject(_ sent: Span) async throws {
            try await story.post(
                values.map { Push(value: $0, status: 400, reason: "BadDeviceToken", sent: sent) },
                environment: .sandbox)
        }
        try await reject(.hours(5))
        try await reject(.hours(3))
        #expect(try await story.census() == ["suspect/bad_token:12"])
        let evidence = try #require(try await story.evidence(values[0], .sandbox).last)
        #expect(evidence.environmentVerdict == .wrongEnvironment)
        #expect(evidence.environment?.appVersion == "7.1.0")
        #expect(evidence.environment?.rejectedPeerCount == 11)
        // The next build is correct: the same values, in the other environment.
        let device = UUID()
        try await story.register(values[0], on: device, .hours(1), appVersion: "7.1.1")
        #expect(try await story.state(values[0]) == "active")
        #expect(try await story.state(values[0], .sandbox) == "suspect/bad_token")
    }

    @Test("a truncated value is retired at the second rejection: similar tokens are accepted")
    func malformed() async throws {
        try await story.register(value, on: phone, .hours(9))
        let others = (1..<40).map { String(format: "%04x", $0) }
        for value in others { try await story.register(value, on: UUID(), .hours(9)) }
        for sent in [Span.hours(5), .hours(3)] {
            try await story.post(
                others.map { Push(value: $0, sent: sent) }
                    + [Push(value: value, status: 400, reason: "BadDeviceToken", sent: sent)])
        }
        #expect(try await story.state(value) == "retired/bad_token")
        #expect(try await story.evidence(value).last?.environmentVerdict == .malformed)
        #expect(try await story.census() == ["active:39", "retired/bad_token:1"])
    }

    @Test(
        "a wrong topic's certificate, or an invalid one, changes no token",
        arguments: [
            (400, "TopicDisallowed"), (400, "BadTopic"), (403, "BadCertificate"),
            (403, "BadCertificateEnvironment"), (403, "ExpiredProviderToken"), (429, "TooManyRequests"),
        ])
    func wrongTopic(status: Int, reason: String) async throws {
        let values = (0..<9).map { String(format: "%04x", $0) }
        for value in values { try await story.register(value, on: UUID(), .hours(9)) }
        for sent in [Span.hours(5), .hours(3)] {
            try await story.post(values.map { Push(value: $0, status: status, reason: reason, sent: sent) })
        }
        #expect(try await story.census() == ["active:9"])
        for value in values { #expect(try await story.rules(value) == ["registered"]) }
    }

    @Test(
        "a mistake that would retire 30 % of the base opens the breaker, which holds the rest back, and all of it can be undone"
    )
    func massRetirement() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let values = (0..<400).map { String(format: "%08x", $0) }
        try await story.post(values.map { Push(value: $0, sent: .hours(5)) })
        try await story.post(
            values.prefix(60).map {
                Push(value: $0, status: 410, reason: "Unregistered", died: .hours(4), sent: .hours(3))
            } + values.dropFirst(60).map { Push(value: $0, sent: .hours(3)) })
        // 15 % of the 400 tokens is not significantly more than a fifth: none is held back.
        #expect(try await story.census() == ["active:340", "retired/unregistered:60"])
        try await story.post(
            values.suffix(280).map {
                Push(value: $0, status: 410, reason: "Unregistered", died: .hours(2), sent: .hours(1))
            })
        #expect(
            try await story.census() == ["active:60", "retired/unregistered:157", "suspect/breaker:183"],
            "157 are surely more than a fifth of 680: each token counts once per batch")
        let now = story.now
        let released = try await story.onConnection { connection in
            try HeldTokens(appID: firstApp, on: connection)
                .decide(.release, TokenFilter(), now: now).changedCount
        }
        let restored = try await story.onConnection { connection in
            let restoration = Restoration(
                appID: firstApp, undoing: .unregistered, since: now - .minutes(5), on: connection)
            return try restoration.apply(restoration.plan(), now: now).changedCount
        }
        #expect(released == 183)
        #expect(restored == 157)
        #expect(try await story.census() == ["active:400"])
    }
}
