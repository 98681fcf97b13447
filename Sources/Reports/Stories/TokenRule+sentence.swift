public import DeliveryModel

/// A rule in plain words.
public struct RuleWords: Hashable, Sendable {
    /// What the rule saw and what it therefore did.
    public let sentence: String
    /// What makes a token active again that this rule took out of use, behind "It becomes active again when".
    public let wayBack: String

    init(_ sentence: String, wayBack: String = "the app registers it again") {
        self.sentence = sentence
        self.wayBack = wayBack
    }
}

extension TokenRule {
    /// The one place where rules are put into words: a new rule needs one line here.
    ///
    /// - Parameter state: the state that the rule led to, because some rules lead to more than one.
    public func words(leadingTo state: TokenState?) -> RuleWords {
        switch self {
        case .registered:
            RuleWords("The app registered a value that it had not registered before: it is active.")
        case .discovered:
            RuleWords(
                "A provider's answer named a token that no app had registered. It counts as active until an answer says otherwise."
            )
        case .rotated:
            RuleWords(
                "The app registered another value for the same slot, so this one was replaced: it retires.",
                wayBack: "the app registers this very value again, as after a restore from a backup")
        case .revived:
            RuleWords("The app registered it again: it is active.")
        case .transferred:
            RuleWords(
                "Another installation registered the value: it belongs there from now on, and is active.")
        case .unregistered:
            RuleWords(
                "The provider says that the token is dead, and the app has not registered it since: it retires.",
                wayBack: "the app registers it again; the system may well hand out the same value after a 410"
            )
        case .late410Ignored:
            RuleWords(
                "The app registered the token again after the provider had found it dead: it is kept as it was."
            )
        case .badToken where state == .retired:
            RuleWords(
                "No push was ever accepted for it, it was refused at least twice an hour apart, and the other environment does not know it: it retires.",
                wayBack: "a push to it is accepted after all, or the app registers it again")
        case .badToken:
            RuleWords(
                "The provider called the token bad. One slip in a configuration does that to every token, so it is suspect, not dead.",
                wayBack: "a push sent after the last refused one is accepted, or the app registers it again")
        case .accepted where state == .suspect:
            RuleWords(
                "It had been given up because no push was ever accepted for it. One was, before the last refusal: it is suspect.",
                wayBack: "a push sent after the last refused one is accepted, or the app registers it again")
        case .accepted:
            RuleWords("A push was accepted for it that was sent after the refused ones: it is active.")
        case .loggedOut:
            RuleWords(
                "The app logged out: all tokens of the installation retire.",
                wayBack: "the app registers it again, as it does at the next log-in")
        case .stale:
            RuleWords(
                "Nothing was heard from it or its installation for longer than the app allows: it is stale.",
                wayBack:
                    "the device is heard from: a registration, a check-in, or any event of a notification")
        case .signOfLife:
            RuleWords("Its device was heard from again: it is active.")
        case .swept:
            RuleWords(
                "It stayed stale for longer than the app allows: it retires, and its value is erased.",
                wayBack:
                    "the app registers it again; until then nobody can send to it, because its value is erased"
            )
        case .breaker:
            RuleWords(
                "An answer would have retired it, among too many others at once: it is suspect until somebody decides.",
                wayBack: "`landfall tokens release`, a push that is accepted, or the app registering it again"
            )
        case .released:
            RuleWords("Somebody decided that the answers behind the breaker were wrong: it is active.")
        case .confirmed:
            RuleWords("Somebody decided that the answers behind the breaker were right: it retires.")
        case .restored:
            RuleWords("Somebody undid what a rule had done to it: it is as it was before.")
        case .expired:
            RuleWords(
                "Its time, as the app gave it, is over: it retires.",
                wayBack: "the app registers it again with a later time")
        case .erased:
            RuleWords(
                "A person's data were erased on request: it retires, and its value is gone.",
                wayBack: "another installation registers the value")
        }
    }
}
