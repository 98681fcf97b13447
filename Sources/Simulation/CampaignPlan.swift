/// How one sender sends: to whom it never changes, in what form, and with which mistakes.
struct CampaignPlan {
    /// Nil for transactional notifications.
    let key: String?
    /// When the notifications of the campaign are sent.
    let sends: Range<Int64>
    var variants: [String] = []
    var pushType = "alert"
    var priority: Int64 = 10
    var mutableContent = true
    /// The sender states neither push type, priority nor `mutable_content`, and relies on their defaults.
    var reliesOnDefaults = false
    var usesVersionFourIDs = false
    var collapseID: String?
    /// Buttons of the notification's category.
    var actions: [String] = []
    /// The category has `customDismissAction`: without it iOS reports no dismissal.
    var reportsDismissals = false
    var clickChance = 0.1
    /// The sender takes back what has not reached its phone yet.
    var withdrawsStragglers = false
    /// The provider token had expired and nobody renewed it.
    var expiredCredentials: Range<Int64>?
    /// Texts in this language exceed 4,096 bytes.
    var oversizedLanguage: String?
    /// Share of requests with a collapse id beyond 64 bytes.
    var badCollapseShare = 0.0
    /// Share of requests signed with the other environment's key.
    var wrongKeyShare = 0.0

    init(key: String?, sends: Range<Int64>) {
        self.key = key
        self.sends = sends
    }

    var isReportable: Bool { pushType == "alert" && mutableContent }

    func clickChance(variant: String?) -> Double {
        variant == "B" ? clickChance * 1.4 : clickChance
    }
}

/// The kinds of campaign a push team runs, one after the other.
enum CampaignKind: Int, CaseIterable {
    case springSale
    case cartReminder
    case flashNews
    case inboxSync
    case partnerOffers
    case weeklyDigest

    private var key: String {
        switch self {
        case .springSale: "spring-sale"
        case .cartReminder: "cart-reminder"
        case .flashNews: "flash-news"
        case .inboxSync: "inbox-sync"
        case .partnerOffers: "partner-offers"
        case .weeklyDigest: "weekly-digest"
        }
    }

    /// - Parameters:
    ///   - round: How often this kind has been sent before.
    ///   - sends: When its notifications are sent.
    func plan(round: Int, sends: Range<Int64>) -> CampaignPlan {
        var plan = CampaignPlan(key: round == 0 ? key : "\(key)-\(round + 1)", sends: sends)
        switch self {
        case .springSale:
            plan.variants = ["A", "B"]
            plan.clickChance = 0.09
        case .cartReminder:
            plan.actions = ["checkout", "remind_later"]
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
