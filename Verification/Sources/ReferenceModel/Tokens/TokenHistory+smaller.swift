extension TokenHistory: Shrinkable {
    /// The history without one of its steps, then without one of a step's tokens or items.
    var smaller: [TokenHistory] {
        let withoutStep = steps.indices.map { position in
            var history = self
            history.steps.remove(at: position)
            return history
        }
        let withoutPart = steps.indices.flatMap { position in
            steps[position].deed.smaller.map { deed in
                var history = self
                history.steps[position] = Step(tick: steps[position].tick, deed: deed)
                return history
            }
        }
        return withoutStep + withoutPart
    }
}

extension TokenDeed {
    fileprivate var smaller: [TokenDeed] {
        switch self {
        case .post(let items) where items.count > 1:
            return items.indices.map { index in
                var fewer = items
                fewer.remove(at: index)
                return .post(fewer)
            }
        case .register(let registration):
            return registration.entries.indices.map { .register(registration.without(entry: $0)) }
        default: return []
        }
    }
}

extension PhoneRegistration {
    fileprivate func without(entry: Int) -> PhoneRegistration {
        var entries = entries
        entries.remove(at: entry)
        return PhoneRegistration(
            phone: phone, entries: entries, registeredAt: registeredAt, appVersion: appVersion,
            permission: permission, account: account)
    }
}
