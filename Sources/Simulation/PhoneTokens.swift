/// The life of one phone's tokens, recorded step by step in the order of time.
struct PhoneTokens {
    private enum State {
        case active
        case suspect
        case retired
    }

    private struct Row {
        let value: String
        let scope: TokenScope
        var state = State.active
        /// `nil` for a token that is known only from responses.
        var owner: Int?
        var lastRegisteredAt: Int64?
        var wasAccepted = false
        /// The send instant of the first rejection as a bad token.
        var firstRejectedAt: Int64?
    }

    private var rows: [Row] = []
    private(set) var transitions: [SimulatedTokenRule: Int] = [:]

    /// The recipient of a notification.
    enum Target: Equatable {
        case installation(Int)
        /// A token that no app registered counts as a recipient of its own.
        case token(Int)
    }

    private mutating func note(_ rule: SimulatedTokenRule) {
        transitions[rule, default: 0] += 1
    }

    private func position(of value: String, in scope: TokenScope) -> Int? {
        rows.firstIndex { $0.value == value && $0.scope == scope }
    }
}

// MARK: - Registration

extension PhoneTokens {
    mutating func register(_ value: String, in scope: TokenScope, by installation: Int, at instant: Int64) {
        let known = position(of: value, in: scope)
        if let known {
            renew(known, by: installation)
        } else {
            rows.append(Row(value: value, scope: scope, owner: installation))
            note(.registered)
        }
        let current = known ?? rows.count - 1
        rows[current].lastRegisteredAt = instant
        retireOthers(than: current)
    }

    private mutating func renew(_ row: Int, by installation: Int) {
        if rows[row].owner != installation {
            rows[row].owner = installation
            note(.transferred)
        } else if rows[row].state != .active {
            note(.revived)
        }
        rows[row].state = .active
    }

    /// Retires the other tokens of a slot (installation, environment, topic), which holds one token.
    private mutating func retireOthers(than current: Int) {
        let holder = rows[current]
        for row in rows.indices where row != current && rows[row].owner == holder.owner {
            guard rows[row].scope == holder.scope, rows[row].state != .retired else { continue }
            rows[row].state = .retired
            note(.rotated)
        }
    }
}

// MARK: - Responses

extension PhoneTokens {
    /// Records a response. Returns the recipient of its notification.
    mutating func record(_ response: PlannedResponse, for value: String, in scope: TokenScope, sentAt: Int64)
        -> Target
    {
        let known = position(of: value, in: scope)
        if known == nil, let owner = owner(of: value) { return .installation(owner) }
        let row = known ?? learn(value, in: scope)
        switch response.reason.verdict {
        case .accepted: accept(row)
        case .dead: rejectAsDead(row, response, sentAt: sentAt)
        case .suspect: suspect(row, sentAt: sentAt)
        case .keep: break
        }
        return rows[row].owner.map { .installation($0) } ?? .token(row)
    }

    /// The installation that registered a value last, in any scope. A registered value is one token, and
    /// APNs' responses about it in another scope change nothing.
    private func owner(of value: String) -> Int? {
        rows.filter { $0.value == value && $0.lastRegisteredAt != nil }
            .max { ($0.lastRegisteredAt ?? 0) < ($1.lastRegisteredAt ?? 0) }?.owner
    }

    private mutating func learn(_ value: String, in scope: TokenScope) -> Int {
        rows.append(Row(value: value, scope: scope))
        note(.discovered)
        return rows.count - 1
    }

    private mutating func accept(_ row: Int) {
        rows[row].wasAccepted = true
        guard rows[row].state == .suspect else { return }
        rows[row].state = .active
        note(.accepted)
    }

    /// A late "Unregistered" must not retire a token that the app has registered again since.
    private mutating func rejectAsDead(_ row: Int, _ response: PlannedResponse, sentAt: Int64) {
        guard rows[row].state != .retired else { return }
        if let registered = rows[row].lastRegisteredAt, (response.rejectedAt ?? sentAt) < registered {
            note(.lateRejectionIgnored)
            return
        }
        rows[row].state = .retired
        note(.unregistered)
    }

    /// Marks the token as suspect first. It is retired only if never accepted, rejected again an hour later,
    /// and unknown in the other environment: otherwise, one configuration error would wipe out the audience.
    private mutating func suspect(_ row: Int, sentAt: Int64) {
        let firstRejection = rows[row].firstRejectedAt ?? sentAt
        rows[row].firstRejectedAt = firstRejection
        let isRepeated = sentAt - firstRejection >= .hours(1)
        switch rows[row].state {
        case .retired: break
        case .active:
            rows[row].state = .suspect
            note(.badToken)
        case .suspect:
            guard isRepeated, !rows[row].wasAccepted, !isGoodElsewhere(row) else { return }
            rows[row].state = .retired
            note(.badToken)
        }
    }

    private func isGoodElsewhere(_ row: Int) -> Bool {
        rows.contains { other in
            other.value == rows[row].value && other.scope.environment != rows[row].scope.environment
                && (other.lastRegisteredAt != nil || other.wasAccepted)
        }
    }
}

// MARK: - The end of the window

extension PhoneTokens {
    func states(registered: Bool) -> SimulatedTokenStates {
        var states = SimulatedTokenStates()
        for row in rows where (row.lastRegisteredAt != nil) == registered {
            switch row.state {
            case .active: states.active += 1
            case .suspect: states.suspect += 1
            case .retired: states.retired += 1
            }
        }
        return states
    }

    func hasActiveToken(installation: Int) -> Bool {
        rows.contains { $0.owner == installation && $0.state == .active }
    }
}
