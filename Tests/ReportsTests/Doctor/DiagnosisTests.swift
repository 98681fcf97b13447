import DeliveryModel
import Testing

@testable import Doctor
@testable import Reports
@testable import TokenLifecycle

/// The conclusions that the doctor draws from facts, and those it does not draw.
@Suite("Diagnoses")
struct DiagnosisTests {
    private let examination = Examination(app: shop, asOf: instant("2026-03-15T19:05:00Z"))
    private let start = instant("2026-03-15T18:00:00Z")

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

    // MARK: - Rejections

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

    // MARK: - Providers

    private func hour(
        _ hoursAgo: Int64, _ attempted: Int64, errors: Int64 = 0, throttled: Int64 = 0, silent: Int64 = 0
    ) -> ProviderOutage.Fact {
        ProviderOutage.Fact(
            provider: "apns", hour: start - .hours(hoursAgo), attempted: attempted, providerError: errors,
            throttled: throttled, silent: silent)
    }

    @Test("a bad hour followed by good ones is over, and a warning")
    func pastOutage() {
        let day = (24..<48).map { hour($0, 100, errors: 1) }
        let over = ProviderOutage.findings(day + [hour(3, 100, errors: 60), hour(1, 100)], examination)
        #expect(over.map(\.severity) == [.warning])
        #expect(over.first?.sentence.hasSuffix("It is over.") == true)
        let running = ProviderOutage.findings(day + [hour(3, 100), hour(0, 100, silent: 60)], examination)
        #expect(running.map(\.severity) == [.problem])
    }

