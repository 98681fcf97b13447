import DeliveryModel
import Foundation
import Testing

@testable import Reports

@Suite("Stories in words") struct StoryWordsTests {
    private let clock = StoryClock(timeZone: .utc, now: instant("2026-03-20T12:00:00Z"))

    private static func instant(_ text: String) -> Instant {
        Instant(rfc3339: text) ?? Instant(millisecondsSinceEpoch: 0)
    }

    private func entry(
        _ rule: String, from: String? = "active", to: String, _ evidence: String, run: Int64? = nil
    ) -> LedgerEntry {
        LedgerEntry(
            transitionID: 1, tokenID: 1, at: Self.instant("2026-03-10T10:00:00Z"), fromState: from,
            toState: to,
            ruleName: rule, evidence: RecordedEvidence(json: evidence), runID: run)
    }

    private func words(_ entry: LedgerEntry, _ names: StoryNames = StoryNames()) -> String {
        entry.evidenceSentences(clock, names).joined(separator: " ")
    }

    /// 2026-03-10T08:00:00Z.
    private static let eight = "1773129600000"
    /// 2026-03-10T09:30:00Z.
    private static let halfPastNine = "1773135000000"

    @Test(
        "every rule has a sentence of its own for every state it may lead to, and a way back",
        arguments: TokenRule.allCases)
    func rules(rule: TokenRule) {
        for state in TokenState.allCases {
            let words = rule.words(leadingTo: state)
            #expect(words.sentence.hasSuffix("."))
            #expect(!words.wayBack.isEmpty)
            #expect(!words.wayBack.hasSuffix("."))
        }
        let others = TokenRule.allCases.filter { $0 != rule }.map { $0.words(leadingTo: .active).sentence }
        #expect(!others.contains(rule.words(leadingTo: .active).sentence))
    }

    @Test("a row that changes no state says what it is for", arguments: ["registered", "accepted"])
    func unchanged(rule: String) {
        let words = entry(rule, from: "active", to: "active", "{}").words
        #expect(words.sentence.contains("feeds contain it"))
        #expect(words != entry(rule, from: "suspect", to: "active", "{}").words)
    }

