internal import DeliveryModel

extension Metric {
    static let losses: [Metric] = reasons + receipts

    /// In their order of precedence.
    private static let reasons: [Metric] = [
        Metric(
            Loss.recalled.rawValue, .losses, formula: "unconfirmed_recalled",
            "Of the accepted ones that no device confirmed, those the sender withdrew. The losses from here to unexplained are told "
                + "apart in this order, each notification under the first that holds; with confirmed they add up to accepted."
        ),
        Metric(
            Loss.notReportable.rawValue, .losses, formula: "unconfirmed_not_reportable",
            "No extension could have reported them: background pushes, or no mutable-content."),
        Metric(
            Loss.notCapable.rawValue, .losses,
            formula: "unconfirmed, reportable, to a version of the app that does not report (see coverage)",
            "Without an extension that reports, nobody knows whether they came.",
            caveats: ["Known only for versions that registered devices; unknown versions count here."]),
        Metric(
            Loss.permissionOff.rawValue, .losses,
            formula: "unconfirmed, of the rest, permission denied or not_determined",
            "Alerts were not allowed when they were sent: the system shows nothing and runs no extension.",
            caveats: [
                "The permission is the one the device last told before the push.",
                "not_determined (nobody has been asked yet) is a loss here: the system shows nothing until somebody agrees. audience leaves "
                    + "out denied only, because such a device can still agree.",
            ]),
        Metric(
            Loss.superseded.rawValue, .losses,
            formula:
                "unconfirmed, of the rest, with a later accepted push of the same collapse id to the same token or installation",
            "Replaced on its way: a phone that was offline is given only the last one.",
            caveats: [
                "Counted only for campaigns that are named, from their notifications, while all of these are kept; else null, and replaced ones are among pending and unexplained.",
                "Later ones are looked for up to 30 days behind the window.",
            ]),
        Metric(
            Loss.pending.rawValue, .losses, formula: "unconfirmed, of the rest, younger than 24 h",
            "Their arrival may still be reported. By whole quarter hours of sending."),
        Metric(
            Loss.unexplained.rawValue, .losses, formula: "unconfirmed, of the rest",
            "What nobody knows: the phone was off, the app is gone, the report was lost."),
    ]

    private static let receipts: [Metric] = [
        Metric(
            Measure.confirmedUnreported.rawValue, .losses, formula: "confirmed ∧ reportable ∧ not arrived",
            "A lost receipt: the device had the notification, but its extension's report is missing."),
        Metric(
            Measure.respondedReportable.rawValue, .losses,
            formula: "reportable ∧ (presented ∨ clicked ∨ dismissed)",
            "The second, independent sighting: what share of these lacks a report is the share of lost receipts."
        ),
        Metric(
            Measure.contradicted.rawValue, .losses, formula: "seen on the device, no acceptance on record",
            "The answer was lost on its way here, or another sender sent it. In no other count of the device.",
            caveats: ["More than a few: some sender does not post its answers."]),
        Metric(
            Measure.unconfirmedRecalled.rawValue, .losses, formula: "accepted ∧ not confirmed ∧ recalled",
            "Withdrawn by the sender before any device had confirmed it."),
        Metric(
            Measure.unconfirmedNotReportable.rawValue, .losses,
            formula: "accepted ∧ not confirmed ∧ not recalled ∧ not reportable",
            "Nothing could have reported its arrival: background pushes, or no mutable-content."),
    ]

    static let intake: [Metric] = [
        Metric(
            UnmatchedMeasure.unmatched.rawValue, .intake, formula: "device events, no provider answer (yet)",
            "Arrivals or clicks of notifications that nobody posted an answer for. Never mixed into a campaign; once the answer comes, "
                + "all of them count at once.",
            caveats: ["Another sender, or a sender whose answers are late."]),
        Metric(
            UnmatchedMeasure.local.rawValue, .intake,
            formula: "device events of notifications the app showed itself",
            "Local notifications; no provider was asked."),
    ]
}