    @Test("a bad hour after which nothing was sent is a warning, and not reported as ongoing")
    func nothingSentSince() {
        let silent = ProviderOutage.findings([hour(3, 100, errors: 60)], examination)
        #expect(silent.map(\.severity) == [.warning])
        #expect(silent.first?.sentence.hasSuffix("Nothing has been sent since.") == true)
        let few = ProviderOutage.findings([hour(3, 100, errors: 60), hour(1, 5, errors: 5)], examination)
        #expect(few.map(\.severity) == [.problem])
        let perhaps = ProviderOutage.findings([hour(3, 100, errors: 60), hour(1, 5)], examination)
        #expect(perhaps.map(\.severity) == [.problem])
        #expect(perhaps.first?.sentence.hasSuffix("0 of 5 pushes (0.0 %) failed.") == true)
        // A few pushes an hour add up, and may be as bad.
        let trickle = (0..<5).map { hour($0, 20, errors: 12) }
        let running = ProviderOutage.findings([hour(6, 100, errors: 60)] + trickle, examination)
        #expect(
            running.first?.sentence.hasSuffix("It is ongoing: since then 60 of 100 pushes (60.0 %) failed.")
                == true)
        let well = (0..<5).map { hour($0, 20) }
        let over = ProviderOutage.findings([hour(6, 100, errors: 60)] + well, examination)
        #expect(over.first?.sentence.hasSuffix("It is over.") == true)
    }

    @Test("failures as frequent as the day before are no outage, unless they are most of the pushes")
    func usualFailures() {
        let day = (25..<48).map { hour($0, 100, errors: 15) }
        #expect(ProviderOutage.findings(day + [hour(0, 100, errors: 22)], examination).isEmpty)
        #expect(ProviderOutage.findings(day + [hour(0, 100, errors: 55)], examination).count == 1)
        #expect(ProviderOutage.findings(day + [hour(0, 12, errors: 12)], examination).isEmpty)
    }

    @Test("for throttling, the remedy is to send more slowly")
    func throttling() {
        let findings = ProviderOutage.findings([hour(0, 200, throttled: 150)], examination)
        #expect(findings.first?.remedy.hasPrefix("Send more slowly") == true)
        #expect(findings.first?.sentence.contains("150 throttled") == true)
    }

    // MARK: - Extensions

    private func version(
        _ name: String, arrived: Int64, of reportable: Int64, before: (Int64, Int64),
        responded: (now: Int64, before: Int64) = (0, 0), reports: Bool = true
    ) -> SilentExtensions.Fact {
        version(
            name, [(1, arrived, reportable)], before: before, responded: responded, reports: reports)
    }

    private typealias ReportedHour = (hoursAgo: Int64, arrived: Int64, of: Int64)

    /// This many arrivals out of a hundred in each hour.
    private func hours(_ hoursAgo: Range<Int64>, _ arrived: Int64) -> [ReportedHour] {
        hoursAgo.map { ($0, arrived, 100) }
    }

    private func version(
        _ name: String, _ hours: [ReportedHour], before: (Int64, Int64),
        responded: (now: Int64, before: Int64) = (0, 0), reports: Bool = true
    ) -> SilentExtensions.Fact {
        let past = SilentExtensions.Hour(
            start: nil, arrived: Proportion(before.0, of: before.1),
            responded: Proportion(responded.before, of: before.1))
        return SilentExtensions.Fact(
            build: AppBuild(platform: "ios", version: name),
            hours: [past]
                + hours.map {
                    .init(
                        start: start - .hours($0.hoursAgo), arrived: Proportion($0.arrived, of: $0.of),
                        responded: Proportion(responded.now, of: $0.of))
                }, reports: reports)
    }

    @Test("a version that reports somewhat less, or too little to tell, has not stopped")
    func lessReported() {
        for fact in [
            version("7.1", arrived: 320, of: 500, before: (4_000, 5_000)),
            version("7.1", arrived: 0, of: 49, before: (4_000, 5_000)),
            version("7.1", arrived: 0, of: 500, before: (80, 90)),
            version("7.1", arrived: 0, of: 500, before: (20, 5_000)),
        ] {
            #expect(SilentExtensions.findings([fact], examination).isEmpty, "\(fact)")
        }
        let stopped = version(
            "7.1", arrived: 120, of: 500, before: (4_000, 5_000), responded: (50, 500))
        #expect(SilentExtensions.findings([stopped], examination).map(\.id) == [.extensionSilent])
    }

    @Test(
        "an extension that is silent for an hour of a long day is found, and one that reports again is over")
    func silentHours() {
        let fresh = SilentExtensions.findings(
            [version("7.1", hours(4..<23, 85) + hours(1..<3, 3), before: (4_000, 5_000))], examination)
        #expect(fresh.map(\.severity) == [.problem])
        #expect(fresh.first?.sentence.contains("reported 6 of 200 pushes") == true)
        #expect(fresh.first?.sentence.contains("from 2026-03-15 16:00 to 18:00 UTC") == true)

        let past = hours(6..<20, 0)
        let good: [ReportedHour] = [(2, 44, 50), (1, 43, 50)]
        let mended = SilentExtensions.findings(
            [version("7.1", past + good, before: (4_000, 5_000))], examination)
        #expect(mended.map(\.severity) == [.warning])
        #expect(mended.first?.sentence.hasSuffix("It is over.") == true)
        let few: [ReportedHour] = [(1, 43, 49)]
        let perhaps = SilentExtensions.findings(
            [version("7.1", past + few, before: (4_000, 5_000))], examination)
        #expect(perhaps.map(\.severity) == [.problem])
        #expect(perhaps.first?.sentence.hasSuffix("43 of 49 pushes (87.8 %) were reported.") == true)
        let half: [ReportedHour] = [(2, 57, 100), (1, 58, 100)]
        let partly = SilentExtensions.findings(
            [version("7.1", past + half, before: (4_000, 5_000))], examination)
        #expect(partly.map(\.severity) == [.problem])
        #expect(
            partly.first?.sentence.hasSuffix(
                "It is ongoing: since then 115 of 200 pushes (57.5 %) were reported.") == true)
    }

    @Test("hours that report less by chance are no silence, however many there are")
    func chosenHours() {
        let examination = Examination(
            app: shop, asOf: instant("2026-03-15T19:05:00Z"), hours: Examination.mostHours)
        let hours = (1..<140).map { hour -> ReportedHour in
            (Int64(hour), hour.isMultiple(of: 2) ? 6 : 14, 50)
        }
        let fact = version("7.1", hours, before: (1_000, 5_000))
        #expect(SilentExtensions.findings([fact], examination).isEmpty)
        // A run of them is no chance.
        let night = (1..<13).map { hour -> ReportedHour in (Int64(hour), 2, 50) }
        let silent = version("7.1", hours.filter { $0.hoursAgo > 12 } + night, before: (1_000, 5_000))
        #expect(SilentExtensions.findings([silent], examination).count == 1)
    }

    @Test("what all versions report later, at night, is no silence; what none of them reports any more is")
    func lateness() {
        func day(_ name: String, atNight arrived: Int64) -> SilentExtensions.Fact {
            let night: [ReportedHour] = [(1, arrived, 500)]
            return version(name, hours(3..<20, 85) + night, before: (8_500, 10_000))
        }
        let late = ["7.0", "7.1", "7.2"].map { day($0, atNight: 250) }
        #expect(SilentExtensions.findings(late, examination).isEmpty)
        let one = [late[0], late[1], day("7.2", atNight: 40)]
        #expect(SilentExtensions.findings(one, examination).count == 1)
        let all = ["7.0", "7.1", "7.2"].map { day($0, atNight: 10) }
        #expect(SilentExtensions.findings(all, examination).count == 3)
    }

    @Test("findings about extensions suggest landfall extension")
    func extensionCommand() {
        let stopped = version("7.1", arrived: 0, of: 500, before: (4_000, 5_000))
        #expect(
            SilentExtensions.findings([stopped], examination).first?.commandLine
                == "landfall extension --app shop --from 24h --platform ios --app-version 7.1")
        let mute = version("7.10", arrived: 0, of: 300, before: (0, 0), reports: false)
        let reporting = version("7.9", arrived: 400, of: 500, before: (4_000, 5_000))
        #expect(
            SilentExtensions.findings([reporting, mute], examination).first?.commandLine
                == "landfall extension --app shop --from 24h --platform ios")
    }

    @Test("a few strays do not make a version one that reports")
    func strays() {
        let reporting = version("7.9", arrived: 400, of: 500, before: (4_000, 5_000))
        let strays = SilentExtensions.findings(
            [reporting, version("7.10", arrived: 3, of: 300, before: (0, 0))], examination)
        #expect(
            strays.first?.sentence.hasPrefix("ios 7.10 has reported next to nothing (3 arrivals) of 300")
                == true)
        let few = version("7.10", arrived: 30, of: 300, before: (0, 0))
        #expect(SilentExtensions.findings([reporting, few], examination).isEmpty)
    }

    @Test(
        "a new version that never reports is a problem, an old one a warning, and an app without an extension neither"
    )
    func neverReporting() {
        let reporting = version("7.9", arrived: 400, of: 500, before: (4_000, 5_000))
        let mute = { (name: String) in
            version(name, arrived: 0, of: 300, before: (0, 0), reports: false)
        }
        #expect(
            SilentExtensions.findings([reporting, mute("7.10")], examination).map(\.severity) == [.problem])
        let old = SilentExtensions.findings([reporting, mute("7.8"), mute("6.12.1")], examination)
        #expect(old.map(\.severity) == [.warning])
        #expect(old.first?.sentence.hasPrefix("ios 7.8 and ios 6.12.1 have never") == true)
        #expect(SilentExtensions.findings([mute("7.9"), mute("7.10")], examination).isEmpty)
        let few = version("7.10", arrived: 0, of: 150, before: (0, 0), reports: false)
        #expect(SilentExtensions.findings([reporting, few], examination).isEmpty)
    }

    @Test(
        "versions are compared by their numbers",
        arguments: [
            ("7.10.0", "7.9.9", true), ("7.9.9", "7.10.0", false), ("7.1", "7.1.0", false),
            ("8", "7.9", true),
            ("7.2.0", "7.2.0-beta.1", true), ("7.2.0-beta.1", "7.1.0", true), ("", "1.0", false),
            ("7.2.0-beta.10", "7.2.0-beta.9", true), ("7.2.0-beta.1", "7.2.0-beta.2", false),
            ("7.2-rc.1", "7.2.0-beta.9", true), ("7.1.0", "7.1", false), ("7.1.0+12", "7.1+9", true),
            ("7.1.0+12", "7.1", true),
        ])
    func versions(one: String, other: String, isLater: Bool) {
        let (one, other) = (
            AppBuild(platform: "ios", version: one), AppBuild(platform: "ios", version: other)
        )
        #expect(one.isLater(than: other) == isLater)
    }

    // MARK: - Dead tokens

    private func dying(
        _ version: String, _ dead: Int64, of attempted: Int64, clicked: Int64 = 100
    ) -> ProviderPurge.Fact {
        ProviderPurge.Fact(
            build: AppBuild(platform: "ios", version: version), dead: Proportion(dead, of: attempted),
            deadBefore: Proportion(50, of: 5_000), clicked: Proportion(clicked, of: 1_000),
            clickedBefore: Proportion(1_000, of: 10_000))
    }

    @Test("more 410 in one version only, or with fewer clicks, is no purge")
    func purge() {
        let all = [dying("7.0", 50, of: 500), dying("7.1", 60, of: 500)]
        #expect(ProviderPurge.findings(all, examination).map(\.id) == [.providerPurge])
        #expect(
            ProviderPurge.findings([dying("7.0", 50, of: 500), dying("7.1", 5, of: 500)], examination).isEmpty
        )
        #expect(
            ProviderPurge.findings(
                [dying("7.0", 50, of: 500, clicked: 40), dying("7.1", 60, of: 500, clicked: 40)], examination
            ).isEmpty)
        #expect(ProviderPurge.findings([all[0]], examination).isEmpty)
    }

    @Test("in a large app every change of clicks is significant, and a small one still counts as flat")
    func largePurge() {
        func dying(clicked: Int64) -> [ProviderPurge.Fact] {
            ["7.0", "7.1"].map {
                ProviderPurge.Fact(
                    build: AppBuild(platform: "ios", version: $0), dead: Proportion(90_000, of: 1_000_000),
                    deadBefore: Proportion(70_000, of: 7_000_000),
                    clicked: Proportion(clicked, of: 800_000),
                    clickedBefore: Proportion(560_000, of: 5_600_000))
            }
        }
        #expect(ProviderPurge.findings(dying(clicked: 85_000), examination).map(\.id) == [.providerPurge])
        #expect(ProviderPurge.findings(dying(clicked: 70_000), examination).map(\.id) == [.providerPurge])
        #expect(ProviderPurge.findings(dying(clicked: 60_000), examination).isEmpty)
    }

    // MARK: - Breakers

    @Test("the command names one breaker, even that of tokens without a topic")
    func breakerCommands() {
        let breakers = [("production", ""), ("production", "shop"), ("sandbox", "shop")].map {
            HeldTokens.Group(environment: $0.0, topic: $0.1, openedAt: start, heldTokens: 93)
        }
        #expect(
            OpenBreakers.findings(breakers, examination).map(\.commandLine) == [
                "landfall tokens release --app shop --environment production --topic ''",
                "landfall tokens release --app shop --environment production --topic shop",
                "landfall tokens release --app shop --environment sandbox --topic shop",
            ])
    }

    // MARK: - Unmatched, rejected, maintenance

    @Test(
        "a few unmatched events are usual, many are a warning, very many a problem",
        arguments: [(29, 0, nil), (60, 900, nil), (200, 900, .warning), (400, 900, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func unmatched(unmatched: Int64, attempted: Int64, severity: Finding.Severity?) {
        let findings = UnmatchedEvents.findings(
            .init(unmatched: unmatched, attempted: attempted), examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
    }

    @Test(
        "a few misdirected events are usual, more are a warning, many a problem",
        arguments: [(19, 19, nil), (30, 3_000, nil), (90, 3_000, .warning), (400, 3_000, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func misdirected(misdirected: Int64, reported: Int64, severity: Finding.Severity?) {
        let findings = MisdirectedEvents.findings(Proportion(misdirected, of: reported), examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
        #expect(findings.allSatisfy { $0.meaning.contains("notification_id") })
    }

    @Test(
        "single rejected items are no finding",
        arguments: [(19, 19, nil), (20, 10_000, nil), (200, 10_000, .warning), (2_000, 10_000, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func rejected(rejected: Int64, received: Int64, severity: Finding.Severity?) {
        let facts = RejectedItems.Facts(
            received: received, rejected: rejected, codes: [.init(code: "too_old", items: rejected)])
        let findings = RejectedItems.findings(facts, examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
        #expect(findings.allSatisfy { $0.sentence.contains("too_old") })
    }

    @Test(
        "rejected items that mostly came with a device key may be forged",
        arguments: [
            (0, false, "contains 80 too_old."), (40, false, "40 of them were posted with a device key."),
            (80, true, "All of them were posted with a device key."),
        ] as [(Int64, Bool, String)])
    func rejectedOfDevices(deviceItems: Int64, mayBeForged: Bool, end: String) {
        let facts = RejectedItems.Facts(
            received: 100, rejected: 80,
            codes: [.init(code: "too_old", items: 80, deviceItems: deviceItems)])
        let finding = RejectedItems.findings(facts, examination).first
        #expect(finding?.sentence.hasSuffix(end) == true)
        #expect(finding?.meaning.contains("may be forged") == mayBeForged)
        #expect(finding?.command.contains("--poster") == mayBeForged)
    }

    @Test(
        "many campaigns in an hour are a finding if they have few pushes each; many states always are",
        arguments: [
            (999, 1_000, 40, []), (1_000, 10_001, 40, []), (1_000, 10_000, 40, [.scatteredCampaigns]),
            (50, 90_000, 999, []), (50, 90_000, 1_000, [.scatteredStates]),
            (8_000, 8_000, 1_200, [.scatteredCampaigns, .scatteredStates]),
        ] as [(Int64, Int64, Int64, [Finding.ID])])
    func scattered(campaigns: Int64, notifications: Int64, states: Int64, ids: [Finding.ID]) {
        let usual = ScatteredCounters.Hour(
            hour: start - .hours(1), states: 20, campaigns: 30, notifications: 60)
        let worst = ScatteredCounters.Hour(
            hour: start, states: states, campaigns: campaigns, notifications: notifications)
        let findings = ScatteredCounters.findings([usual, worst], examination)
        #expect(findings.map(\.id) == ids)
        #expect(findings.allSatisfy { $0.sentence.contains("from 2026-03-15 18:00 to 19:00 UTC") })
    }

    @Test(
        "accounts without a proof are a finding from 5 and 5 % on",
        arguments: [(4, 4, 0), (5, 100, 1), (5, 101, 0), (5_000, 5_000, 1), (0, 0, 0)]
            as [(Int64, Int64, Int)])
    func claimed(claimed: Int64, bound: Int64, count: Int) {
        #expect(
            ClaimedAccounts.findings(Proportion(claimed, of: bound), examination).map(\.id)
                == Array(repeating: .claimedAccounts, count: count))
    }

    @Test(
        "trouble on devices is a finding from a number on, and clocks only if many are off",
        arguments: [
            (.dropped, 19, 100, nil), (.dropped, 20, 100_000, .eventsDropped), (.unshared, 4, 100, nil),
            (.unshared, 5, 100_000, .appGroupMissing), (.clock, 19, 100, nil),
            (.clock, 20, 400, .deviceClocks), (.clock, 20, 401, nil),
        ] as [(DeviceTroubles.Trouble, Int64, Int64, Finding.ID?)])
    func troubles(trouble: DeviceTroubles.Trouble, events: Int64, received: Int64, id: Finding.ID?) {
        let facts = DeviceTroubles.Facts(
            counts: [
                .init(
                    trouble: trouble, appVersion: "7.1.0", kit: "0.1.0", events: events - 1, devices: 4,
                    largest: 0),
                .init(trouble: trouble, appVersion: "", kit: "", events: 1, devices: 1, largest: 0),
            ], received: received)
        let findings = DeviceTroubles.findings(facts, examination)
        #expect(findings.map(\.id) == [id].compactMap(\.self))
        #expect(
            findings.allSatisfy {
                $0.sentence.contains("7.1.0 with kit 0.1.0 (\(events - 1)) and an unknown version (1)")
            })
    }

    @Test(
        "trouble that few devices report, or that one device reports most of, is no finding",
        arguments: DeviceTroubles.Trouble.allCases)
    func fewDevices(trouble: DeviceTroubles.Trouble) {
        func findings(events: Int64, devices: Int64, largest: Int64) -> Int {
            let count = DeviceTroubles.Facts.Count(
                trouble: trouble, appVersion: "7.1.0", kit: "", events: events, devices: devices,
                largest: largest)
            return DeviceTroubles.findings(.init(counts: [count], received: 100), examination).count
        }
        #expect(findings(events: 4_000, devices: 4, largest: 1_000) == 0)
        #expect(findings(events: 1_004, devices: 5, largest: 1_000) == 0)
        #expect(findings(events: 1_020, devices: 5, largest: 1_000) == 1)
    }

    @Test("alerts with content-available are a finding from fifty on, unless the app reports any of them")
    func wakes() {
        let few = UnusedWakes.Fact(campaign: "spring", alerts: 49, reported: 0, confirmed: 9)
        let many = UnusedWakes.Fact(campaign: "", alerts: 50, reported: 0, confirmed: 1)
        #expect(UnusedWakes.findings([few], examination).isEmpty)
        let found = UnusedWakes.findings([many, few], examination)
        #expect(found.map(\.id) == [.contentAvailableUnused])
        #expect(found.first?.sentence.hasPrefix("50 accepted alerts of pushes without a campaign") == true)
        let reported = UnusedWakes.Fact(campaign: "autumn", alerts: 3, reported: 1, confirmed: 1)
        #expect(UnusedWakes.findings([many, reported], examination).isEmpty)
        let silent = UnusedWakes.Fact(campaign: "", alerts: 50, reported: 0, confirmed: 0)
        #expect(UnusedWakes.findings([silent], examination).isEmpty, "Its devices report nothing at all.")
    }

    @Test("a cell that has used nine tenths of the ids of a table is a finding")
    func usedIDs() {
        let few = UsedIDs.Fact(name: "token_token_id_seq", share: 0.899)
        let many = UsedIDs.Fact(name: "token_token_id_seq", share: 0.9)
        #expect(UsedIDs.findings(few, examination).isEmpty && UsedIDs.findings(nil, examination).isEmpty)
        let found = UsedIDs.findings(many, examination)
        #expect(found.map(\.id) == [.idsUsed])
        #expect(
            found.first?.sentence
                == "The sequence token_token_id_seq has used 90.0 % of the ids of this cell.")
        #expect(UsedIDs.examined(many, examination) == .judged("at most 90.0 % used"))
        #expect(UsedIDs.examined(nil, examination) == .nothing)
    }

    @Test("a move that has not ended is a finding, and a problem while the app is refused")
    func unfinishedMoves() {
        let facts = ["leaving", "serving", "left", "copying", "arriving"].map {
            UnfinishedMoves.Fact(slug: "shop", state: $0, cell: 3)
        }
        let found = UnfinishedMoves.findings(facts, examination)
        #expect(found.map(\.severity) == [.problem, .warning, .warning, .warning, .warning])
        #expect(
            found.map(\.sentence) == [
                "The move of the app shop to cell 3 has not ended: the rows here are leaving.",
                "The move of the app shop to cell 3 has not ended: the rows here are serving.",
                "The move of the app shop to cell 3 has not ended: the rows here are left.",
                "The move of the app shop from cell 3 has not ended: the rows here are copying.",
                "The move of the app shop from cell 3 has not ended: the rows here are arriving.",
            ])
        #expect(UnfinishedMoves.examined(facts, examination) == .judged("5 not ended"))
        #expect(UnfinishedMoves.examined([], examination) == .nothing)
    }

    @Test("a category that five installations miss is a finding")
    func categories() {
        let few = MissingCategories.Fact(category: "chat", installations: 4, appVersion: "7.1.0")
        let many = MissingCategories.Fact(category: "order", installations: 5, appVersion: "7.1.0")
        #expect(MissingCategories.findings([few], examination).isEmpty)
        let found = MissingCategories.findings([many, few], examination)
        #expect(found.map(\.id) == [.categoriesMissing])
        #expect(found.first?.sentence.contains("order (5); app version 7.1.0") == true)
    }

    @Test("a sweep is overdue a week after the last one, or after the first tokens can have become stale")
    func sweep() {
        func findings(created: Int64, swept: Int64?, hasTokens: Bool = true) -> [Finding] {
            OverdueSweep.findings(
                .init(
                    createdAt: examination.asOf - .days(created), staleAfterDays: 60,
                    sweptAt: swept.map { examination.asOf - .days($0) }, hasTokens: hasTokens), examination)
        }
        #expect(findings(created: 400, swept: 6).isEmpty)
        #expect(findings(created: 400, swept: 8).map(\.id) == [.sweepOverdue])
        #expect(findings(created: 66, swept: nil).isEmpty)
        #expect(findings(created: 68, swept: nil).first?.sentence == "The app was never swept.")
        #expect(findings(created: 400, swept: nil, hasTokens: false).isEmpty)
    }

    @Test("a sweep that never ran is not reported as fine")
    func neverSwept() {
        let fact = OverdueSweep.Fact(
            createdAt: examination.asOf, staleAfterDays: 60, sweptAt: nil, hasTokens: true)
        #expect(OverdueSweep.examined(fact, examination) == .neverDone)
    }

    @Test(
        "maintenance is overdue if much has been due for more than a day, however old the days are",
        arguments: [
            (quarters: 97, oldestDays: 9, maintainedHours: 25, isOverdue: true),
            (quarters: 96, oldestDays: 9, maintainedHours: 25, isOverdue: false),
            // An import: years of events since the last run.
            (quarters: 20_000, oldestDays: 300, maintainedHours: 1, isOverdue: false),
            (quarters: 20_000, oldestDays: 300, maintainedHours: 23, isOverdue: false),
            (quarters: 20_000, oldestDays: 300, maintainedHours: 25, isOverdue: true),
            // Quarter hours that became due only recently.
            (quarters: 97, oldestDays: 1, maintainedHours: 400, isOverdue: false),
            (quarters: 97, oldestDays: 2, maintainedHours: 400, isOverdue: true),
        ] as [(Int64, Int64, Int64, Bool)])
    func maintenance(quarters: Int64, oldestDays: Int64, maintainedHours: Int64, isOverdue: Bool) {
        let fact = OverdueMaintenance.Fact(
            unfoldedQuarters: quarters, oldest: examination.asOf - .days(oldestDays),
            maintainedAt: examination.asOf - .hours(maintainedHours))
        #expect(
            OverdueMaintenance.findings(fact, examination).map(\.severity) == (isOverdue ? [.warning] : []))
    }

    @Test(
        "the disk is filling if it is full before the retention is reached, and its room is known",
        arguments: [
            // 362 MB a day; packed days take half of it.
            (gigabytes: 4, packs: false, keptDays: 20, severity: .warning),
            (gigabytes: 2, packs: false, keptDays: 20, severity: .problem),
            (gigabytes: 2, packs: true, keptDays: 20, severity: .warning),
            (gigabytes: 11, packs: false, keptDays: 20, severity: nil),
            // After five days, as much is dropped as is added.
            (gigabytes: 2, packs: false, keptDays: 395, severity: nil),
            (gigabytes: nil, packs: false, keptDays: 20, severity: nil),
        ] as [(Int64?, Bool, Int64, Finding.Severity?)])
    func disk(gigabytes: Int64?, packs: Bool, keptDays: Int64, severity: Finding.Severity?) {
        let examination = Examination(
            app: shop, asOf: examination.asOf, freeBytes: gigabytes.map { $0 * 1_000_000_000 })
        var fact = DiskRoom.Fact(
            bytes: 14 * 362_000_000, notifications: 14 * 1_000_000,
            oldestDay: examination.asOf - .days(keptDays), packsDays: packs, retentionDays: 400)
        let found = DiskRoom.findings(fact, examination)
        #expect(found.map(\.severity) == [severity].compactMap(\.self))
        if let sentence = found.first?.sentence {
            #expect(sentence.contains("362 bytes each"), "\(sentence)")
        }
        fact = DiskRoom.Fact(
            bytes: 14_000_000, notifications: 14, oldestDay: fact.oldestDay, packsDays: packs,
            retentionDays: 400)
        #expect(DiskRoom.findings(fact, examination).isEmpty)
    }

    @Test("a database that may lose commits is a problem", arguments: ["fsync", "full_page_writes"])
    func durability(setting: String) {
        let settings = { (value: String) in
            [ServerDurability.Fact(setting: setting, value: value), .init(setting: "other", value: "on")]
        }
        #expect(ServerDurability.findings(settings("on"), examination).isEmpty)
        let finding = ServerDurability.findings(settings("off"), examination).first
        #expect(finding?.sentence == "In PostgreSQL, \(setting) is off.")
        #expect(finding?.commandLine == "psql -c 'SHOW \(setting)'")
    }
}
