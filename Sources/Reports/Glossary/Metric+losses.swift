internal import DeliveryModel

extension Metric {
    static let losses: [Metric] = reasons + receipts

    /// In order of precedence.
    private static let reasons: [Metric] = [
        Metric(
            Loss.recalled.rawValue, .losses, formula: "unconfirmed_recalled",
            "Accepted notifications that no device confirmed and that the sender withdrew. The losses from "
                + "here to unexplained are determined in this order: each notification counts under the "
                + "first one that applies. Together with confirmed, they add up to accepted."
        ),
        Metric(
            Loss.notReportable.rawValue, .losses, formula: "unconfirmed_not_reportable",
            "No extension could have reported these (background pushes, or no mutable-content), and neither "
                + "the app nor the provider confirmed them."),
        Metric(
            Loss.notCapable.rawValue, .losses,
            formula: "unconfirmed, reportable, to a version of the app that does not report (see coverage)",
            "Without an extension that reports, it is unknown whether they arrived.",
            caveats: [
                "Determined only for versions that have registered devices; unknown versions count here."
            ]),
        Metric(
            Loss.permissionOff.rawValue, .losses,
            formula: "unconfirmed, of the rest, permission denied or not_determined",
            "Alerts were not allowed at the time of sending: the system shows nothing and runs no extension.",
            caveats: [
                "The permission is the last one that the device reported before the push.",
                "not_determined (the user has not been asked yet) is a loss here, because the system shows "
                    + "nothing until the user agrees. audience excludes only denied, because such a user can "
                    + "still agree.",
            ]),
        Metric(
            Loss.superseded.rawValue, .losses,
            formula:
                "unconfirmed, of the rest, with a later accepted push of the same collapse id to the same token or installation",
            "Replaced on the way: a phone that was offline receives only the last one.",
            caveats: [
                "Counted only if campaigns are specified and all of their notifications are kept; otherwise "
                    + "null, and superseded ones are among pending and unexplained.",
                "Later pushes are searched for up to 30 days after the window.",
            ]),
        Metric(
            Loss.pending.rawValue, .losses, formula: "unconfirmed, of the rest, younger than 24 h",
            "The arrival may still be reported. By whole quarter hours of sending."),
        Metric(
            Loss.unexplained.rawValue, .losses, formula: "unconfirmed, of the rest",
            "The reason is unknown: the phone was off, the app was deleted, or the event was lost."),
    ]

    private static let receipts: [Metric] = [
        Metric(
            Measure.confirmedUnreported.rawValue, .losses, formula: "confirmed ∧ reportable ∧ not arrived",
            "A lost receipt: the device received the notification, but the event of its extension is missing."
        ),
        Metric(
            Measure.respondedReportable.rawValue, .losses,
            formula: "reportable ∧ (presented ∨ clicked ∨ dismissed ∨ witnessed)",
            "The second, independent observation: the share of these without an arrival is the share of lost "
                + "receipts."
        ),
        Metric(
            Measure.contradicted.rawValue, .losses, formula: "seen on the device, no acceptance on record",
            "The response was lost on the way, or another sender sent the push. Included in no other count "
                + "of device events.",
            caveats: ["If there are more than a few, some sender does not post its responses."]),
        Metric(
            Measure.misdirected.rawValue, .losses,
            formula: "attempted, and another installation than the push's reported it",
            "A device event named a registered installation, and the push went to another one. The event "
                + "counts in no other figure and confirms nothing.",
            caveats: [
                "If there are more than a few, a sender puts one notification_id into the payload of many devices.",
                "Known only for pushes to a token that an installation had registered, or to a device, and "
                    + "for events with a device_id.",
            ]),
        Metric(
            Measure.unconfirmedRecalled.rawValue, .losses, formula: "accepted ∧ not confirmed ∧ recalled",
            "Withdrawn by the sender before any device confirmed it."),
        Metric(
            Measure.unconfirmedNotReportable.rawValue, .losses,
            formula: "accepted ∧ not confirmed ∧ not recalled ∧ not reportable",
            "No extension could have reported the arrival: background pushes, or no mutable-content."),
    ]

    static let intake: [Metric] = [
        Metric(
            UnmatchedMeasure.unmatched.rawValue, .intake,
            formula: "device events, no provider response (yet)",
            "Arrivals or clicks of notifications for which no response was posted. Never part of a campaign; "
                + "once the response is posted, all of them count at once.",
            caveats: ["The cause is another sender, or a sender whose responses are late."]),
        Metric(
            UnmatchedMeasure.local.rawValue, .intake,
            formula: "device events of notifications that the app showed itself",
            "Local notifications; no provider was involved."),
    ]
}
