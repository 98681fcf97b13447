public import DeliveryModel
public import PostgresClient

/// Recent problems, in sentences: of each app, and of the database as a whole.
public struct DoctorReport: Hashable, Sendable {
    /// The examinations of one app.
    public struct Patient: Hashable, Sendable {
        /// `nil` for the database as a whole.
        public let app: App?
        public let checkups: [Checkup]
        /// The cell of the app or the database; `nil` if there is only one.
        package var cell: CellNumber?

        /// The most severe first, otherwise in the order of the diagnoses.
        public var findings: [Finding] {
            let findings = checkups.flatMap(\.findings)
            return findings.filter { $0.severity == .problem } + findings.filter { $0.severity == .warning }
        }

        /// Whether there are no notifications and no events to examine.
        public var isEmpty: Bool {
            findings.isEmpty
                && checkups.allSatisfy { !$0.isAboutTraffic || $0.examined == .nothing }
        }
    }

    public let asOf: Instant
    public let hours: Int64
    /// In the order of the apps; the database is last.
    public let patients: [Patient]

    public init(asOf: Instant, hours: Int64, patients: [Patient]) {
        self.asOf = asOf
        self.hours = hours
        self.patients = patients
    }

    /// Whether no app has anything to examine.
    public var isEmpty: Bool { patients.allSatisfy(\.isEmpty) }

    /// Apps with something to examine, but too little of everything to judge it.
    public var unjudged: [App] {
        patients.filter { patient in
            !patient.isEmpty && patient.findings.isEmpty
                && !patient.checkups.contains { checkup in
                    if checkup.isAboutTraffic, case .judged = checkup.examined { return true }
                    return false
                }
        }.compactMap(\.app)
    }

    /// All findings, of apps and of the whole database: the most severe first, then in the order of patients.
    public var ranked: [(patient: Patient, finding: Finding)] {
        let all = patients.flatMap { patient in patient.findings.map { (patient: patient, finding: $0) } }
        return all.filter { $0.finding.severity == .problem } + all.filter { $0.finding.severity == .warning }
    }

    public var findings: [Finding] { ranked.map(\.finding) }

    public func count(_ severity: Finding.Severity) -> Int {
        findings.count(where: { $0.severity == severity })
    }

    /// The report without these findings of apps. Those of the database as a whole stay.
    public func without(_ muted: Set<Finding.ID>) -> DoctorReport {
        let patients = patients.map { patient in
            guard patient.app != nil else { return patient }
            return Patient(
                app: patient.app, checkups: patient.checkups.map { $0.without(muted) }, cell: patient.cell)
        }
        return DoctorReport(asOf: asOf, hours: hours, patients: patients)
    }

