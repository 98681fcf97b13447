public import DeliveryModel

/// A rule in plain words.
public struct RuleWords: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The observation of the rule and the resulting action.
    public let sentence: String
    /// How a token that this rule took out of use becomes active, following "It becomes active again if".
    public let wayBack: String

    init(_ sentence: String, wayBack: String = "the app registers it again") {
        self.sentence = sentence
        self.wayBack = wayBack
    }

    public init(stringLiteral sentence: String) { self.init(sentence) }
}

extension TokenRule {
    /// The only place where rules are put into words: a new rule needs one line here.
    ///
    /// - Parameter state: the state that the rule led to, because some rules lead to more than one.
    public func words(leadingTo state: TokenState?) -> RuleWords {
        switch self {
        case .registered:
            "The app registered a value that it had not registered before: it is active."
        case .discovered:
            "A response named a token that no app had registered. It counts as active until a response says otherwise."
        case .rotated:
            RuleWords(
                "The app registered another value for the same slot, so this one was replaced: it retires.",
                wayBack: "the app registers this value again, as after a restore from a backup")
        case .providerMigration where state == .retired:
            RuleWords(
                "The app has moved from FCM's registration tokens to installation ids, or back: the other value took its place, and this one retires.",
                wayBack: "the app registers this value again, as an earlier version of it does")
        case .providerMigration:
            "The app has moved from FCM's registration tokens to installation ids, or back: this value took the place of the other and is active."
        case .revived:
            "The app registered it again: it is active."
        case .transferred:
            "Another installation registered the value: it belongs to that one from now on, and is active."
        case .merged:
            RuleWords(
                "An app registered the value under another address: the registered token replaces this one, which retires.",
                wayBack: "the app registers it under this address")
        case .late410Repeated:
            RuleWords(
                "For a week, the provider has rejected every push, at least five, as dead since before the registration: the token is suspect, although the app registers it.",
                wayBack: "a push to it is accepted, or the app registers it again")
        case .unlisted:
            RuleWords(
                "Its installation registered on at least five days of a week or more and said each time that it has no token: it is stale.",
                wayBack: "the app registers it again, or a device event arrives from its installation")
        case .unregistered:
            RuleWords(
                "The provider says that the token is dead, and the app has not registered it since: it retires.",
                wayBack:
                    "the app registers it again; the system may hand out the same value even after a 410")
        case .late410Ignored:
            "The app registered the token again after the provider had found it dead: it is kept as it was."
        case .badToken where state == .retired:
            RuleWords(
                "No push was ever accepted for it, it was rejected at least twice, an hour or more apart, and the other environment does not know it: it retires.",
                wayBack: "a push to it is accepted after all, or the app registers it again")
        case .badToken:
            RuleWords(
                "The provider called the token bad. A single configuration mistake does that to every token, so it is suspect, not dead.",
                wayBack: "a push sent after the last rejected one is accepted, or the app registers it again")
        case .accepted where state == .suspect:
            RuleWords(
                "Responses had retired it, but a push to it was accepted: it is suspect until the next response decides.",
                wayBack: "a push sent after the last rejected one is accepted, or the app registers it again")
        case .accepted:
            "A push that was sent to it after the rejected ones was accepted: it is active."
        case .loggedOut:
            RuleWords(
                "The app logged out: all tokens of the installation retire.",
                wayBack: "the app registers it again, as it does at the next login")
        case .stale:
            RuleWords(
                "Nothing was heard from it or its installation for longer than the app allows: it is stale.",
                wayBack: "the device is heard from again: a registration, a check-in, or any device event")
        case .signOfLife:
            "Its device was heard from again: it is active."
        case .swept:
            RuleWords(
                "It stayed stale for longer than the app allows: it retires, and its value is erased.",
                wayBack:
                    "the app registers it again; until then no one can send to it, because its value is erased"
            )
        case .breaker:
            RuleWords(
                "A response would have retired it, together with too many others at once: it is suspect until an operator decides.",
                wayBack:
                    "`landfall tokens release`, a push that is accepted, or the app registering it again")
        case .released:
            "An operator decided that the responses that opened the breaker were wrong: it is active."
        case .confirmed:
            "An operator decided that the responses that opened the breaker were right: it retires."
        case .restored:
            "An operator undid what a rule had done to it: it is as it was before."
        case .expired:
            RuleWords(
                "The expiry that the app gave has passed: it retires.",
                wayBack: "the app registers it again with a later expiry")
        case .erased:
            RuleWords(
                "Personal data was erased on request: it retires, and its value is erased.",
                wayBack: "another installation registers the value")
        }
    }
}
