internal import DeliveryModel

extension TokenProfile {
    /// What would make it active again, as a sentence; nil when it is active.
    public var wayBack: String? {
        guard state != TokenState.active.rawValue else { return nil }
        let rule = cause.flatMap(TokenRule.init)
        let way =
            rule?.words(leadingTo: TokenState(rawValue: state)).wayBack ?? "the app registers it again"
        return "It becomes active again when \(way)."
    }

    /// Whether to send to it, and where else.
    public func advice(_ names: StoryNames) -> String {
        switch TokenState(rawValue: state) {
        case .active: return "Send to it."
        case .suspect: return "Do not trust it, do not delete it: the next answer or registration decides."
        case .stale: return "Leave it out of what you send: nobody seems to be there."
        case .retired, nil:
            guard let successorID else { return "Do not send to it." }
            return "Do not send to it: its installation went on to token \(names.token(successorID))."
        }
    }
}
