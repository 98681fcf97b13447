internal import Reports

/// Every threshold from which the doctor reports a finding. They are chosen so that chance alone is not
/// reported: a dozen diagnoses examine dozens of groups, every quarter of an hour if cron says so, and a
/// doctor that cries wolf is switched off.
public struct DoctorRules: Hashable, Sendable {
    /// The minimum distance from chance, in standard errors. 5 happens by chance once in 3.5 million
    /// comparisons. Pushes of one campaign share their fate, so the true odds are worse, and the shares below
    /// exclude small differences as well.
    public var sureness = 5.0

    // Rejections by build, topic and environment.
    /// Groups with fewer pushes are not judged.
    public var rejectionAttempts: Int64 = 30
    /// The minimum number of rejections.
    public var rejections: Int64 = 10
    /// The minimum share of the group's pushes, by the lower end of Wilson's interval at `sureness`.
    public var rejectionShare = 0.1
    /// Pushes after bad hours are well if less than this share is rejected or not certainly more than before.
    public var wellShare = 0.02
    /// A build whose tokens are called bad counts as one of the other environment from this share on, if it
    /// is also this many times that of the other builds: old tables of tokens have some bad ones everywhere.
    public var badTokenShare = 0.5
    public var badTokenRatio = 4.0

    /// From this share on, most pushes to an address are rejected, for whatever reason, if it is
    /// also this many times that of the week before.
    public var mostlyRejectedShare = 0.5
    public var mostlyRejectedRatio = 2.0

    // Mistakes of senders. No chance is involved, and the first few reveal a sender that is being connected.
    public var unlistedResponses: Int64 = 5
    public var mistakenTokens: Int64 = 1

    // Problems at the provider.
    /// Hours with fewer pushes, or fewer failures, are not judged.
    public var hourlyAttempts: Int64 = 30
    public var hourlyFailures: Int64 = 10
    /// An hour is bad from this share of failures on, if it is also this many times that of the day before.
    public var failingShare = 0.1
    public var failingRatio = 4.0
    /// From this share on, an hour is bad regardless of the day before.
    public var certainlyFailingShare = 0.5

    // Extensions.
    /// The minimum of reportable pushes, recently and in the week before; versions with fewer are not judged.
    public var reportable = ExtensionReport.fewestReportable
    public var reportableBefore: Int64 = 100
    /// A version that reported less than this share in the week before cannot be seen to stop.
    public var reportedBefore = 0.1
    /// A version is silent if it reports at most this part of what it did. Above it, arrivals may
    /// only be late: devices that were off, events that wait for a network.
    public var reportedPart = 0.7
    /// A silent extension has recovered unless it certainly reports less than this part of what it did.
    public var recoveredPart = 0.9
    /// If the other versions of the platform report less in the same hours, arrivals are late for all of
    /// them. They are assumed to be late at most down to this part of what those versions reported before.
    public var latePart = 0.5
    /// A version without a reporting extension, or with at most a stray share of arrivals, is judged from
    /// this many reportable pushes on, if others of its platform, judged by as many, report this share.
    public var neverReported: Int64 = 200
    public var strayShare = 0.02
    public var othersReport = 0.2

    // Senders that do not set mutable-content, or set content-available. They do or do not: no chance is
    // involved.
    /// The minimum number of accepted alerts of a campaign.
    public var alerts: Int64 = 50
    /// At most this share of them is reportable.
    public var reportableShare = 0.5

    // Silence.
    /// The expected volume is the median of the same hours in this many past weeks, of which at least
    /// `leastWeeks` must be known.
    public static let weeks: Int64 = 4
    public var leastWeeks = 2
    /// The minimum of the expected volume.
    public var expected: Int64 = 50
    /// Each of the weeks must have at least this part of the median: irregular volume cannot be expected.
    public var steadiness = 0.25
    /// Silence is at most this part of the expected volume.
    public var silentPart = 0.1
    /// Fewer hours are not examined: a campaign may be late.
    public var leastSilentHours: Int64 = 2
    /// Clicks and other reactions are silent too if at most this part is left; being fewer, they vary more.
    public var silentResponsePart = 0.25

