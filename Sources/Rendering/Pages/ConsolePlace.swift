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
    case connect
    case annotations
    case shares

    package var title: String {
        switch self {
        case .today: "Today"
        case .tokens: "Tokens"
        case .waterfall: "Audience"
        case .shares: "Shared reports"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    /// The places that people look for together.
    package static let groups: [(title: String, places: [ConsolePlace])] = [
        ("Overview", [.today, .doctor, .campaigns]),
        ("Reports", [.funnel, .reach, .clicks, .loss, .rejections, .latency, .extension, .permissions]),
        ("Tokens", [.tokens, .waterfall, .sweep, .breakers]),
        ("Find", [.explain, .live, .quarantine]),
        ("Team", [.connect, .annotations, .shares]),
    ]

    package func path(of app: String) -> String {
        "/apps/\(app)\(rawValue.isEmpty ? "" : "/" + rawValue)"
    }
}
