/// When the doctor speaks: every threshold there is. Made so that chance keeps it silent: a dozen diagnoses look at dozens of
/// groups, every quarter of an hour where cron says so, and a doctor who cries wolf is switched off.
public struct DoctorRules: Hashable, Sendable {
    /// How far from chance a difference must be, in standard errors. 5 is once in 3.5 million comparisons; pushes of one
    /// campaign share their fate, so the true odds are worse, and the shares below keep small differences out as well.
    public var sureness = 5.0

    // Refusals by build, topic and environment.
    /// Groups with fewer pushes are not judged.
    public var refusedAttempts: Int64 = 30
    /// So many refusals at least.
    public var refusals: Int64 = 10
    /// And such a share of the group's pushes, surely: the lower end of Wilson's interval at `sureness`.
    public var refusedShare = 0.1
    /// What is sent after bad hours is well if less than such a share is refused, or surely no more than in the week before.
    public var wellShare = 0.02
    /// A build whose tokens are called bad counts as one of the other environment from such a share on, if it is so many times
    /// that of the other builds: old tables of tokens have some bad ones everywhere.
    public var badTokenShare = 0.5
    public var badTokenRatio = 4.0

    /// From such a share of an address on most of it is refused, whatever for, if it is so many times that of the week before.
    public var mostlyRefusedShare = 0.5
    public var mostlyRefusedRatio = 2.0

    // Mistakes of senders. There is no chance in them, and the first few tell a sender that is being connected.
    public var unlistedResponses: Int64 = 5
    public var mistakenTokens: Int64 = 1

    // Trouble at the provider.
    /// Hours with fewer pushes, or fewer failures, are not judged.
    public var hourlyAttempts: Int64 = 30
    public var hourlyFailures: Int64 = 10
    /// An hour is bad from such a share of failures on, if it is so many times that of the day before.
    public var failingShare = 0.1
    public var failingRatio = 4.0
    /// From such a share on an hour is bad whatever was before.
    public var certainlyFailingShare = 0.5

    // Extensions.
    /// Reportable pushes of a version lately, and in the week before; of fewer nothing is said.
    public var reportable: Int64 = 50
    public var reportableBefore: Int64 = 100
    /// A version that reported less than such a share in the week before cannot be seen to stop.
    public var reportedBefore = 0.1
    /// Silent: at most such a part of what it was. Above it lies what is only late: phones that were off, reports that wait for
    /// a network.
    public var reportedPart = 0.7
    /// An extension that was silent has recovered unless it surely reports less than such a part of what it did.
    public var recoveredPart = 0.9
    /// What the other versions of the platform report less of in the same hours is late with all of them; at most so much is,
    /// of what they reported before.
    public var latePart = 0.5
    /// A version without an extension that reports, or that reported at most a stray share, is judged from so many reportable pushes
    /// on, if others of its platform, judged by as many, report such a share.
    public var neverReported: Int64 = 200
    public var strayShare = 0.02
    public var othersReport = 0.2

    // Senders that do not set mutable-content. They do or do not: there is no chance in it.
    /// Accepted alerts of a campaign.
    public var alerts: Int64 = 50
    /// At most such a share of them could be reported.
    public var reportableShare = 0.5

    // Silence.
    /// The same hours of so many past weeks are what is expected (their median), of so many at least.
    public static let weeks: Int64 = 4
    public var leastWeeks = 2
    /// At least so much must be expected.
    public var expected: Int64 = 50
    /// And each of the weeks has such a part of the median: what comes and goes cannot be expected.
    public var steadiness = 0.25
    /// Silence is at most such a part of what is expected.
    public var silentPart = 0.1
    /// Fewer hours are not looked at: a campaign may be late.
    public var leastSilentHours: Int64 = 2
    /// Clicks and the like are silent too when at most such a part of them is left; they are fewer, so chance is greater.
    public var silentResponsePart = 0.25

    // Dead tokens everywhere at once.
    /// Pushes to a version, lately as well as in the week before.
    public var purgeAttempts: Int64 = 100
    /// So many versions at least.
    public var purgedVersions = 2
    /// The share of dead tokens is so many times what it was, of all versions together and of each.
    public var purgeRatio = 2.0
    public var purgeRatioOfVersion = 1.5
    /// And so much greater at least, of all versions together.
    public var purgeStep = 0.02
    /// Clicks are flat when their share moved by fewer standard errors than this: that of 95 %. (Here certainty is wanted the
    /// other way round, so the bound is low.)
    public var flatness = 1.96
    /// Or when it changed by less than such a part of what it was: of a million pushes every change is sure.
    public var flatPart = 0.2

    // Device events without an answer.
    public var unmatched: Int64 = 30
    /// Of all notifications that anything is known of, surely.
    public var unmatchedShare = 0.05
    /// From such a share on it is a problem, not a warning.
    public var unmatchedProblemShare = 0.2

    // Items that were rejected when they came in.
    public var rejectedItems: Int64 = 20
    public var rejectedShare = 0.01
    public var rejectedProblemShare = 0.1

    // Upkeep.
    /// A sweep that was done before and has not been for so many days is overdue.
    public var sweepDays: Int64 = 7
    /// The age at which maintenance folds counters.
    public var foldedAfterHours: Int64 = 1
    /// If more quarter hours than this have been due for longer than this many days, no maintenance runs; fewer are late events.
    public var unfoldedQuarters: Int64 = 96
    public var maintenanceDays: Int64 = 1

    public init() {}
}
