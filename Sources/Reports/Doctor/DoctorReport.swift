public import Access
public import Instants
public import PostgresClient

/// What is wrong lately, in sentences: of each app, and of the database as a whole.
public struct DoctorReport: Encodable, Hashable, Sendable {
    /// All that was looked at of one app.
    public struct Patient: Hashable, Sendable {
        /// Nil for the database as a whole.
        public let app: App?
        public let checkups: [Checkup]

        public init(app: App?, checkups: [Checkup]) {
            self.app = app
            self.checkups = checkups
        }

        /// The gravest first, else in the order of the diagnoses.
        public var findings: [Finding] {
            let findings = checkups.flatMap(\.findings)
            return findings.filter { $0.severity == .problem } + findings.filter { $0.severity == .warning }
        }

        /// Whether no notification and no event is there to be looked at.
        public var isEmpty: Bool {
            findings.isEmpty
                && checkups.allSatisfy { !$0.isAboutTraffic || $0.examined == .nothing }
        }
    }

    public let asOf: Instant
    public let hours: Int64
    /// In the order of the apps, the database last.
    public let patients: [Patient]

    public init(asOf: Instant, hours: Int64, patients: [Patient]) {
        self.asOf = asOf
        self.hours = hours
        self.patients = patients
    }

    /// Whether no app has anything to be looked at.
    public var isEmpty: Bool { patients.allSatisfy(\.isEmpty) }

    /// Apps with something to be looked at, but too little of everything to call it well or ill.
    public var unjudged: [App] {
        patients.filter { patient in
            !patient.isEmpty && patient.findings.isEmpty
                && !patient.checkups.contains { checkup in
                    if checkup.isAboutTraffic, case .judged = checkup.examined { return true }
                    return false
                }
        }.compactMap(\.app)
    }

    public func count(_ severity: Finding.Severity) -> Int {
        patients.flatMap(\.findings).count(where: { $0.severity == severity })
    }

    /// Looks at apps, each in one snapshot.
    ///
    /// - Parameters:
    ///   - hours: how many are looked at, 1 to ``Examination/mostHours``.
    ///   - isPast: whether `now` was named: commands then name the window.
    ///   - examinesServer: whether the settings of PostgreSQL that make commits durable are examined.
    /// - Throws: `PostgresError`.
    public static func run(
        for apps: [App], hours: Int64 = 24, rules: DoctorRules = DoctorRules(), isPast: Bool = false,
        examinesServer: Bool = true, on connection: PostgresConnection, now: Instant
    ) throws -> DoctorReport {
        let examinations = apps.map {
            Examination(app: $0, asOf: now, hours: hours, rules: rules, isPast: isPast)
        }
        var patients = try examinations.map { examination in
            let checkups = try connection.snapshot {
                try diagnoses.map { try $0.checkup(examination, on: connection) }
            }
            let consequences = Set(checkups.flatMap(\.findings).flatMap(\.id.consequences))
            return Patient(app: examination.app, checkups: checkups.map { $0.without(consequences) })
        }
        // Of the database as a whole only the present is known.
        let ofDatabase =
            (examinesServer ? [ServerDurability.self as any Diagnosis.Type] : [])
            + (isPast ? [] : databaseDiagnoses)
        if let examination = examinations.first, !ofDatabase.isEmpty {
            let checkups = try ofDatabase.map { try $0.checkup(examination, on: connection) }
            patients.append(Patient(app: nil, checkups: checkups))
        }
        return DoctorReport(asOf: now, hours: hours, patients: patients)
    }

    /// Everything that is examined of the database as a whole, besides its durability.
    static var databaseDiagnoses: [any Diagnosis.Type] {
        [DatabaseWrites.self, RestartedCluster.self, ServerClocks.self, HeldRetention.self]
    }

    /// Everything that is looked at of an app.
    static var diagnoses: [any Diagnosis.Type] {
        [
            RefusedBuilds.self, UnlistedResponses.self, MistakenAddresses.self, ProviderOutage.self,
            SilentExtensions.self, MissingMutableContent.self,
            SilentOutage.self, OpenBreakers.self, ProviderPurge.self, UnmatchedEvents.self,
            RejectedItems.self,
            OverdueSweep.self, OverdueMaintenance.self,
        ]
    }
}
