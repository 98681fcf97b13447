internal import Access
internal import DeliveryModel
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

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
            "\(Words.number(facts.claimed)) of the \(Words.count(facts.bound, "account", "accounts")) that signed in have "
                + "no proof of the app's backend.",
            meaning:
                "GET /v1/tokens?account= does not find their devices: anyone with the device key, which is in every copy of "
                + "the app, could have named these accounts.",
            remedy:
                "Let the app's backend sign the account when a user signs in, and the app post it as account_proof "
                + "(docs/trust.md). If it does, landfall_account_claims_total{proof=\"invalid\"} and the warnings in the "
                + "responses say what is wrong. To trust what devices say: landfall app set accounts trusted.",
            command: examination.commandWithoutWindow("app", "show"),
            evidence: [.init("claimed", share.json)])
    }
}