    // Dead tokens everywhere at once.
    /// The minimum number of pushes to a version, both recently and in the week before.
    public var purgeAttempts: Int64 = 100
    /// The minimum number of versions.
    public var purgedVersions = 2
    /// The share of dead tokens must be this many times what it was, for all versions together and for each.
    public var purgeRatio = 2.0
    public var purgeRatioOfVersion = 1.5
    /// The minimum increase of that share, for all versions together.
    public var purgeStep = 0.02
    /// Clicks are flat if their share moved by fewer standard errors than this, the bound of 95 %.
    /// (Certainty is required in the other direction here, so the bound is low.)
    public var flatness = 1.96
    /// Or if it changed by less than this part of itself: with a million pushes, any change is certain.
    public var flatPart = 0.2

    // Device events without a response.
    public var unmatched: Int64 = 30
    /// The minimum share of all known notifications, with certainty.
    public var unmatchedShare = 0.05
    /// From this share on, it is a problem, not a warning.
    public var unmatchedProblemShare = 0.2

    // Device events of other installations than the pushes went to.
    public var misdirected: Int64 = 20
    /// The minimum share of all notifications that devices reported, with certainty.
    public var misdirectedShare = 0.01
    /// From this share on, it is a problem, not a warning.
    public var misdirectedProblemShare = 0.1

    // Responses whose notification_id a push to another device has.
    public var reusedIDs: Int64 = 20
    /// The minimum share of all items posted.
    public var reusedShare = 0.001
    /// From this share on, it is a problem, not a warning.
    public var reusedProblemShare = 0.01

    // Items that were rejected when they were posted.
    public var rejectedItems: Int64 = 20
    public var rejectedShare = 0.01
    public var rejectedProblemShare = 0.1

    // Counters that hardly aggregate anything, in one hour.
    public var scatteredStates: Int64 = 1_000
    public var scatteredCampaigns: Int64 = 1_000
    /// The minimum number of campaigns per notification.
    public var scatteredShare = 0.1

    /// The minimum number of accounts without a proof, and the minimum share of all that signed in: strangers
    /// may always claim a few.
    public var claimedAccounts: Int64 = 5
    public var claimedShare = 0.05
    /// The minimum number of installations with unproven tokens: one of them may be a developer's.
    public var unprovenInstallations: Int64 = 5
    /// The minimum numbers of devices that report trouble, and of reports without the device that reported
    /// most: a few prototypes and old phones always have trouble, and anyone can forge a device.
    public var troubledDevices: Int64 = 5
    public var droppedEvents: Int64 = 20
    public var unsharedArrivals: Int64 = 5
    public var wrongClocks: Int64 = 20
    /// The minimum share of all items posted.
    public var wrongClockShare = 0.05
    /// The minimum number of installations that miss a category.
    public var missingCategories: Int64 = 5

    // Registrations of tokens.
    /// Values that returned within this many days alternate.
    public var alternatingDays: Int64 = 7
    /// A value that this many devices register within the examined hours is not a token.
    public var wanderedDevices: Int64 = 5

    /// The minimum number of requests that servers rejected with 429.
    public var rateLimited = 100

    /// The minimum number of events or new installations beyond an hourly quota.
    public var overQuota: Int64 = 1

    /// The minimum number of requests without a credential that were rejected within half a minute.
    public var missingCredentials: Int64 = 20

    // Upkeep.
    /// A sweep is overdue this many days after the last one or, if none, after tokens could first be stale.
    public var sweepDays: Int64 = 7
    /// The age at which maintenance folds counters.
    public var foldedAfterHours: Int64 = 1
    /// If more quarter hours than this have been due for longer than this many days, no maintenance runs;
    /// fewer are late events.
    public var unfoldedQuarters: Int64 = 96
    public var maintenanceDays: Int64 = 1
    /// The minimum share of a cell's ids that are used.
    public var usedIDs = 0.9

    // Room on the disk.
    /// The minimum number of notifications in the last two weeks to judge growth by.
    public var grownNotifications: Int64 = 100_000
    /// A disk that is full in fewer days than this is a warning, and in fewer than the other, a problem.
    public var diskDays: Int64 = 30
    public var diskProblemDays: Int64 = 7

    public init() {}
}
