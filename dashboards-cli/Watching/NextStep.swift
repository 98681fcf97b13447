internal import Access
internal import DeliveryModel
internal import Foundation
internal import Reports

/// A command that is worth trying next, and why.
struct NextStep: Equatable {
    let command: String
    let reason: String

    var document: JSONValue { ["command": .string(command), "reason": .string(reason)] }

    /// Where there is no database yet.
    static let withoutDatabase = [
        NextStep(
            command: "landfall demo",
            reason: "shows everything with a day of made-up traffic, and leaves nothing behind"),
        NextStep(
            command: "landfall-server",
            reason: "makes a private database with a first app and its keys, and says how to post to it"),
        NextStep(
            command: "landfall migrate --database postgres://landfall@db.example.com/landfall",
            reason: "starts with a PostgreSQL of your own"),
    ]

    /// Where there is no app yet.
    static let withoutApp = [
        NextStep(
            command: "landfall app create shop", reason: "makes the app that all notifications belong to")
    ]

    /// One app is looked at; what is urgent comes first, and there is always something.
    static func after(_ day: AppToday, _ health: TokenHealth?, isOnlyApp: Bool) -> [NextStep] {
        let app = isOnlyApp ? "" : " --app \(day.app.slug)"
        guard let last = day.lastQuarter else { return withoutNotifications(app) }
        var steps: [NextStep] = []
        if let held = health?.breakers, !held.isEmpty {
            let tokens = grouped(held.reduce(0) { $0 + $1.heldTokens })
            steps.append(
                NextStep(
                    command: "landfall tokens release\(app)",
                    reason:
                        "plans what becomes of \(tokens) tokens that a breaker holds back; confirm retires them"
                ))
        }
        if day.received.rejected > 0 {
            steps.append(
                NextStep(
                    command: "landfall quarantine list\(app) --from 24h",
                    reason:
                        "shows why \(grouped(day.received.rejected)) items of the last 24 hours were rejected"
                ))
        }
        if day.today.totals[.attempted] == 0 {
            let clock = StoryClock(timeZone: day.timeZone, now: day.asOf)
            steps.append(
                NextStep(
                    command: "landfall funnel\(app) --from 30d --by day",
                    reason:
                        "looks further back: nothing was sent today, the last push \(clock.relative(last))"))
        } else {
            steps.append(
                NextStep(
                    command: "landfall funnel\(app) --from today --by campaign",
                    reason: "has every stage and rate of today, with intervals"))
        }
        steps.append(
            NextStep(command: "landfall watch\(app)", reason: "keeps this up to date on the whole screen"))
        return steps
    }

    private static func withoutNotifications(_ app: String) -> [NextStep] {
        [
            NextStep(
                command: "landfall key create\(app) --kind server",
                reason: "makes the key with which your sender posts what the provider answered"),
            NextStep(
                command: "landfall demo",
                reason: "shows every report with a day of made-up traffic, and leaves nothing behind"),
        ]
    }

    static func lines(_ steps: [NextStep], _ style: OutputStyle) -> [String] {
        let widest = steps.map { displayWidth($0.command) }.max() ?? 0
        return [style.paint("Try next", .title)]
            + steps.flatMap { step -> [String] in
                let line = "  \(padded(step.command, to: widest))  "
                guard displayWidth(line) + displayWidth(step.reason) > style.width ?? .max else {
                    return [line + style.paint(step.reason, .aside)]
                }
                return ["  \(step.command)"]
                    + folded(step.reason, indentation: 6, style).map { style.paint($0, .aside) }
            }
    }
}
