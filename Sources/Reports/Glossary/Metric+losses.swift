internal import DeliveryModel

extension Metric {
    static let losses: [Metric] = [
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
