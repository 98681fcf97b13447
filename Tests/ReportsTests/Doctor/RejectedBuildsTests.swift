import DeliveryModel
import Testing

@testable import Doctor
@testable import Reports

/// The conclusions from rejected pushes, by build and address.
@Suite("Rejected builds")
struct RejectedBuildsTests {
    private let examination = Examination.evening
    private let start = Examination.lastHour

    private func rejected(
        _ version: String, _ rejection: RejectionClass, _ rejected: Int64, of attempted: Int64,
        topic: String = "com.example.shop", hoursAgo: Int64? = 0
    ) -> RejectedBuilds.Fact {
        RejectedBuilds.Fact(
            address: .init(provider: "apns", environment: "production", topic: topic),
            build: AppBuild(platform: "ios", version: version), hour: hoursAgo.map { start - .hours($0) },
            attempted: attempted, rejections: [rejection: rejected])
    }

    private func findings(_ facts: [RejectedBuilds.Fact]) -> [Finding] {
        RejectedBuilds.findings(
            .init(lately: facts.filter { $0.hour != nil }, before: facts.filter { $0.hour == nil }),
            examination)
    }

    @Test("three pushes are no finding, whatever became of them")
    func fewPushes() {
        #expect(findings([rejected("7.0", .authError, 3, of: 3)]).isEmpty)
        #expect(findings([rejected("7.0", .authError, 20, of: 20)]).isEmpty)
        #expect(findings([rejected("7.0", .authError, 30, of: 30)]).count == 1)
    }

    @Test("a share that may be chance is no finding")
    func unsureShare() {
        #expect(findings([rejected("7.0", .wrongTopic, 10, of: 60)]).isEmpty)
        #expect(findings([rejected("7.0", .wrongTopic, 300, of: 1_800)]).count == 1)
    }

    @Test("one build is named; all builds of a topic are one finding; another topic is left alone")
    func scope() {
        let one = findings([
            rejected("7.0", .wrongEnvironment, 0, of: 900), rejected("7.1", .wrongEnvironment, 99, of: 100),
        ])
        #expect(one.map(\.id) == [.wrongEnvironment])
        #expect(one.first?.sentence.contains("to build ios 7.1 (99.0 %)") == true)
        #expect(one.first?.sentence.contains("of all other pushes, 0.0 % were") == true)
        #expect(one.first?.command.suffix(2) == ["--app-version", "7.1"])

        let all = findings([
            rejected("7.0", .authError, 880, of: 900), rejected("7.1", .authError, 99, of: 100),
            rejected("7.2", .authError, 2, of: 3),
            rejected("7.0", .authError, 0, of: 500, topic: "com.example.news"),
        ])
        #expect(all.count == 1)
        #expect(all.first?.sentence.hasPrefix("981 of 1,003 pushes to all builds") == true)
    }

    @Test(
        "bad tokens mean another environment only if one build alone has them, otherwise the finding is about the address"
    )
    func badTokens() {
        let everywhere = [
            rejected("7.0", .tokenSuspect, 700, of: 900), rejected("7.1", .tokenSuspect, 70, of: 100),
        ]
        #expect(findings(everywhere).map(\.id) == [.rejected])
        let alone = [
            rejected("7.0", .tokenSuspect, 9, of: 900), rejected("7.1", .tokenSuspect, 60, of: 100),
        ]
        #expect(findings(alone).map(\.id) == [.wrongEnvironment])
        // The only build cannot be compared with others, and may always have had this many bad tokens.
        let only = rejected("7.1", .tokenSuspect, 600, of: 1_000)
        #expect(findings([only]).map(\.id) == [.rejected])
        #expect(findings([only, rejected("7.1", .tokenSuspect, 3_100, of: 7_000, hoursAgo: nil)]).isEmpty)
    }

    @Test("rejections of most of one build's pushes are about the build, not the address")
    func largeBuild() {
        let large = [
            rejected("7.0", .tokenSuspect, 9, of: 900), rejected("7.1", .tokenSuspect, 3_000, of: 3_000),
        ]
        #expect(findings(large).map(\.id) == [.wrongEnvironment])
    }