    @Test("a 410 is described word for word, with the comparison that decided")
    func death() {
        let dead = entry(
            "unregistered", to: "retired",
            #"{"provider":"apns","status":410,"reason":"Unregistered","sent_at":\#(Self.halfPastNine),"invalid_since":\#(Self.halfPastNine),"registered_at":\#(Self.eight)}"#
        )
        #expect(
            words(dead)
                == "APNs returned 410 Unregistered for the push sent 2026-03-10 09:30:00. It found the token "
                + "dead at 2026-03-10 09:30:00. The app had last registered it at 2026-03-10 08:00:00, 1 h "
                + "30 min before that.")
        let kept = entry(
            "late_410_ignored", to: "active",
            #"{"provider":"apns","status":410,"reason":"Unregistered","sent_at":\#(Self.eight),"invalid_since":\#(Self.eight),"registered_at":\#(Self.halfPastNine)}"#
        )
        #expect(
            words(kept).hasSuffix("The app registered it again at 2026-03-10 09:30:00, 1 h 30 min later."))
        #expect(!kept.changesState)
    }

    @Test("without a time of death the time of sending is compared, and without a registration nothing is")
    func deathWithoutTimes() {
        let dead = entry(
            "unregistered", to: "retired",
            #"{"provider":"fcm","status":404,"reason":"UNREGISTERED","sent_at":\#(Self.eight)}"#)
        #expect(
            words(dead)
                == "FCM returned 404 UNREGISTERED for the push sent 2026-03-10 08:00:00. It gave no time of "
                + "death, so the time of sending is used. No app has registered it, so there is no evidence "
                + "in its favor.")
    }

    @Test("suspicion mentions what the other environment knows, and no death")
    func suspicion() {
        let suspect = entry(
            "bad_token", to: "suspect",
            #"{"provider":"apns","status":400,"reason":"BadDeviceToken","sent_at":\#(Self.eight),"registered_at":\#(Self.eight),"known_in_other_environment":true}"#
        )
        #expect(
            words(suspect)
                == "APNs returned 400 BadDeviceToken for the push sent 2026-03-10 08:00:00. The same value "
                + "is registered in, or was accepted by, the other environment: this one is the wrong one.")
        #expect(suspect.words != entry("bad_token", to: "retired", "{}").words)
    }

    @Test("suspicion is weighed by the other environment and by similar tokens, if those are recorded")
    func environment() {
        let elsewhere = entry(
            "bad_token", to: "suspect",
            #"{"environment":{"other_environment":"sandbox","other_registered_at":\#(Self.eight)},"environment_verdict":"wrong_environment"}"#
        )
        #expect(
            words(elsewhere)
                == "The same value is known in sandbox: registered there at 2026-03-10 08:00:00. Conclusion: "
                + "wrong_environment."
        )
        let peers = entry(
            "bad_token", to: "suspect",
            #"{"environment":{"app_version":"7.1.0","attempted_count":90,"rejected_count":80},"breaker":{"attempted":300,"retired":120},"undone_rule":"breaker"}"#
        )
        #expect(
            words(peers)
                == "Of 90 pushes to tokens of app version 7.1.0 in its environment and topic, 80 were "
                + "rejected in the same way within a day. In the 10 minutes before, responses had retired or "
                + "made suspect 120 of the 300 tokens of its environment and topic that pushes were sent to. "
                + "This revises what breaker did.")
        #expect(
            elsewhere.evidence.document(clock)
                == [
                    "environment": [
                        "other_environment": "sandbox", "other_registered_at": "2026-03-10T08:00:00+00:00",
                    ], "environment_verdict": "wrong_environment",
                ])
    }

    @Test("devices and tokens are named, or their numbers if the names are unknown")
    func names() {
        let moved = entry(
            "transferred", to: "active",
            #"{"registered_at":\#(Self.eight),"from_installation_id":1,"to_installation_id":2}"#)
        let device = UUID(uuidString: "6f9619ff-8b86-4011-b42d-00cf4fc964ff") ?? UUID()
        #expect(
            words(moved, StoryNames(devices: [1: device]))
                == "Registered 2026-03-10 08:00:00 by installation 2, posted 2 h later. Until then it "
                + "belonged to device 6f9619ff-8b86-4011-b42d-00cf4fc964ff.")
        let rotated = entry(
            "rotated", to: "retired", #"{"successor_token_id":7,"registered_at":\#(Self.eight)}"#)
        #expect(
            words(rotated, StoryNames(fingerprints: [7: String(repeating: "3fa9c1d2", count: 8)]))
                == "Token #7 (3fa9c1d23fa9) took its place, registered 2026-03-10 08:00:00.")
        #expect(
            words(entry("swept", to: "retired", #"{"stale_since":\#(Self.eight)}"#, run: 3))
                == "Stale since 2026-03-10 08:00:00, for 2 h. Done in run 3.")
    }

    @Test("evidence unknown to this version is kept in the document, and no rule is unexplained")
    func unknown() {
        let later = entry(
            "moonlight", to: "retired",
            #"{"phase":"full","sent_at":\#(Self.eight),"share":0.5,"seen":[1,null]}"#)
        #expect(
            later.evidence.document(clock)
                == [
                    "phase": "full", "seen": [.integer(1), nil], "sent_at": "2026-03-10T08:00:00+00:00",
                    "share": .number(0.5),
                ])
        #expect(later.words.sentence.contains("moonlight"))
        #expect(words(entry("rotated", to: "retired", "no JSON")) == "")
    }

    @Test(
        "spans are printed in their two largest units",
        arguments: [
            (Int64(850), "850 ms", "850 ms"), (1_250, "1.2 s", "1 s"), (42_000, "42 s", "42 s"),
            (303_000, "5 min 3 s", "5 min"), (12_000_000, "3 h 20 min", "3 h"), (7_200_000, "2 h", "2 h"),
            (90_000_000, "1 day 1 h", "1 day"), (-1_036_800_000, "12 days", "12 days"),
        ])
    func spans(milliseconds: Int64, words: String, rough: String) {
        #expect(Span(milliseconds: milliseconds).words == words)
        #expect(Span(milliseconds: milliseconds).roughWords == rough)
    }

    @Test("the clock is local, and states the distance of an instant")
    func clocks() throws {
        let berlin = StoryClock(timeZone: try ReportTimeZone("Europe/Berlin"), now: clock.now)
        #expect(
            berlin.localAndRelative(Self.instant("2026-03-17T12:00:00Z"))
                == "2026-03-17 13:00:00 (3 days ago)")
        #expect(berlin.relative(clock.now + .hours(2)) == "in 2 h")
        #expect(berlin.relative(clock.now) == "now")
    }
}
