/// A sender's plan for one campaign: its form, and its mistakes. The recipients do not depend on it.
struct CampaignPlan {
    /// `nil` for transactional notifications.
    let key: String?
    let sends: Range<Int64>
    var variants: [String] = []
    var pushType = "alert"
    var priority: Int64 = 10
    var mutableContent = true
    /// The sender states neither push type, priority nor `mutable_content`, so their defaults apply.
    var reliesOnDefaults = false
    var usesVersionFourIDs = false
    var collapseID: String?
    /// The share of its alerts with content-available.
    var wakingShare = 0.0
    /// The category of its notifications.
    var category: String?
    /// Buttons of the category.
    var actions: [String] = []
    /// Those of them that the app handles without coming to the foreground.
    var backgroundActions: Set<String> = []
    /// The category has `customDismissAction`; without it, iOS reports no dismissal.
    var reportsDismissals = false
    var clickChance = 0.1
    /// The sender recalls notifications that have not reached their phone yet.
    var withdrawsStragglers = false
    /// The time in which the provider token had expired and was not renewed.
    var expiredCredentials: Range<Int64>?
    /// Texts in this language exceed 4,096 bytes.
    var oversizedLanguage: String?
    /// The share of requests with a collapse id of more than 64 bytes.
    var badCollapseShare = 0.0
    /// The share of requests signed with the other environment's key.
    var wrongKeyShare = 0.0

    /// The service that sends it.
    var sender: String { key == nil ? "checkout" : "marketing" }

    var isReportable: Bool { pushType == "alert" && mutableContent }

    func clickChance(variant: String?) -> Double {
        variant == "B" ? clickChance * 1.4 : clickChance
    }
}

/// The kinds of campaigns that a push team runs, one after the other.
enum CampaignKind: String, CaseIterable {
    case springSale = "spring-sale"
    case cartReminder = "cart-reminder"
    case flashNews = "flash-news"
    case inboxSync = "inbox-sync"
    case partnerOffers = "partner-offers"
    case weeklyDigest = "weekly-digest"

    /// - Parameters:
    ///   - round: the number of times this kind was sent before.
    ///   - sends: when its notifications are sent.
    func plan(round: Int, sends: Range<Int64>) -> CampaignPlan {
        var plan = CampaignPlan(key: round == 0 ? rawValue : "\(rawValue)-\(round + 1)", sends: sends)
        switch self {
        case .springSale:
            plan.variants = ["A", "B"]
            plan.clickChance = 0.09
        case .cartReminder:
            plan.category = "cart"
            plan.actions = ["checkout", "remind_later"]
            plan.backgroundActions = ["remind_later"]
            plan.reportsDismissals = true
            plan.expiredCredentials = Self.middle(of: sends)
        case .flashNews:
            plan.mutableContent = false
            plan.withdrawsStragglers = true
        case .inboxSync:
            plan.pushType = "background"
            plan.priority = 5
        case .partnerOffers:
            plan.usesVersionFourIDs = true
            plan.reliesOnDefaults = true
            plan.clickChance = 0.06
        case .weeklyDigest:
            plan.priority = 5
            plan.collapseID = "digest"
            plan.oversizedLanguage = "ja"
            plan.badCollapseShare = 0.01
        }
        return plan
    }

    /// A tenth of the sending time.
    private static func middle(of sends: Range<Int64>) -> Range<Int64> {
        let length = sends.upperBound - sends.lowerBound
        return (sends.lowerBound + length * 6 / 10)..<(sends.lowerBound + length * 7 / 10)
    }
}