    @Test(
        "an address with mostly rejected pushes, whatever the class, is a problem",
        arguments: [RejectionClass.payloadError, .requestError, .unknown, .tokenSuspect])
    func rejectedAddress(rejection: RejectionClass) {
        let usual = rejected("7.0", rejection, 20, of: 7_000, hoursAgo: nil)
        let found = findings([usual, rejected("7.0", rejection, 400, of: 400)])
        #expect(found.map(\.id) == [.rejected])
        #expect(found.first?.severity == .problem)
        #expect(
            found.first?.sentence.hasPrefix("400 of 400 pushes (100.0 %) were rejected (apns production,")
                == true)
        #expect(found.first?.sentence.contains("In the week before, 0.3 % were.") == true)
        #expect(found.first?.command.contains("com.example.shop") == true)
        #expect(findings([usual, rejected("7.0", rejection, 150, of: 400)]).isEmpty)
        #expect(findings([usual, rejected("7.0", rejection, 29, of: 29)]).isEmpty)
        #expect(
            findings([
                rejected("7.0", rejection, 250, of: 400),
                rejected("7.0", rejection, 2_600, of: 7_000, hoursAgo: nil),
            ]).isEmpty)
    }

    @Test("pushes rejected for several reasons are one finding, which names the most frequent reason")
    func mixedReasons() {
        let fact = RejectedBuilds.Fact(
            address: .init(provider: "apns", environment: "production", topic: "shop"),
            build: AppBuild(platform: "ios", version: "7.0"), hour: start, attempted: 100,
            rejections: [.payloadError: 30, .requestError: 45, .unknown: 10])
        func responded(_ status: Int32, _ reason: String, _ rejection: RejectionClass, _ rejected: Int64)
            -> RejectedBuilds.Responded
        {
            .init(
                address: fact.address, build: fact.build,
                hour: start,
                response: RejectedResponse(
                    provider: "apns", status: status, reason: reason, rejectionClass: rejection,
                    retry: .afterFix,
                    tokenVerdict: .keep), rejected: rejected)
        }
        let responses = [
            responded(413, "PayloadTooLarge", .payloadError, 30),
            responded(400, "BadPath", .requestError, 45),
        ]
        let found = RejectedBuilds.findings(.init(lately: [fact], responses: responses), examination)
        #expect(found.map(\.id) == [.rejected])
        #expect(found.first?.sentence.contains("85 of 100 pushes") == true)
        #expect(found.first?.sentence.contains("mostly 400 BadPath") == true)
        #expect(found.first?.remedy == responses[1].response.advice)
    }

    @Test(
        "a fixed fault is over after the next pushes, and a warning",
        arguments: [RejectionClass.authError, .payloadError])
    func mended(rejection: RejectionClass) {
        let bad = (4..<9).map { rejected("7.0", rejection, 300, of: 300, hoursAgo: $0) }
        let good = (1..<4).map { rejected("7.0", rejection, 0, of: 300, hoursAgo: $0) }
        let over = findings(bad + good)
        #expect(over.map(\.severity) == [.warning])
        #expect(over.first?.sentence.hasSuffix("It is over.") == true)
        #expect(over.first?.sentence.contains("1,500 of 1,500") == true)
        #expect(over.first?.sentence.contains("from 2026-03-15 10:00 to 15:00 UTC") == true)
        let few = findings(bad + [rejected("7.0", rejection, 0, of: 29, hoursAgo: 1)])
        #expect(few.map(\.severity) == [.problem])
        #expect(
            few.first?.sentence.hasSuffix(
                "Too little has been sent since to tell whether it is over: 0 of 29 pushes (0.0 %) were rejected."
            )
                == true)
        let silent = findings(bad)
        #expect(silent.map(\.severity) == [.problem])
        #expect(silent.first?.sentence.hasSuffix("Nothing has been sent since.") == true)
    }

    @Test(
        "a fault at half its former rate, but far above the usual one, is not over",
        arguments: [RejectionClass.payloadError, .wrongTopic])
    func halfMended(rejection: RejectionClass) {
        let usual = rejected("7.0", rejection, 20, of: 7_000, hoursAgo: nil)
        let bad = (1..<6).map { rejected("7.0", rejection, 300, of: 300, hoursAgo: $0) }
        // Hours of a wrong topic are bad from a tenth on.
        let half = rejected("7.0", rejection, rejection == .wrongTopic ? 29 : 146, of: 300)
        let found = findings([usual] + bad + [half])
        #expect(found.map(\.severity) == [.problem])
        guard rejection == .payloadError else { return }
        #expect(
            found.first?.sentence.hasSuffix(
                "It is ongoing: since then 146 of 300 pushes (48.7 %) were rejected.") == true)
        // The same without a week before to compare with.
        #expect(findings(bad + [half]).map(\.severity) == [.problem])
        let well = findings([usual] + bad + [rejected("7.0", rejection, 3, of: 300)])
        #expect(well.map(\.severity) == [.warning])
    }

    @Test("good hours between two bad ones are not reported as bad")
    func apart() {
        let bad = [17, 0].map { rejected("7.0", .authError, 30, of: 30, hoursAgo: $0) }
        let good = (1..<17).map { rejected("7.0", .authError, 0, of: 312, hoursAgo: $0) }
        let found = findings(bad + good)
        #expect(found.first?.sentence.hasPrefix("30 of 30 pushes") == true)
        #expect(found.first?.sentence.contains("from 2026-03-15 18:00 to 19:00 UTC") == true)
    }

    @Test("the quoted responses are those of the reported hours and builds")
    func responsesOfTheHours() {
        func responded(
            _ version: String, _ rejection: RejectionClass, _ reason: String, _ count: Int64, hoursAgo: Int64
        )
            -> RejectedBuilds.Responded
        {
            let fact = rejected(version, rejection, 0, of: 1)
            return .init(
                address: fact.address, build: fact.build, hour: start - .hours(hoursAgo),
                response: RejectedResponse(
                    provider: "apns", status: 400, reason: reason, rejectionClass: rejection,
                    retry: .afterFix,
                    tokenVerdict: .keep), rejected: count)
        }
        let lately =
            (1..<12).map { rejected("7.0", .payloadError, 40, of: 400, hoursAgo: $0) }
            + [rejected("7.0", .payloadError, 60, of: 60)]
        let responses =
            (1..<12).map { responded("7.0", .payloadError, "BadCollapseId", 40, hoursAgo: $0) }
            + [responded("7.0", .payloadError, "PayloadEmpty", 60, hoursAgo: 0)]
        let found = RejectedBuilds.findings(.init(lately: lately, responses: responses), examination)
        #expect(found.first?.sentence.contains("mostly 400 PayloadEmpty") == true)

        // The tokens of one build concern only that build, and so do their responses.
        let blamed = rejected("7.1", .tokenSuspect, 900, of: 900)
        let others = RejectedBuilds.Fact(
            address: blamed.address, build: AppBuild(platform: "ios", version: "7.0"), hour: start,
            attempted: 1_000, rejections: [.tokenSuspect: 240, .payloadError: 200, .requestError: 200])
        let both = RejectedBuilds.findings(
            .init(
                lately: [blamed, others],
                responses: [
                    responded("7.1", .tokenSuspect, "BadDeviceToken", 900, hoursAgo: 0),
                    responded("7.0", .tokenSuspect, "ExpiredToken", 240, hoursAgo: 0),
                ]), examination)
        #expect(both.map(\.id) == [.wrongEnvironment, .rejected])
        #expect(both.first?.sentence.contains("mostly 400 BadDeviceToken") == true)
        #expect(both.last?.sentence.contains("mostly 400 ExpiredToken") == true)
    }

    @Test("a finding begins no earlier than the examined hours")
    func beginning() {
        let examination = Examination(app: shop, asOf: instant("2026-03-15T19:20:00Z"))
        let hours = (0..<25).map { rejected("7.0", .authError, 30, of: 30, hoursAgo: $0 - 1) }
        let found = RejectedBuilds.findings(.init(lately: hours), examination)
        #expect(
            found.first?.sentence.contains("from 2026-03-14 19:30 to 2026-03-15 19:20 UTC") == true)
    }

    @Test("a fault of the last hour is found at once, however much was fine before")
    func fresh() {
        let day = (1..<24).map { rejected("7.0", .authError, 0, of: 5_000, hoursAgo: $0) }
        #expect(findings(day + [rejected("7.0", .authError, 200, of: 400)]).map(\.severity) == [.problem])
        #expect(findings(day + [rejected("7.0", .requestError, 390, of: 400)]).map(\.id) == [.rejected])
    }

    @Test("a build that gets no more pushes because its tokens were rejected is still a problem")
    func dropped() {
        let bad = rejected("7.1", .wrongTopic, 60, of: 60, hoursAgo: 5)
        let others = (0..<8).map { rejected("7.0", .wrongTopic, 0, of: 500, hoursAgo: $0) }
        let found = findings([bad] + others)
        #expect(found.map(\.severity) == [.problem])
        #expect(found.first?.sentence.hasSuffix("Nothing has been sent since.") == true)
    }

    @Test("a few pushes an hour are judged together with those before them")
    func sparse() {
        let hours = (0..<10).map { rejected("7.0", .authError, 4, of: 4, hoursAgo: $0) }
        let found = findings(hours)
        #expect(found.first?.sentence.hasPrefix("40 of 40 pushes") == true)
        #expect(found.map(\.severity) == [.problem])
    }

    @Test("findings are always in the same order")
    func order() {
        let facts = ["a", "b", "c"].flatMap { topic in
            ["production", "sandbox"].flatMap { environment in
                ["apns", "fcm"].map { provider in
                    RejectedBuilds.Fact(
                        address: .init(provider: provider, environment: environment, topic: topic),
                        build: AppBuild(platform: "ios", version: "7.0"), hour: start, attempted: 90,
                        rejections: [.authError: 90])
                }
            }
        }
        let sentences = findings(facts).map(\.sentence)
        #expect(sentences.count == 12)
        #expect(findings(facts.reversed()).map(\.sentence) == sentences)
        #expect(sentences[1].contains("fcm production, topic a"))
        #expect(sentences[2].contains("apns sandbox, topic a"))
    }
}
