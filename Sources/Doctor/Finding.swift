public import Basics

/// Something that is wrong, or looks like it.
public struct Finding: Hashable, Sendable {
    /// A stable id, for programs.
    public enum ID: String, CaseIterable, Decodable, Sendable {
        case credentials
        case wrongEnvironment = "wrong_environment"
        case wrongTopic = "wrong_topic"
        case rejected
        case unlistedResponses = "unlisted_responses"
        case otherTopic = "other_topic"
        case providerOutage = "provider_outage"
        case extensionSilent = "extension_silent"
        case extensionNeverReports = "extension_never_reports"
        case versionsMisnamed = "versions_misnamed"
        case mutableContentMissing = "mutable_content_missing"
        case contentAvailableUnused = "content_available_unused"
        case silentOutage = "silent_outage"
        case answersMissing = "answers_missing"
        case arrivalsMissing = "arrivals_missing"
        case breakerOpen = "breaker_open"
        case providerPurge = "provider_purge"
        case unmatchedEvents = "unmatched_events"
        case misdirectedEvents = "misdirected_events"
        case reusedIDs = "reused_ids"
        case rejectedItems = "rejected_items"
        case claimedAccounts = "claimed_accounts"
        case unprovenTokens = "unproven_tokens"
        case eventsDropped = "events_dropped"
        case appGroupMissing = "app_group_missing"
        case deviceClocks = "device_clocks"
        case categoriesMissing = "categories_missing"
        case alternatingTokens = "alternating_tokens"
        case wanderingValues = "wandering_values"
        case deadRegistrations = "dead_registrations"
        case scatteredCampaigns = "scattered_campaigns"
        case scatteredStates = "scattered_states"
        case sweepOverdue = "sweep_overdue"
        case maintenanceOverdue = "maintenance_overdue"
        case retentionHeld = "retention_held"
        case diskFilling = "disk_filling"
        case serverClock = "server_clock"
        case notWritable = "not_writable"
        case clusterRestarted = "cluster_restarted"
        case credentialsMissing = "credentials_missing"
        case crowdedAddress = "crowded_address"
        case keyInBrowser = "key_in_browser"
        case quotaExceeded = "quota_exceeded"
        case rateLimited = "rate_limited"
        case slowStatements = "slow_statements"
        case notDurable = "not_durable"
        case idsUsed = "ids_used"
        case cellUnavailable = "cell_unavailable"
        case moveUnfinished = "move_unfinished"

        /// Whether it concerns one app; otherwise the database as a whole.
        public var isOfApp: Bool {
            switch self {
            case .retentionHeld, .diskFilling, .serverClock, .notWritable, .clusterRestarted,
                .credentialsMissing, .crowdedAddress, .keyInBrowser, .rateLimited, .slowStatements,
                .notDurable, .idsUsed, .cellUnavailable, .moveUnfinished:
                false
            default: true
            }
        }

        /// The findings that follow from this one. They are not reported as well: people look for the cause.
        var consequences: [ID] {
            switch self {
            case .arrivalsMissing: [.extensionSilent, .contentAvailableUnused]
            case .answersMissing: [.unmatchedEvents]
            default: []
            }
        }
    }

    /// A problem loses notifications, tokens or numbers now; a warning should be known.
    public enum Severity: String, Decodable, Sendable {
        case problem, warning
    }

    public let id: ID
    public let severity: Severity
    /// The problem, with numbers.
    public let sentence: String
    /// The meaning of the problem.
    public let meaning: String
    /// The action to take.
    public let remedy: String
    /// The command that shows more, as the words of a command line.
    public let command: [String]
    /// The numbers in the sentence.
    public let evidence: [JSONValue.Member]

    /// The texts in the order in which people read them: what is wrong, what it means, what to do.
    public init(
        _ id: ID, _ severity: Severity, _ sentence: String, _ meaning: String, _ remedy: String,
        command: [String], evidence: [JSONValue.Member]
    ) {
        self.id = id
        self.severity = severity
        self.sentence = sentence
        self.meaning = meaning
        self.remedy = remedy
        self.command = command
        self.evidence = evidence
    }

    /// The command as it is typed into a shell.
    public var commandLine: String { command.map(shellWord).joined(separator: " ") }
}
