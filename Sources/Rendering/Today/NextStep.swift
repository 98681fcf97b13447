internal import Documents
internal import Reports

/// A suggested command, and the reason for it.
package struct NextStep: Equatable, Sendable {
    let command: String
    let reason: String

    package init(command: String, reason: String) {
        (self.command, self.reason) = (command, reason)
    }

    var document: JSONValue { ["command": .string(command), "reason": .string(reason)] }

    /// If there is no database yet.
    package static let withoutDatabase = [
        NextStep(
            command: "landfall demo",
            reason: "shows everything with a day of simulated traffic, and leaves nothing behind"),
        NextStep(
            command: "landfall-server",
            reason: "creates a private database with a first app and its keys, and shows how to post to it"),
        NextStep(
            command: "landfall migrate --database postgres://landfall@db.example.com/landfall",
            reason: "starts with your own PostgreSQL"),
    ]

    /// If there is no app yet.
    package static let withoutApp = [
        NextStep(
            command: "landfall app create shop", reason: "creates the app that all notifications belong to")
    ]

    package static func lines(_ steps: [NextStep], _ style: OutputStyle) -> [String] {
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