    /// Examines one app, in one snapshot.
    ///
    /// - Throws: `PostgresError`.
    public static func examine(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> Patient {
        let checkups = try connection.snapshot {
            try diagnoses.map { try $0.checkup(examination, on: connection) }
        }
        let consequences = Set(checkups.flatMap(\.findings).flatMap(\.id.consequences))
        return Patient(app: examination.app, checkups: checkups.map { $0.without(consequences) })
    }

    /// Examines apps, each in one snapshot.
    ///
    /// - Parameters:
    ///   - hours: the number of hours to examine, 1 to ``Examination/mostHours``.
    ///   - isPast: whether `now` was given explicitly: commands then name the window.
    ///   - freeBytes: the bytes that are free on the disk of the database; `nil` if unknown.
    ///   - examinesServer: whether the settings of PostgreSQL that make commits durable are examined.
    ///   - isOneOfSeveral: whether there are other cells. Then the database is examined even without an app:
    ///     servers note in cell 0 what they saw of clients.
    /// - Throws: `PostgresError`.
    public static func run(
        for apps: [App], hours: Int64 = 24, rules: DoctorRules = DoctorRules(), isPast: Bool = false,
        freeBytes: Int64? = nil, examinesServer: Bool = true, isOneOfSeveral: Bool = false,
        on connection: PostgresConnection, now: Instant
    ) throws -> DoctorReport {
        func examination(of app: App) -> Examination {
            Examination(
                app: app, asOf: now, hours: hours, rules: rules, isPast: isPast, freeBytes: freeBytes)
        }
        var patients = try apps.map { try examine(examination(of: $0), on: connection) }
        // For the database as a whole, only the present is known.
        let ofDatabase =
            (examinesServer ? [ServerDurability.self as any Diagnosis.Type] : [])
            + (isPast ? [] : databaseDiagnoses.filter { connection.citus == nil || $0 != DiskRoom.self })
        // They read nothing about the app.
        let app = apps.first ?? (isOneOfSeveral ? App(appID: 0, slug: "") : nil)
        if let app, !ofDatabase.isEmpty {
            let checkups = try ofDatabase.map { try $0.checkup(examination(of: app), on: connection) }
            patients.append(Patient(app: nil, checkups: checkups.filter { $0.examined != .nothing }))
        }
        return DoctorReport(asOf: now, hours: hours, patients: patients)
    }

    /// The diagnoses of the database as a whole, except its durability.
    static var databaseDiagnoses: [any Diagnosis.Type] {
        [
            DatabaseWrites.self, SlowStatements.self, RestartedCluster.self, ServerClocks.self,
            RateLimitedCallers.self, MissingCredentials.self, CrowdedServers.self, LeakedKeys.self,
            HeldRetention.self, DiskRoom.self, UsedIDs.self, UnfinishedMoves.self,
        ]
    }

    /// The diagnoses of an app.
    static var diagnoses: [any Diagnosis.Type] {
        [
            RejectedBuilds.self, UnlistedResponses.self, MistakenAddresses.self, ProviderOutage.self,
            SilentExtensions.self, MissingMutableContent.self, UnusedWakes.self, SilentOutage.self,
            OpenBreakers.self, ProviderPurge.self, UnmatchedEvents.self, MisdirectedEvents.self,
            ReusedIDs.self, RejectedItems.self, SpentQuotas.self, ScatteredCounters.self,
            ClaimedAccounts.self, UnprovenTokens.self, DeviceTroubles.self, MissingCategories.self,
            DoubtfulTokens.self, OverdueSweep.self, OverdueMaintenance.self,
        ]
    }
}

extension DoctorReport {
    /// The document of `--json`: findings, the most severe of each app first, and what was examined.
    /// Instants are in UTC, shares are from 0 to 1. `app` is null for the database as a whole. If there are
    /// several cells, each finding and examination has its `cell`.
    public var document: JSONValue {
        [
            "report": "doctor", "as_of": .string(asOf.rfc3339), "hours": .integer(hours),
            "apps": .array(patients.compactMap { $0.app.map { .string($0.slug) } }),
            "problems": .integer(Int64(count(.problem))), "warnings": .integer(Int64(count(.warning))),
            "findings": .array(ranked.map { json($0.finding, $0.patient.app).of($0.patient.cell) }),
            "examined": .array(
                patients.flatMap { patient in
                    patient.checkups.map { json($0, patient.app).of(patient.cell) }
                }),
        ]
    }

    private func json(_ finding: Finding, _ app: App?) -> JSONValue {
        [
            "app": .optional(app?.slug), "id": .string(finding.id.rawValue),
            "severity": .string(finding.severity.rawValue), "sentence": .string(finding.sentence),
            "meaning": .string(finding.meaning), "remedy": .string(finding.remedy),
            "command": .string(finding.commandLine), "evidence": .object(finding.evidence),
        ]
    }

    private func json(_ checkup: Checkup, _ app: App?) -> JSONValue {
        let (verdict, words): (String, String?) =
            switch checkup.examined {
            case .judged(let words): ("judged", words)
            case .tooLittle(let words): ("too_little", words)
            case .neverDone: ("nothing", "never done")
            case .nothing: ("nothing", nil)
            }
        return [
            "app": .optional(app?.slug), "subject": .string(checkup.subject), "verdict": .string(verdict),
            "amount": .optional(words), "findings": .integer(Int64(checkup.findings.count)),
        ]
    }
}
