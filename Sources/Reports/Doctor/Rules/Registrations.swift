internal import Access
internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Tokens that apps register in ways that real devices do not.
enum DoubtfulTokens: Diagnosis {
    static let subject = "registrations of tokens"
    static let isAboutTraffic = false

    /// The doubt: two values that replace one another again and again, one value on many devices, or a value that the provider
    /// reports dead for every push.
    enum Doubt: String, CaseIterable {
        case alternating, wandering, dead
    }

    struct Fact: Hashable {
        let doubt: Doubt
        /// Devices if they alternate, otherwise tokens.
        let amount: Int64
        let tokenID: Int64
        /// The provider's reason; empty if it does not matter.
        var reason = ""
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let span = examination.recent
        return try examination.query(
            .Doctor.doubtfulTokens, span,
            .value(span.upperBound - .days(examination.rules.alternatingDays)),
            .value(examination.rules.wanderedDevices), on: connection
        ).compactMap { row in
            guard let doubt = Doubt(rawValue: try row.get("doubt")),
                let tokenID: Int64 = try row.getOptional("token_id")
            else { return nil }
            return Fact(
                doubt: doubt, amount: try row.get("amount"), tokenID: tokenID,
                reason: try row.getOptional("reason") ?? "")
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(
            facts.isEmpty
                ? "none in doubt" : Words.count(facts.reduce(0) { $0 + $1.amount }, "doubt", "doubts"))
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        facts.map { fact in
            let command = examination.commandWithoutWindow("explain", "token", "#\(fact.tokenID)")
            let evidence: [JSONValue.Member] = [
                .init(fact.doubt == .alternating ? "devices" : "tokens", .integer(fact.amount)),
                .init("token_id", .integer(fact.tokenID)),
            ]
            return switch fact.doubt {
            case .alternating: alternating(fact, command, evidence)
            case .wandering: wandering(fact, examination.rules, command, evidence)
            case .dead: dead(fact, command, evidence + [.init("reason", .string(fact.reason))])
            }
        }
    }

    private static func alternating(_ fact: Fact, _ command: [String], _ evidence: [JSONValue.Member])
        -> Finding
    {
        Finding(
            .alternatingTokens, .warning,
            "\(Words.count(fact.amount, "device alternates", "devices alternate")) between two tokens from "
                + "visit to visit, for example token #\(fact.tokenID).",
            "Either one origin has two service workers with a subscription each, or two devices share an id, such as one that "
                + "a backup restored. Both tokens are kept active, so a person may get each push twice.",
            "Register all subscriptions of a device together, or keep the device id out of backups, so that "
                + "each device creates its own.",
            command: command, evidence: evidence)
    }

    private static func wandering(
        _ fact: Fact, _ rules: DoctorRules, _ command: [String], _ evidence: [JSONValue.Member]
    ) -> Finding {
        Finding(
            .wanderingValues, .warning,
            "\(Words.count(fact.amount, "value was", "values were")) registered by \(rules.wanderedDevices) "
                + "devices or more, one after the other, for example token #\(fact.tokenID).",
            "A token belongs to one device at a time. A value that many devices register is a placeholder that an app "
                + "or a library sends if it has no token; all devices but the last have left the audience.",
            "Find out which value the app sends, and let it register without a token until the system provides one.",
            command: command, evidence: evidence)
    }

    private static func dead(_ fact: Fact, _ command: [String], _ evidence: [JSONValue.Member]) -> Finding {
        Finding(
            .deadRegistrations, .warning,
            "Apps keep registering \(Words.count(fact.amount, "token", "tokens")) for which the provider has "
                + "rejected every push for a week, for example token #\(fact.tokenID)"
                + (fact.reason.isEmpty ? "." : ": \(fact.reason)."),
            "The provider found these tokens dead before the apps last registered them, and reports it for "
                + "every push since. They are suspect now.",
            "Let the app ask the system for its token at each launch instead of keeping it; on iOS, "
                + "unregister for remote notifications and register again.",
            command: command, evidence: evidence)
    }
}

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
            "A device key is public, so anyone can register invented values. GET /v1/tokens and GET /v1/token-changes leave "
                + "these out until a provider accepts a push to one of the installation's tokens.",
            "If they are genuine (an app with many topics), register them with a server key. Otherwise there "
                + "is nothing to do: no push is sent to them. Replace the device key with the next release.",
            command: examination.commandWithoutWindow("tokens", "status"),
            evidence: [
                .init("tokens", .integer(facts.tokens)),
                .init("installations", .integer(facts.installations)),
            ])
    }
}

/// Accounts that only devices name: the app's backend does not sign yet, or signs in a way that the server cannot check.
enum ClaimedAccounts: SingleDiagnosis {
    static let subject = "accounts of devices"

    struct Facts: Hashable {
        /// The accounts that signed in.
        let bound: Int64
        /// Those without a proof.
        let claimed: Int64
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let row = try examination.query(.Doctor.claimedAccounts, examination.recent, on: connection).single()
        return Facts(bound: try row.get("binding_count"), claimed: try row.get("claimed_count"))
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        facts.bound == 0
            ? .nothing
            : .judged(
                "\(Words.number(facts.claimed)) of \(Words.count(facts.bound, "sign-in", "sign-ins")) without a proof"
            )
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        let share = Proportion(facts.claimed, of: facts.bound)
        guard facts.claimed >= rules.claimedAccounts, share.value ?? 0 >= rules.claimedShare else {
            return nil
        }
        return Finding(
            .claimedAccounts, .warning,
            "\(Words.number(facts.claimed)) of the \(Words.count(facts.bound, "account", "accounts")) that "
                + "signed in have no proof of the app's backend.",
            "GET /v1/tokens?account= does not find their devices: anyone with the device key, which is in "
                + "every copy of the app, could have named these accounts.",
            "Let the app's backend sign the account when a user signs in, and the app post it as account_proof "
                + "(docs/trust.md). If it does, landfall_account_claims_total{proof=\"invalid\"} and the warnings in the "
                + "responses say what is wrong. To trust what devices say: landfall app set accounts trusted.",
            command: examination.commandWithoutWindow("app", "show"),
            evidence: [.init("claimed", share.json)])
    }
}
