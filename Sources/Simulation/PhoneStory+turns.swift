internal import Basics

/// The turns that a life may take. Each states what the phone, the app and APNs do, in that order.
extension PhoneStory {
    /// An OS upgrade: same installation, new token. APNs accepts the old one for a while, then rejects it.
    mutating func rotate() {
        let upgradedAt = max(settings.moment(random.share(0.2, 0.65)), afterRegistrations())
        phone.tokens[0].leavePhone(at: upgradedAt - random.span(.minutes(1), .minutes(10)))
        phone.tokens[0].deadFrom = upgradedAt + scaled(0.05, 0.25)
        if random.chance(0.4) { forgetToken(0, at: upgradedAt) }
        addToken(knownFrom: upgradedAt)
        register(token: 1, at: upgradedAt, change: .osUpgrade)
        phone.tokens[1].settle(on: 0, from: upgradedAt)
    }

    /// A reinstall creates a new installation, usually with a new token; APNs may accept the abandoned one
    /// for months (apns2 issue 77). iOS may also give it the token of the old installation.
    mutating func reinstall(keepsToken: Bool) {
        let deletedAt = settings.moment(random.share(0.15, 0.5))
        let installedAt = max(deletedAt + scaled(0.01, 0.1), afterRegistrations())
        phone.tokens[0].leavePhone(at: deletedAt)
        if !keepsToken { addToken(knownFrom: installedAt) }
        install(token: phone.tokens.count - 1, at: installedAt, change: .appUpdate)
    }

    /// The 410 responses begin some time after the deletion: Apple delays and randomizes them.
    mutating func uninstall() {
        let deletedAt = settings.moment(random.share(0.05, 0.55))
        phone.tokens[0].leavePhone(at: deletedAt)
        phone.tokens[0].deadFrom = deletedAt + scaled(0.03, 0.25)
    }

    /// The token is dead before one campaign, rejected in it, and registered again before the next one, which
    /// gets the old response again.
    mutating func returnAfterRejection() {
        let position = random.below(max(schedule.campaigns.count - 2, 1))
        let deadFrom = schedule.pause(after: position).map { random.instant(in: $0) }
        let revivedAt = schedule.pause(after: position + 1).map { random.instant(in: $0) }
        dieAndReturn(deadFrom: deadFrom ?? settings.moment(0.3), revivedAt: revivedAt ?? settings.moment(0.6))
    }

    /// The token dies and is registered again between two campaigns, before any push could be rejected.
    mutating func returnBeforeRejection() {
        let position = random.below(max(schedule.campaigns.count - 1, 1))
        let pause = schedule.pause(after: position) ?? settings.moment(0.3)..<settings.moment(0.4)
        let middle = pause.lowerBound + (pause.upperBound - pause.lowerBound) / 2
        dieAndReturn(
            deadFrom: random.instant(in: pause.lowerBound..<middle),
            revivedAt: random.instant(in: middle..<pause.upperBound))
    }

    private mutating func dieAndReturn(deadFrom: Int64, revivedAt: Int64) {
        let registeredAgain = max(revivedAt, deadFrom + .slice, afterRegistrations())
        phone.tokens[0].leavePhone(at: deadFrom)
        phone.tokens[0].deadFrom = deadFrom
        phone.tokens[0].revivedAt = registeredAgain
        register(token: 0, at: registeredAgain)
        phone.tokens[0].settle(on: 0, from: registeredAgain)
    }

    private mutating func forgetToken(_ token: Int, at instant: Int64) {
        phone.tokens[token].onSendersList = phone.tokens[token].onSendersList.lowerBound..<instant
    }

    /// APNs drops the newest token, although the app is still installed.
    mutating func perhapsBePurged() {
        guard random.chance(1 / 6), let newest = phone.tokens.indices.last,
            phone.tokens[newest].deadFrom == nil
        else { return }
        phone.tokens[newest].deadFrom = settings.fault.lowerBound
    }

    private func afterRegistrations() -> Int64 {
        (phone.registrations.map(\.at).max() ?? settings.start) + .slice
    }

    /// A span between two shares of the window.
    private mutating func scaled(_ shortest: Double, _ longest: Double) -> Int64 {
        settings.moment(random.share(shortest, longest)) - settings.start
    }
}
