/// The amount of data that was examined, in words.
public enum Examined: Hashable, Sendable {
    /// Enough to say whether something is wrong.
    case judged(String)
    /// Too little for a verdict.
    case tooLittle(String)
    /// There is data, but the work to be judged was never done.
    case neverDone
    case nothing
}

/// The result of one diagnosis.
public struct Checkup: Hashable, Sendable {
    public let subject: String
    public let isAboutTraffic: Bool
    public let examined: Examined
    public let findings: [Finding]

    /// The checkup without these findings.
    func without(_ ids: Set<Finding.ID>) -> Checkup {
        Checkup(
            subject: subject, isAboutTraffic: isAboutTraffic, examined: examined,
            findings: findings.filter { !ids.contains($0.id) })
    }
}
