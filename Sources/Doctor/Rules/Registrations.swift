internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Tokens that apps register in ways that real devices do not.
enum DoubtfulTokens: EachDiagnosis {
    static let subject = "registrations of tokens"
    static let isAboutTraffic = false

    /// Two values that replace one another again and again, one value on many devices, or a value that the
    /// provider reports dead for every push.
    enum Doubt: String, Decodable {
        case alternating, wandering, dead
    }

    struct Fact: Hashable, Decodable {
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
        ).decode()
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "none in doubt" : Words.count(facts.total(\.amount), "doubt"))
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding {
        let texts = texts(fact, examination.rules)
        var evidence: [JSONValue.Member] = [
            .init(fact.doubt == .alternating ? "devices" : "tokens", .integer(fact.amount)),
            .init("token_id", .integer(fact.tokenID)),
        ]
        if fact.doubt == .dead { evidence.append(.init("reason", .string(fact.reason))) }
        return Finding(
            texts.id, .warning, texts.sentence, texts.meaning, texts.remedy,
            command: examination.commandWithoutWindow("explain", "token", "#\(fact.tokenID)"),
            evidence: evidence)
    }

    private static func texts(
        _ fact: Fact, _ rules: DoctorRules
    ) -> (id: Finding.ID, sentence: String, meaning: String, remedy: String) {
        let example = "for example token #\(fact.tokenID)"
        return switch fact.doubt {
        case .alternating:
            (
                .alternatingTokens,
                "\(Words.count(fact.amount, "device alternates", "devices alternate")) between two tokens "
                    + "from visit to visit, \(example).",
                "Either one origin has two service workers with a subscription each, or two devices share an "
                    + "id, such as one that a backup restored. Both tokens are kept active, so a person may "
                    + "get each push twice.",
                "Register all subscriptions of a device together, or keep the device id out of backups, so "
                    + "that each device creates its own."
            )
        case .wandering:
            (
                .wanderingValues,
                "\(Words.count(fact.amount, "value was", "values were")) registered by "
                    + "\(rules.wanderedDevices) devices or more, one after the other, \(example).",
                "A token belongs to one device at a time. A value that many devices register is a "
                    + "placeholder that an app or a library sends if it has no token; all devices but the "
                    + "last have left the audience.",
                "Find out which value the app sends, and let it register without a token until the system provides one."
            )
        case .dead:
            (
                .deadRegistrations,
                "Apps keep registering \(Words.count(fact.amount, "token")) for which the provider has "
                    + "rejected every push for a week, \(example)"
                    + (fact.reason.isEmpty ? "." : ": \(fact.reason)."),
                "The provider found these tokens dead before the apps last registered them, and reports it "
                    + "for every push since. They are suspect now.",
                "Let the app ask the system for its token at each launch instead of keeping it; on iOS, "
                    + "unregister for remote notifications and register again."
            )
        }
    }
}

/// Unproven token values, which devices registered and no feed contains.
enum UnprovenTokens: SingleDiagnosis {
    static let subject = "tokens without a proof"
    static let isAboutTraffic = false

    struct Facts: Hashable, Decodable {
        let tokens: Int64
        let installations: Int64
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        try examination.query(.Doctor.unprovenTokens, examination.recent, on: connection).single().decode()
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.tokens == 0 ? "none" : Words.count(facts.tokens, "token"))
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        guard facts.installations >= examination.rules.unprovenInstallations else { return nil }
        return Finding(
            .unprovenTokens, .warning,
            "\(Words.count(facts.installations, "installation")) registered "
                + "\(Words.count(facts.tokens, "token value")) beyond what an app needs.",
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

/// Accounts that only devices name: the app's backend does not sign yet, or its signature cannot be checked.
enum ClaimedAccounts: SingleDiagnosis {
    static let subject = "accounts of devices"

    /// The accounts that signed in without a proof, of all that signed in.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Proportion {
        let row = try examination.query(.Doctor.claimedAccounts, examination.recent, on: connection).single()
        return Proportion(try row.get("claimed_count"), of: try row.get("binding_count"))
    }

    static func examined(_ claimed: Proportion, _ examination: Examination) -> Examined {
        guard claimed.denominator > 0 else { return .nothing }
        let signIns = claimed.denominator == 1 ? "sign-in" : "sign-ins"
        return .judged("\(claimed.ofWords) \(signIns) without a proof")
    }

    static func finding(_ claimed: Proportion, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard claimed.numerator >= rules.claimedAccounts, claimed.value ?? 0 >= rules.claimedShare else {
            return nil
        }
        return Finding(
            .claimedAccounts, .warning,
            "\(Words.number(claimed.numerator)) of the \(Words.count(claimed.denominator, "account")) that "
                + "signed in have no proof of the app's backend.",
            "GET /v1/tokens?account= does not find their devices: anyone with the device key, which is in "
                + "every copy of the app, could have named these accounts.",
            "Let the app's backend sign the account when a user signs in, and the app post it as account_proof "
                + "(docs/trust.md). If it does, landfall_account_claims_total{proof=\"invalid\"} and the warnings in the "
                + "responses say what is wrong. To trust what devices say: landfall app set accounts trusted.",
            command: examination.commandWithoutWindow("app", "show"),
            evidence: [.init("claimed", claimed.json)])
    }
}
