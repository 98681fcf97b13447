// Is the environment wrong? The evidence by which suspicious rejections are judged.

extension TokenReference {
    /// True if the same value is known in another environment; or if, within a day, at least half of the
    /// pushes to its group and at least two other tokens were rejected in the same way. The other tokens are
    /// those that were suspect before the post or those that it rejects, whichever are more: to count both
    /// together, every one would have to be checked.
    ///
    /// - Parameter refused: the tokens for which the post adds something new, including a rejection.
    func isWrongEnvironment(_ name: TokenName, rejected: [TokenName], now: Int64) -> Bool {
        let isKnownElsewhere = tokens.contains { other, token in
            other.value == name.value && other.environment != name.environment
                && (token.registeredAt != nil || token.acceptedAt != nil)
        }
        if isKnownElsewhere || acceptedElsewhere.contains(name) { return true }
        let group = group(of: name)
        guard !group.appVersion.isEmpty else { return false }
        let suspects = tokens.filter { other, token in
            token.state == .suspect && token.rejections.contains { $0 >= now - Self.day }
                && self.group(of: other) == group
        }
        let others = max(suspects.count, rejected.count { self.group(of: $0) == group }) - 1
        let quarter = 15 * Self.minute
        let pushes = said.filter { number, push in
            let sentAt = history.pushes[number].sentAt
            return push.group == group && sentAt - sentAt % quarter >= now - Self.day
        }
        let way = TokenWords.all(of: group.provider, .suspicious)[0].outcome
        let alike = pushes.values.count { $0.outcome == way }
        return others >= 2 && !pushes.isEmpty && alike * 2 >= pushes.count
    }

    private func group(of name: TokenName) -> PushGroup {
        PushGroup(
            provider: history.values[name.value].provider, environment: name.environment,
            topic: tokens[name]?.topic ?? "", appVersion: appVersion(of: name))
    }
}
