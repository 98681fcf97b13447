extension TokenHistory: CustomStringConvertible {
    /// One line per step and item; times count from the clock's first instant.
    public var description: String {
        let head =
            "seed \(seed), clock \(clock.number), stale after \(settings.staleAfterDays) d, swept after "
            + "\(settings.sweepAfterDays) d, breaker \(settings.breakerMinimum) or \(settings.breakerShare)"
        return ([head] + steps.flatMap(lines)).joined(separator: "\n")
    }

    private func lines(_ step: Step) -> [String] {
        let at = clock.text(clock.instants[step.tick])
        switch step.deed {
        case .register(let registration):
            let said = [
                registration.appVersion.map { "version \($0)" }, registration.permission,
                registration.account.map { "account '\($0)'" },
            ].compactMap { $0 }
            let entries = registration.entries.map { entry in
                "    \(text(entry.token))\(entry.saysTopic ? "" : " without topic")"
                    + (entry.expiresAt.map { ", expires \(clock.text($0))" } ?? "")
            }
            let dated = "phone \(registration.phone) registers as of \(clock.text(registration.registeredAt))"
            return ["\(at)  \(([dated] + said).joined(separator: ", "))"] + entries
        case .post(let items): return ["\(at)  post"] + items.map { "    \(text($0))" }
        case .logOut(let phone): return ["\(at)  phone \(phone) logs out"]
        case .erase(let phone): return ["\(at)  phone \(phone) is erased"]
        case .sweep(let maxShare): return ["\(at)  sweep, at most \(maxShare)"]
        case .decide(let isRelease, let scope):
            return ["\(at)  \(isRelease ? "release" : "confirm") \(text(scope))"]
        case .restore(let rule, let since, let scope):
            return ["\(at)  restore \(rule) since \(clock.text(since)) \(text(scope))"]
        }
    }

    func text(_ token: TokenName) -> String {
        "\(values[token.value].kind) \(token.value) \(token.environment)"
    }

    private func text(_ scope: TokenScope) -> String {
        "\(scope.environment ?? "any environment"), \(scope.topic ?? "any topic")"
    }

    private func text(_ item: TokenItem) -> String {
        switch item {
        case .response(let number, let words, let diedAt, let saysTopic):
            let push = pushes[number]
            return "push \(number) of \(clock.text(push.sentAt)) to \(text(push.token))"
                + "\(saysTopic ? "" : " without topic"): \(words.status) \(words.reason ?? "")"
                + (diedAt.map { ", dead since \(clock.text($0))" } ?? "")
        case .sighting(let number, let kind, let occurredAt, let phone):
            return "\(kind) of push \(number) at \(clock.text(occurredAt))"
                + (phone.map { " on phone \($0)" } ?? "")
        }
    }
}
