internal import DeliveryModel

extension Metric {
    static let milestones: [Metric] = [
        Metric(
            Measure.attempted.rawValue, .milestones,
            formula: "notifications with a provider answer on record",
            "The push was handed to a provider, and what the provider answered (or that it did not answer) was posted.",
            caveats: [
                "What a sender leaves out before it sends (no token, capped, no permission) is not known here.",
                "A notification counts in the period in which it was sent, however late its answer was posted.",
            ],
            elsewhere: [
                .init("OneSignal", "Total attempted (success + failed + errored)"), .init("Braze", "Sends"),
                .init("Countly", "Sent"), .init("JPush", "Target (ever activated devices)"),
            ]),
        Metric(
            Measure.accepted.rawValue, .milestones, formula: "provider answered 2xx",
            "The provider took the push over. Accepted is not delivered: the phone may be off, the app gone, the notification replaced.",
            caveats: ["APNs keeps only the last notification per app for a phone that is offline."],
            elsewhere: [
                .init("OneSignal", "Delivered"), .init("Braze", "Deliveries"),
                .init("FCM", "Accepted (Data API)"),
                .init("Apple Push Console", "Received by APNs"), .init("JPush", "APNs accepted"),
                .init("Iterable", "Delivered (sent − bounced)"),
            ]),
        Metric(
            Measure.reportable.rawValue, .milestones,
            formula: "accepted, push type alert, mutable_content not false",
            "The app's notification service extension could run for it, so an arrival can be expected."),
        Metric(
            Measure.arrived.rawValue, .milestones, formula: "accepted, and the extension reported it",
            "The notification service extension ran on the phone and said so.",
            caveats: [
                "A lower bound: the system may end an extension before it reports, and an extension needs mutable-content, an alert and "
                    + "permission to run at all.",
                "Where the app version has no reporting extension, nothing ever arrives.",
            ],
            elsewhere: [
                .init("OneSignal", "Confirmed (paid plans)"),
                .init("JPush", "Arrived (since its extension of 2017)"),
                .init("FCM", "Received (Android; on iOS by BigQuery export)"),
                .init("Apple Push Console", "Delivered (counted by APNs, rounded)"),
                .init("MoEngage", "Impressions (equal to sent where the toggle is off)"),
                .init("CleverTap", "Impressions"),
            ]),
        Metric(
            Measure.arrivedReportable.rawValue, .milestones, formula: "arrived ∧ reportable",
            "The numerator of arrival: arrivals of pushes that could be expected to report one."),
        Metric(
            Measure.confirmed.rawValue, .milestones,
            formula: "accepted ∧ (arrived ∨ presented ∨ clicked ∨ dismissed)",
            "The device certainly had it, whichever way it said so.",
            caveats: [
                "Without an extension only those who reacted are confirmed; rates over it are high then and say little."
            ],
            elsewhere: [.init("OneSignal", "Confirmed"), .init("CleverTap", "Impressions")]),
        Metric(
            Measure.presented.rawValue, .milestones, formula: "accepted, and the app in front was handed it",
            "The app was open and got the notification itself.",
            elsewhere: [.init("FCM", "none: its impressions are Android's")]),
        Metric(
            Measure.clicked.rawValue, .milestones,
            formula: "accepted, and tapped (default or a custom action)",
            "Somebody reacted to the notification. Dismissing is no click; a second tap on the same one counts once.",
            elsewhere: [
                .init("OneSignal", "Clicks"), .init("Braze", "Direct opens"),
                .init("FCM", "Opened (background only)"),
                .init("JPush", "Click"), .init("Countly", "Actioned"), .init("Customer.io", "Opened"),
                .init("Apple Push Console", "not counted"),
            ]),
        Metric(
            Measure.dismissed.rawValue, .milestones, formula: "accepted, and explicitly dismissed",
            "Swiped away, where the notification's category asks to be told.",
            caveats: ["Apps whose categories do not ask report none."],
            elsewhere: [.init("Tencent TPNS", "Cleared")]),
    ]
}
