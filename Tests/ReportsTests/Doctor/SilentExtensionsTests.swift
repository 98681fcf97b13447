import DeliveryModel
import Testing

@testable import Doctor
@testable import Reports

/// The conclusions from what each version of an app reports.
@Suite("Silent extensions")
struct SilentExtensionsTests {
    private let examination = Examination.evening
    private let start = Examination.lastHour

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
}
