internal import Access
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Unproven token values, which devices registered and no feed contains.
enum UnprovenTokens: SingleDiagnosis {
    static let subject = "tokens without a proof"
    static let isAboutTraffic = false

    struct Facts: Hashable {
        let tokens: Int64
        let installations: Int64
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let row = try examination.query(.Doctor.unprovenTokens, examination.recent, on: connection).single()
        return Facts(tokens: try row.get("tokens"), installations: try row.get("installations"))
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.tokens == 0 ? "none" : Words.count(facts.tokens, "token", "tokens"))
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        guard facts.installations >= examination.rules.unprovenInstallations else { return nil }
        return Finding(
            .unprovenTokens, .warning,
            "\(Words.count(facts.installations, "installation", "installations")) registered "
                + "\(Words.count(facts.tokens, "token value", "token values")) beyond what an app needs.",
            meaning:
                "A device key is public, so anyone can register invented values. GET /v1/tokens and GET /v1/token-changes leave "
                + "these out until a provider accepts a push to one of the installation's tokens.",
            remedy:
                "If they are genuine (an app with many topics), register them with a server key. Otherwise there is nothing "
                + "to do: no push is sent to them. Replace the device key with the next release.",
            command: examination.commandWithoutWindow("tokens", "status"),
            evidence: [
                .init("tokens", .integer(facts.tokens)),
                .init("installations", .integer(facts.installations)),
            ])
    }
}
