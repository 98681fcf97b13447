import Basics

@testable import Doctor

extension HandMadeDay {
    /// A problem and a warning, with a name that contains markup.
    static let doctor = DoctorReport(
        asOf: now, hours: 24,
        patients: [
            .init(
                app: app,
                checkups: [
                    Checkup(
                        subject: "rejections by build and address", isAboutTraffic: true,
                        examined: .judged("2,856 pushes, 3 builds"),
                        findings: [
                            Finding(
                                .wrongTopic, .problem,
                                "100 of 100 pushes to build ios <b>7.2.0</b> (100.0 %) were rejected for their topic.",
                                "These tokens belong to an app with a different bundle id.",
                                "Send to the bundle id of the app.",
                                command: [
                                    "landfall", "rejections", "--app", "shop", "--campaign", "spring sale",
                                ],
                                evidence: [.init("rejected", .integer(100))])
                        ]),
                    Checkup(
                        subject: "providers", isAboutTraffic: true,
                        examined: .tooLittle("apns"), findings: []),
                    Checkup(
                        subject: "sweep", isAboutTraffic: false, examined: .judged("last done 2026-02-01"),
                        findings: [
                            Finding(
                                .sweepOverdue, .warning, "The app was last swept 28 days ago.",
                                "Silent tokens still count in the audience.",
                                "Run 'landfall tokens sweep --apply' from cron.",
                                command: ["landfall", "tokens", "sweep", "--app", "shop"], evidence: [])
                        ]),
                ]),
            .init(
                app: nil,
                checkups: [
                    Checkup(
                        subject: "durability of the database", isAboutTraffic: false,
                        examined: .judged("commits are on disk"), findings: [])
                ]),
        ])
}
