internal import Access
public import Documents
internal import Instants

extension DoctorReport {
    /// The document of `--json`: findings, the most severe of each app first, and what was examined.
    /// Instants are in UTC, shares are from 0 to 1. `app` is null for the database as a whole.
    public var document: JSONValue {
        [
            "report": "doctor",
            "as_of": .string(asOf.rfc3339),
            "hours": .integer(hours),
            "apps": .array(patients.compactMap { $0.app.map { .string($0.slug) } }),
            "problems": .integer(Int64(count(.problem))),
            "warnings": .integer(Int64(count(.warning))),
            "findings": .array(ranked.map { json($0.finding, $0.app) }),
            "examined": .array(
                patients.flatMap { patient in patient.checkups.map { json($0, patient.app) } }),
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
