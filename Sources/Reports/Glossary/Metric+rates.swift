extension Metric {
    /// More dismissals are neither good nor bad: they may come of categories that have begun to ask for them.
    static let rates: [Metric] = [
        Metric(
            Rate.acceptance.id, .rates, .share, formula: "accepted / attempted",
            "What the provider took over of what it was given.",
            caveats: [
                "Dead tokens that nobody pushes to any more do not lower it; says nothing about devices."
            ],
            elsewhere: [
                .init("OneSignal", "Delivered, of the total attempted"),
                .init("Braze", "Deliveries, of the sends"),
            ], rise: .good),
        Metric(
            Rate.arrival.id, .rates, .share, formula: "arrived_reportable / reportable",
            "What certainly came to the device's screen, of what could be expected to say so.",
            caveats: ["A lower bound: the extension can be ended early, muted or absent."],
            elsewhere: [
                .init("OneSignal", "Confirmed delivery rate (confirmed / delivered)"),
                .init("CleverTap", "Impression rate (impressions / sent)"),
                .init("MoEngage", "Delivery rate (impressions / sent)"),
            ], rise: .good),
        Metric(
            "arrival_capable", .rates, .share,
            formula: "arrived_reportable / reportable, of versions of the app that report",
            "The same over the versions that can report at all: what went to old versions without an extension is left out.",
            caveats: [
                "Still a lower bound. Say coverage beside it: over few notifications it may not hold for the others.",
                "Only known versions count: what went to devices that do not say their app_version is left out, arrived or not.",
            ], rise: .good),
        Metric(
            "coverage", .rates, .share,
            formula: "accepted, to versions of the app that report / accepted",
            "How much of what was sent arrival_capable and arrival_estimated speak of. A version reports if it has surely (the lower "
                + "end of the 95 % interval) reported more than 2 % of the reportable pushes that were ever sent to it, by arrivals that "
                + "name it in app_version.",
            caveats: [
                "An arrival counts for the version it names: one from a phone that was updated after the push makes no old version report, "
                    + "and neither do a few strays.",
                "An arrival that names no version counts for the one the installation had registered; then it takes more than 10 %, because "
                    + "such arrivals may come from updated phones. Let the extension send app_version, written as at registration.",
                "Pushes to installations with permission denied or not_determined are left out of the 2 % and the 10 %.",
            ]),
        Metric(
            "receipt_loss", .rates, .share, formula: "confirmed_unreported / responded_reportable",
            "Of the notifications that somebody reacted to, those whose arrival nobody reported: what share of reports gets lost.",
            rise: .bad),
        Metric(
            "arrival_estimated", .rates, .share,
            formula:
                "((arrived_reportable + 1)(responded_reportable + 1) / (recaptures + 1) − 1) / reportable, of versions that report; at most 1",
            "What really came to the device, by capture and recapture: reports of the extension are one sighting, reactions the other; "
                + "recaptures were seen both ways (responded_reportable − confirmed_unreported). Chapman's estimate, with Sadinle's interval.",
            caveats: [
                "It rests on one thing: whether a report gets lost has nothing to do with whether anybody reacts. Where both depend on the "
                    + "same (a phone that is hardly ever online), it is too low.",
                "Not printed with fewer than 30 recaptures. With only a handful of lost reports its interval is a little too narrow.",
                "Read for windows of up to 7 days, and for longer ones with --estimate.",
            ], rise: .good),
        Metric(
            Rate.clickThrough.id, .rates, .share, formula: "clicked / confirmed",
            "Of the notifications that a device certainly had, those that somebody tapped.",
            caveats: [
                "Where few arrivals are reported, those who click are most of the confirmed and the rate is too high: reports mark it with ! "
                    + "and documents with a caveat. Compare click_per_accepted then."
            ],
            elsewhere: [
                .init("OneSignal", "Confirmed CTR (clicks / confirmed)"),
                .init("CleverTap", "CTR (clicks / impressions)"),
                .init("MoEngage", "CTR (clicks / impressions)"),
            ], rise: .good),
        Metric(
            Rate.clickPerAccepted.id, .rates, .share, formula: "clicked / accepted",
            "Of the notifications that the provider took over, those that somebody tapped.",
            elsewhere: [
                .init("OneSignal", "CTR (clicks / delivered)"),
                .init("Braze", "Direct open rate (direct opens / deliveries)"),
                .init("Countly", "Actioned % (actioned / sent)"),
                .init("CleverTap", "Click rate (clicks / sent)"),
            ], rise: .good),
        Metric(
            Rate.dismissal.id, .rates, .share, formula: "dismissed / confirmed",
            "Of the notifications that a device certainly had, those that were explicitly dismissed.",
            caveats: ["Only categories that ask for it report dismissals."]),
        Metric(
            "lift", .rates, .share,
            formula: "click_through of a variant / click_through of the control − 1",
            "How much more of a variant's confirmed notifications were tapped than of the control's, relative to the control. Beside it "
                + "stand the difference with Newcombe's interval and p of the two-proportion z-test, with Holm's correction when there are "
                + "more than two variants.",
            caveats: [
                "No winner is declared. Below 5 expected with or without a click in one of the two it says not enough data.",
                "People who get several notifications count several times; a test on people is stricter.",
            ]),
    ]

    static let reach: [Metric] = [
        Metric(
            "audience", .reach, .installations,
            formula: "installations with an active alerting token, permission not denied",
            "Whom a push could reach. A token that no app has registered stands for itself.",
            caveats: [
                "In reach the present one, whatever the window; landfall tokens waterfall tells those at the ends of its window."
            ],
            elsewhere: [
                .init("OneSignal", "Audience"), .init("Countly", "Push-enabled users"),
                .init("Tencent TPNS", "Planned (connected within 90 days)"),
            ]),
        Metric(
            "targeted", .reach, .installations,
            formula: "distinct installations with an attempted notification",
            "Who was sent something in the window.",
            caveats: [
                "Distinct over days is never the sum of days.",
                "Counted from the notifications, as reached and engaged are: a window of which some are no longer kept is refused.",
                "With a ≈ in front it is estimated from sketches, as reached and engaged are: standard error 0.8 %; --exact counts.",
            ],
            elsewhere: [.init("Braze", "Unique recipients")]),
        Metric(
            "reached", .reach, .installations,
            formula: "distinct installations with a confirmed notification",
            "Who certainly had something on the device."),
        Metric(
            "engaged", .reach, .installations, formula: "distinct installations with a click",
            "Who tapped something."),
        Metric(
            "reach", .reach, .share, formula: "reached / targeted",
            "Of those who were sent something, who had something.",
            caveats: [
                "Of estimated counts (≈) the interval is wider than Wilson's, by the standard errors of both estimates."
            ], rise: .good),
        Metric(
            "audience_reach", .reach, .share, formula: "reached installations of the audience / audience",
            "Of those who can be shown something now, who had something.",
            caveats: [
                "The audience is the present one. Installations that were reached and have left it since count in reached, and not here.",
                "Not available where reached is estimated from sketches (≈), which cannot tell who is still in the audience; --exact counts.",
            ], rise: .good),
    ]
}
