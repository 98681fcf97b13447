internal import DeliveryModel

extension TokenProfile {
    /// The condition under which it becomes active again, as a sentence; `nil` if it is active.
    public var wayBack: String? {
        guard state != TokenState.active.rawValue else { return nil }
        let rule = cause.flatMap(TokenRule.init)
        let way =
            rule?.words(leadingTo: TokenState(rawValue: state)).wayBack ?? "the app registers it again"
        return "It becomes active again if \(way)."
    }

    /// Whether to send to it, or to which token instead.
    public func advice(_ names: StoryNames) -> String {
        switch TokenState(rawValue: state) {
        case .active: return "Send to it."
        case .suspect: return "Neither trust nor delete it: the next response or registration decides."
        case .stale: return "Do not send to it: its device seems to be gone."
        case .retired, nil:
            guard let successorID else { return "Do not send to it." }
            return "Do not send to it: its installation now has token \(names.token(successorID))."
        }
    }
}
