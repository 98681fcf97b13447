internal import DeliveryModel

extension Metric {
    static let milestones: [Metric] = [
        Metric(
            Measure.attempted.rawValue, .milestones,
            formula: "notifications with a provider response on record",
            "The push was handed to a provider, and its response (or that there was none) was posted.",
            caveats: [
                "Pushes that a sender skips before sending (no token, capped, no permission) are unknown to "
                    + "Landfall.",
                "A notification counts in the period in which it was sent, however late its response was "
                    + "posted.",
            ],
            elsewhere: [
                .init("OneSignal", "Total attempted (success + failed + errored)"), .init("Braze", "Sends"),
                .init("Countly", "Sent"), .init("JPush", "Target (ever activated devices)"),
            ]),
        Metric(
            Measure.accepted.rawValue, .milestones, formula: "provider returned 2xx",
            "The provider accepted the push. Accepted does not mean delivered: the phone may be off, the app "
                + "deleted, or the notification replaced.",
            caveats: ["APNs keeps only the last notification per app for a phone that is offline."],
            elsewhere: [
                .init("OneSignal", "Delivered"), .init("Braze", "Deliveries"),
                .init("FCM", "Accepted (Data API)"),
                .init("Apple Push Console", "Received by APNs"), .init("JPush", "APNs accepted"),
                .init("Iterable", "Delivered (sent − bounced)"),
            ]),
        Metric(
            Measure.reportable.rawValue, .milestones,
            formula: "accepted by a push service, push type alert, mutable_content not false",
            "The app's notification service extension could run for it, so an arrival can be expected."),
        Metric(
            Measure.arrived.rawValue, .milestones, formula: "accepted, and the extension reported it",
            "The notification service extension ran on the phone and reported it.",
            caveats: [
                "A lower bound: the system may end an extension before it reports, and an extension runs "
                    + "only with mutable-content, an alert and permission.",
                "If the app version has no extension that reports, nothing ever arrives.",
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
            Measure.arrivedClicked.rawValue, .milestones, formula: "arrived ∧ clicked",
            "Clicks on notifications whose arrival was reported. Divided by arrived, they are a "
                + "click-through rate that versions without an extension do not distort."),
        Metric(
            Measure.confirmed.rawValue, .milestones,
            formula: "accepted ∧ (arrived ∨ presented ∨ clicked ∨ dismissed ∨ witnessed)",
            "The device certainly received it, whichever event shows that. Witnessed: an arrival whose evidence is not the extension's, "
                + "but that of the notification center, the app, or the provider.",
            caveats: [
                "Without an extension, only notifications with a reaction, or that the notification center "
                    + "still showed, are confirmed; rates over them are then high and say little."
            ],
            elsewhere: [.init("OneSignal", "Confirmed"), .init("CleverTap", "Impressions")]),
        Metric(
            Measure.confirmedSigned.rawValue, .milestones,
            formula: "confirmed, by an event with a valid receipt or from a server",
            "Confirmed by a poster that has certainly received the notification. The difference from "
                + "confirmed is what anyone with the public device key and the id could have posted.",
            caveats: ["0 unless the app observes or requires receipts: landfall app set receipts."]),
        Metric(
            Measure.presented.rawValue, .milestones,
            formula: "accepted, and received by the app in the foreground",
            "The app was open and received the notification itself.",
            elsewhere: [.init("FCM", "none: its impressions are Android's")]),
        Metric(
            Measure.clicked.rawValue, .milestones,
            formula: "accepted, and tapped (default or a custom action)",
            "The user reacted to the notification. A dismissal is not a click; several taps on the same "
                + "notification count once.",
            elsewhere: [
                .init("OneSignal", "Clicks"),
                .init("FCM", "Opened (background only)"),
                .init("JPush", "Click"), .init("Countly", "Actioned"),
                .init("Apple Push Console", "not counted"),
            ]),
        Metric(
            "opened", .milestones, formula: "clicked, except custom actions with app_state background",
            "The tap or the action brought the app to the foreground, or launched it.",
            caveats: [
                "A tap on the notification itself always opens the app. Actions that do not state app_state count as opened.",
                "With landfall clicks --by action, category or app_state, as long as the notifications are kept.",
            ],
            elsewhere: [.init("Braze", "Direct opens"), .init("Customer.io", "Opened")]),
        Metric(
            "background", .milestones, formula: "clicked − opened",
            "The app handled an action in the background: the user did not see the app."),
        Metric(
            "with_text", .milestones, formula: "clicked, with has_text",
            "The action asked for a text, and the user typed one. The text itself is never posted."),
        Metric(
            Measure.dismissed.rawValue, .milestones, formula: "accepted, and explicitly dismissed",
            "Swiped away, if the notification's category has customDismissAction.",
            caveats: ["Apps without such categories report none."],
            elsewhere: [.init("Tencent TPNS", "Cleared")]),
    ]
}
