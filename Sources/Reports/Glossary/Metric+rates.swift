extension Metric {
    /// More dismissals are neither good nor bad: some categories may just have begun to report them.
    static let rates: [Metric] = [
        Metric(
            Rate.acceptance.id, .rates, .share, formula: "accepted / attempted",
            "The share of the attempted notifications that the provider accepted.",
            caveats: [
                "Dead tokens that are no longer sent to do not lower it. It says nothing about devices."
            ],
            elsewhere: [
                .init("OneSignal", "Delivered, of the total attempted"),
                .init("Braze", "Deliveries, of the sends"),
            ], rise: .good),
        Metric(
            Rate.arrival.id, .rates, .share, formula: "arrived_reportable / reportable",
            "The share that certainly reached the device, of those that could be expected to report it.",
            caveats: ["A lower bound: the extension can be ended early, muted or absent."],
            elsewhere: [
                .init("OneSignal", "Confirmed delivery rate (confirmed / delivered)"),
                .init("CleverTap", "Impression rate (impressions / sent)"),
                .init("MoEngage", "Delivery rate (impressions / sent)"),
            ], rise: .good),
        Metric(
            "arrival_capable", .rates, .share,
            formula: "arrived_reportable / reportable, of versions of the app that report",
            "Arrival for versions that can report at all: pushes to old versions without an extension are "
                + "excluded.",
            caveats: [
                "Still a lower bound. State coverage with it: if it covers few notifications, it may not "
                    + "hold for the others.",
                "Only known versions count: pushes to devices that do not report their app_version are "
                    + "excluded, whether they arrived or not.",
            ], rise: .good),
        Metric(
            "coverage", .rates, .share,
            formula: "accepted, to versions of the app that report / accepted",
            "The share of accepted pushes that arrival_capable and arrival_estimated cover. A version "
                + "reports if it has surely (by the lower end of the 95 % interval) reported more than 2 % "
                + "of all reportable pushes ever sent to it, in arrivals that name it in app_version.",
            caveats: [
                "An arrival counts for the version that it names: if a phone was updated after the push, its "
                    + "arrival does not make the old version count as reporting, and neither do a few stray "
                    + "arrivals.",
                "An arrival that names no version counts for the version that the installation had "
                    + "registered; then more than 10 % is required, because such arrivals may come from "
                    + "updated phones. Let the extension send app_version, written as it is registered.",
                "Pushes to installations with permission denied or not_determined are excluded from the 2 % "
                    + "and the 10 %.",
            ]),
        Metric(
            "receipt_loss", .rates, .share, formula: "confirmed_unreported / responded_reportable",
            "The share of the notifications with another sighting (a reaction, or a witness) whose arrival "
                + "was not reported, that is, the share of arrivals that get lost.",
            rise: .bad),
        Metric(
            "arrival_estimated", .rates, .share,
            formula:
                "((arrived_reportable + 1)(responded_reportable + 1) / (recaptures + 1) − 1) / reportable, of versions that report; at most 1",
            "The share that really reached the device, estimated by capture and recapture: arrivals are one "
                + "observation, all other sightings the other, and recaptures have both (responded_reportable − "
                + "confirmed_unreported). Chapman's estimate, with Sadinle's interval.",
            caveats: [
                "It assumes that whether an arrival gets lost is independent of whether there is another "
                    + "sighting. If both depend on the same thing (such as a phone that is rarely online), "
                    + "the estimate is too low.",
                "Not printed with fewer than 30 recaptures. With only a handful of lost arrivals, its "
                    + "interval is a little too narrow.",
                "Computed for windows of up to 7 days, and for longer ones with --estimate.",
            ], rise: .good),
        Metric(
            Rate.clickThrough.id, .rates, .share, formula: "clicked / confirmed",
            "The share of the notifications certainly received by a device that were tapped.",
            caveats: [
                "If few arrivals are reported, most confirmed notifications are those that were clicked, and "
                    + "the rate is too high: reports mark it with !, and documents with a caveat. Compare "
                    + "click_per_accepted in that case."
            ],
            elsewhere: [
                .init("OneSignal", "Confirmed CTR (clicks / confirmed)"),
                .init("CleverTap", "CTR (clicks / impressions)"),
                .init("MoEngage", "CTR (clicks / impressions)"),
            ], rise: .good),
        Metric(
            "click_share", .rates, .share, formula: "clicked / all clicked of the report",
            "The part of all clicks with this action, category or state of the app."),
        Metric(
            Rate.clickPerAccepted.id, .rates, .share, formula: "clicked / accepted",
            "The share of the notifications accepted by the provider that were tapped.",
            elsewhere: [
                .init("OneSignal", "CTR (clicks / delivered)"),
                .init("Braze", "Direct open rate (direct opens / deliveries)"),
                .init("Countly", "Actioned % (actioned / sent)"),
                .init("CleverTap", "Click rate (clicks / sent)"),
            ], rise: .good),
        Metric(
            Rate.dismissal.id, .rates, .share, formula: "dismissed / confirmed",
            "The share of the notifications certainly received by a device that were explicitly dismissed.",
            caveats: ["Only categories with customDismissAction report dismissals."]),
        Metric(
            "lift", .rates, .share,
            formula: "click_through of a variant / click_through of the control − 1",
            "How much higher the click-through of a variant is than that of the control, relative to the "
                + "control. It is printed with the difference, its Newcombe interval, and p of the "
                + "two-proportion z-test, with Holm's correction if there are more than two variants.",
            caveats: [
                "No winner is declared. If fewer than 5 notifications with or without a click are expected "
                    + "in one of the two, the report says \"not enough data\".",
                "People who receive several notifications count several times; a test per person would be "
                    + "stricter.",
            ]),
    ]

    static let reach: [Metric] = [
        Metric(
            "audience", .reach, .installations,
            formula: "installations with an active alerting token, permission not denied",
            "The installations that a push could reach. A token that no app has registered counts by itself.",
            caveats: [
                "landfall reach uses the present audience, whatever the window; landfall tokens waterfall "
                    + "shows the audience at both ends of its window."
            ],
            elsewhere: [
                .init("OneSignal", "Audience"), .init("Countly", "Push-enabled users"),
                .init("Tencent TPNS", "Planned (connected within 90 days)"),
            ]),
        Metric(
            "targeted", .reach, .installations,
            formula: "distinct installations with an attempted notification",
            "The installations that were sent a notification in the window.",
            caveats: [
                "The distinct count over several days is not the sum of the days.",
                "Counted from the notifications, as are reached and engaged: if some notifications of the "
                    + "window are no longer kept, the report returns an error.",
                "With a leading ≈, it is estimated from sketches, as are reached and engaged: standard error "
                    + "0.8 %; --exact counts.",
            ],
            elsewhere: [.init("Braze", "Unique recipients")]),
        Metric(
            "reached", .reach, .installations,
            formula: "distinct installations with a confirmed notification",
            "The installations that certainly received a notification."),
        Metric(
            "engaged", .reach, .installations, formula: "distinct installations with a click",
            "The installations on which a notification was tapped."),
        Metric(
            "reach", .reach, .share, formula: "reached / targeted",
            "The share of the targeted installations that were reached.",
            caveats: [
                "For estimated counts (≈), the interval is wider than Wilson's, by the standard errors of "
                    + "both estimates."
            ], rise: .good),
        Metric(
            "audience_reach", .reach, .share, formula: "reached installations of the audience / audience",
            "The share of the present audience that was reached.",
            caveats: [
                "The audience is the present one. Installations that were reached and have left it since "
                    + "count in reached, but not here.",
                "Not available if reached is estimated from sketches (≈), which cannot tell who is still in "
                    + "the audience; --exact counts.",
            ], rise: .good),
    ]

    /// In docs/metrics.md and on the report's page. The words of the states are those of registrations.
    static let permissions: [Metric] = [
        Metric(
            "asked", .permissions, .installations,
            formula: "installations whose first permission other than not_determined is in the window",
            "The user was asked, or the system decided, and the app registered the answer for the first time.",
            caveats: [
                "Systems grant provisional and ephemeral permissions, and Android before 13 all of them, without "
                    + "asking the user.",
                "An answer counts when it was registered: if an app begins to register installations that "
                    + "answered long ago, they count then.",
            ]),
        Metric(
            "turned_off", .permissions, .installations,
            formula: "changes from granted, provisional or ephemeral to denied",
            "The user allowed notifications and now denies them. An installation that does so twice counts twice.",
            caveats: [
                "The change counts when the app registers it, at its next launch: users who turn notifications "
                    + "off and never open the app again stay in granted."
            ], rise: .bad),
        Metric(
            "turned_on", .permissions, .installations,
            formula: "changes from denied to granted, provisional or ephemeral",
            "The user denied notifications and now allows them.", rise: .good),
        Metric(
            "installations", .permissions, .installations,
            formula: "granted + provisional + ephemeral + denied + not_determined + permission_unknown",
            "The installations that had registered by the end of the period.",
            caveats: [
                "It is not the audience: an installation counts even if it has no token that is in use.",
                "Erased installations count nowhere, not even in past periods.",
                "By platform, app version, OS version or language, an installation counts where its latest "
                    + "registration puts it, in past periods too.",
            ]),
        Metric(
            "granted", .permissions, .installations,
            formula: "permission authorized, at the end of the period",
            "The user allows notifications."),
        Metric(
            "provisional", .permissions, .installations,
            formula: "permission provisional, at the end of the period",
            "The system shows notifications quietly, until the user decides."),
        Metric(
            "ephemeral", .permissions, .installations,
            formula: "permission ephemeral, at the end of the period",
            "An App Clip, which may show notifications for some hours."),
        Metric(
            "denied", .permissions, .installations, formula: "permission denied, at the end of the period",
            "The user does not allow notifications."),
        Metric(
            "not_determined", .permissions, .installations,
            formula: "permission not_determined, at the end of the period",
            "The user has not been asked yet."),
        Metric(
            "permission_unknown", .permissions, .installations,
            formula: "no permission registered by the end of the period",
            "The app has not registered a permission.",
            caveats: [
                "An imported permission counts until the app registers one itself. From then on, the "
                    + "permission before that is unknown."
            ]),
        Metric(
            "alerts_off", .permissions, .installations,
            formula: "of granted, provisional and ephemeral, at present: alert is turned off",
            "The app may send notifications, but the user turned alerts off in the settings: they show no banner.",
            caveats: [
                "Only the latest settings are kept: null for periods that ended in the past.",
                "Known only of apps that register settings.",
            ], rise: .bad),
        Metric(
            "opt_in", .permissions, .share,
            formula: "(granted + provisional + ephemeral) / (granted + provisional + ephemeral + denied)",
            "The share that allows notifications of all installations that answered.", rise: .good),
    ]

    static let optOuts: [Metric] = [
        Metric(
            "pushed", .permissions, .installations,
            formula:
                "installations with an attempted push, permission granted, provisional or ephemeral at that time",
            "The installations that could turn notifications off after a campaign's push. An installation counts "
                + "once per row, from the first push of the window on, and at most once in the total."),
        Metric(
            "opt_outs", .permissions, .installations,
            formula: "of pushed, the next permission is denied, registered within 24 h of the push",
            "The installations that turned notifications off within a day. One that is in several rows counts "
                + "once in the total.",
            caveats: [
                "It is not known why: after several pushes of a day, each campaign has the same opt-out.",
                "The app registers the change at its next launch. Users who turn notifications off and do not "
                    + "open the app within a day are missing here, and on usual days count when they do.",
            ], rise: .bad),
        Metric(
            "opt_out", .permissions, .share, formula: "opt_outs / pushed",
            "The share that turned notifications off within a day after the push.", rise: .bad),
        Metric(
            "usual_opt_out", .permissions, .share,
            formula:
                "turned_off / days of installations that allowed notifications, in the 7 days before the window",
            "The share of the installations that allow notifications, of the whole app, that turns them off on a "
                + "usual day. An installation counts once for each day at whose start it allows them.",
            caveats: [
                "Not only the installations that were pushed: those still allowed notifications at the push, so "
                    + "hardly any of them can have turned them off in the days before."
            ]),
        Metric(
            "opt_out_difference", .permissions, .share, formula: "opt_out − usual_opt_out",
            "How many more turn notifications off than on a usual day, with Newcombe's interval. If it contains "
                + "0, the difference may be chance. The total of several campaigns is higher, because an "
                + "installation then has several days to do so: compare rows.",
            rise: .bad),
    ]
}

extension Metric {
    static let latency: [Metric] = LatencyQuantile.allCases.map { quantile in
        let (share, words) = words(for: quantile)
        return Metric(
            quantile.rawValue, .latency, .milliseconds,
            formula: "the time that \(share) of the notifications took at most",
            "\(words) Given for two stages: arrival, from sending (sent_at) to the event of the extension, "
                + "and click, from that event to the tap.",
            caveats: [
                "Accurate to 4.9 %: times are counted in buckets, and a bucket is represented by the "
                    + "geometric mean of its ends.",
                "Only notifications that arrived at a known time count; those that never arrived are in no "
                    + "quantile.",
                "By the device's clock, corrected if the event has the time of its upload (reported_at). "
                    + "Negative times count as 0.",
                "Quantiles do not add up: the quantile of a week is not the mean of those of its days.",
            ])
    }

    private static func words(for quantile: LatencyQuantile) -> (share: String, meaning: String) {
        switch quantile {
        case .p50: ("half", "The median.")
        case .p90: ("90 %", "One in ten took longer.")
        case .p99: ("99 %", "One in a hundred took longer.")
        }
    }
}
