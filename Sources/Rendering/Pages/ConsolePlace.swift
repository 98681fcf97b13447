/// A page of an app in the navigation.
package enum ConsolePlace: String, CaseIterable, Sendable {
    case today = ""
    case doctor
    case campaigns
    case funnel
    case reach
    case clicks
    case loss
    case rejections
    case latency
    case `extension`
    case permissions
    case tokens = "tokens/status"
    case waterfall = "tokens"
    case sweep
    case breakers
    case quarantine
    case explain
    case live
    case annotations
    case shares

    package var title: String {
        switch self {
        case .today: "Today"
        case .doctor: "Doctor"
        case .campaigns: "Campaigns"
        case .funnel: "Funnel"
        case .reach: "Reach"
        case .clicks: "Clicks"
        case .loss: "Loss"
        case .rejections: "Rejections"
        case .latency: "Latency"
        case .extension: "Extension"
        case .permissions: "Permissions"
        case .tokens: "Tokens"
        case .waterfall: "Audience"
        case .sweep: "Sweep"
        case .breakers: "Breakers"
        case .quarantine: "Quarantine"
        case .explain: "Explain"
        case .live: "Live"
        case .annotations: "Annotations"
        case .shares: "Shared reports"
        }
    }

    /// The places that people look for together.
    package static let groups: [(title: String, places: [ConsolePlace])] = [
        ("Overview", [.today, .doctor, .campaigns]),
        ("Reports", [.funnel, .reach, .clicks, .loss, .rejections, .latency, .extension, .permissions]),
        ("Tokens", [.tokens, .waterfall, .sweep, .breakers]),
        ("Find", [.explain, .live, .quarantine]),
        ("Team", [.annotations, .shares]),
    ]

    package func path(of app: String) -> String {
        "/apps/\(app)\(rawValue.isEmpty ? "" : "/" + rawValue)"
    }
}
