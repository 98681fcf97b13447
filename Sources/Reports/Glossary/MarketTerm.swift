public import Basics

/// A word that other systems use, and the numbers of Landfall that it may mean: mostly more than one.
public struct MarketTerm: Hashable, Sendable {
    /// The usual spelling first, then others.
    public let names: [String]
    /// Ids of ``Metric``s, the most likely first; none if Landfall cannot know the number.
    public let ids: [String]
    /// A remark about what the word hides.
    public let remark: String

    public var metrics: [Metric] { ids.compactMap { id in Metric.all.first { $0.id == id } } }

    public static let all: [MarketTerm] = [
        MarketTerm(
            "sent", "sends", "total attempted", "messages sent", "requests",
            means: ["attempted", "accepted"],
            "Some systems use \"sent\" for what they handed over, others for what the provider accepted."),
        MarketTerm(
            "delivered", "delivery", "deliveries", "delivered count",
            means: ["accepted", "arrived", "confirmed"],
            "Most systems use \"delivered\" for what the provider accepted, a few for what a device reported."
        ),
        MarketTerm(
            "delivery rate", "delivered rate", "deliverability", "success rate",
            means: ["acceptance", "arrival", "arrival_estimated"],
            "The denominator is what was sent; the numerator is usually what the provider accepted, "
                + "sometimes what a device reported."
        ),
        MarketTerm(
            "confirmed delivery", "confirmed deliveries", "confirmed receipt", "delivery receipt", "receipts",
            means: ["arrived", "confirmed"]),
        MarketTerm(
            "confirmed delivery rate", "receipt rate", "impression rate", "display rate", "view rate",
            means: ["arrival", "arrival_capable", "arrival_estimated"]),
        MarketTerm(
            "impression", "impressions", "views", "viewed", "displayed", "shown", "received", "seen",
            means: ["arrived", "confirmed", "presented"],
            "Whether anyone looked at a notification is not known on any platform."),
        MarketTerm(
            "ctr", "click rate", "click-through rate", "tap rate", "engagement rate",
            means: ["click_through", "click_per_accepted"],
            "Divided by impressions, it is click_through (CleverTap, MoEngage); divided by deliveries, it is "
                + "click_per_accepted (OneSignal, Braze)."
        ),
        MarketTerm("confirmed ctr", means: ["click_through"]),
        MarketTerm(
            "open rate", "direct open rate", "actioned rate", "opened rate",
            means: ["click_per_accepted", "click_through"],
            "A push is tapped, not opened; divided by deliveries, it is click_per_accepted."),
        MarketTerm(
            "opens", "open", "clicks", "click", "taps", "tapped", "actioned", "interactions",
            means: ["clicked"]),
        MarketTerm(
            "direct opens", means: ["opened", "clicked"],
            "clicked includes actions that the app handled in the background."),
        MarketTerm(
            "influenced opens", "indirect opens", "influenced open rate", "conversions", "conversion rate",
            means: [],
            "Not counted: this would require what people do in the app, and a baseline of what they do "
                + "without a push."),
        MarketTerm(
            "unique opens", "unique clicks", "unique clickers", "active recipients", means: ["engaged"]),
        MarketTerm("recipients", "unique recipients", "target users", "targets", means: ["targeted"]),
        MarketTerm("unique impressions", "reached users", "unique deliveries", means: ["reached"]),
        MarketTerm(
            "bounces", "bounced", "failed", "failures", "errors", "errored", "undelivered",
            means: ["rejected"],
            "A push that the provider accepted and no device confirmed is not a failure: see landfall loss."),
        MarketTerm(
            "bounce rate", "failure rate", "error rate", "rejection rate", means: ["share", "rejected"],
            "Together, they are 1 − acceptance."),
        MarketTerm(
            "invalid tokens", "unregistered", "expired tokens", "dead tokens",
            means: ["rejected_token_dead", "rejected_token_suspect"]),
        MarketTerm(
            "uninstalls", "uninstall", "uninstall rate", "churn", means: ["rejected_token_dead"],
            "Not counted: a 410 is a token signal, which Apple delays and randomizes. landfall tokens "
                + "waterfall shows why tokens left the audience."),
        MarketTerm(
            "subscribers", "subscribed users", "audience size", "reachable users", "reachable devices",
            "addressable users", "opted in", "push-enabled users", "active devices", means: ["audience"]),
        MarketTerm("opt-in rate", "push opt-in", "enabled rate", means: ["opt_in"]),
        MarketTerm(
            "unsubscribe rate", "unsubscribed", "opt-outs", means: ["turned_off", "opt_outs", "opt_out"],
            "landfall funnel --by permission shows what was sent under each permission."),
        MarketTerm("reach rate", "penetration", "coverage rate", means: ["reach", "audience_reach"]),
        MarketTerm("dismissals", "dismiss", "dismiss rate", "cleared", means: ["dismissed", "dismissal"]),
        MarketTerm("collapsed", "replaced", "superseded notifications", means: ["superseded"]),
        MarketTerm(
            "dropped", "lost", "missing", "discarded", means: ["unexplained", "superseded", "permission_off"]),
        MarketTerm("in flight", "stored", "waiting", means: ["pending"]),
        MarketTerm(
            "time to deliver", "delivery time", "time to open", "time to click", "latency",
            means: ["p50_ms", "p90_ms", "p99_ms"]),
        MarketTerm("uplift", means: ["lift"]),
        MarketTerm("withdrawn", "cancelled", "canceled", means: ["recalled"]),
    ]

    /// The term, or the number that a system calls by this name; `nil` if the word is in neither list.
    static func named(_ name: String) -> MarketTerm? {
        let key = key(name)
        if let term = all.first(where: { $0.names.contains { Self.key($0) == key } }) { return term }
        let ids = Metric.all.filter { $0.elsewhere.contains { Self.key($0.name) == key } }.map(\.id)
        return ids.isEmpty ? nil : MarketTerm(name, means: ids)
    }

    /// Keeps letters, digits and `%` before any parenthesis: `CTR (clicks / impressions)` is `ctr`.
    private static func key(_ name: String) -> String {
        String(name.lowercased().prefix { $0 != "(" }.filter { $0.isLetter || $0.isNumber || $0 == "%" })
    }
}

extension MarketTerm {
    init(_ names: String..., means ids: [String], _ remark: String = "") {
        self.init(names: names, ids: ids, remark: remark)
    }

    public var document: JSONValue {
        [
            "term": .string(names.first ?? ""), "remark": .string(remark),
            "metrics": .array(metrics.map(\.document)),
        ]
    }
}
