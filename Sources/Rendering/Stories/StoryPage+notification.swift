internal import DeliveryModel
internal import Foundation
package import Reports

extension NotificationStory: ScopedStory {
    /// `landfall explain notification` as text.
    package func lines(_ style: OutputStyle) -> [String] { StoryPage(story: self, style: style).lines }
}

extension StoryPage where Story == NotificationStory {
    private var push: PushRecord { story.push }

    fileprivate var lines: [String] {
        heading("Notification \(push.notificationID.uuidString.lowercased())") + sending + response + target
            + section("What happened") + steps + section("What it counts as") + counting + consequences
    }

    private var sending: [String] {
        let campaign = push.response.map {
            $0.campaign.isEmpty ? "none" : $0.campaign + ($0.variant.isEmpty ? "" : ", variant \($0.variant)")
        }
        let details = push.response.map { response in
            ([
                "\(response.pushType) by \(response.provider)", response.environment, response.topic,
                response.priority.isEmpty ? "" : "priority \(response.priority)",
            ] + facts).filter { !$0.isEmpty }.joined(separator: ", ")
        }
        return fact("sent", clock.localAndRelative(push.sentAt)) + fact("campaign", campaign)
            + fact("push", details)
    }

    /// The facts that the response states, except for the one that is printed with it: `collapse id score`.
    private var facts: [String] {
        DeliveryFact.all.filter { [.response, .counted].contains($0.source) }.compactMap { fact -> String? in
            guard fact.column != "rejected_at" else { return nil }
            let name = fact.column.replacing("_", with: " ")
            return switch fact.access {
            case .text(let read, _): read(push.facts).map { "\(name) \($0)" }
            case .flag(let read, _): read(push.facts).map { $0 ? name : "not \(name)" }
            case .instant(let read, _): read(push.facts).map { "\(name) \(clock.local($0))" }
            }
        }
    }

    private var response: [String] {
        let isAccepted = push.state.contains(.accepted)
        let outcome = push.response.map { " (\(isAccepted ? "accepted" : $0.outcomeClass))" } ?? ""
        let death =
            push.facts.invalidSince.map { "; the provider found the token dead at \(clock.local($0))" } ?? ""
        return fact(
            "response", (push.responseText ?? "none on record") + outcome + death,
            isAccepted ? .confirmed : .trouble)
    }

    private var target: [String] {
        let token = story.token.map {
            "#\($0.tokenID) \($0.shortFingerprint), \($0.state) now, \(printable($0.address))"
        }
        return fact("token", token) + fact("device", story.deviceID?.uuidString.lowercased())
    }

    private var steps: [String] {
        let recalled = push.state.contains(.recalled) ? ["  recalled by the sender, at an unknown time"] : []
        return ["\(when(push.sentAt)) sent"] + push.reports.map(line) + recalled
    }

    private func line(_ report: PushRecord.ReportedEvent) -> String {
        let action = report.what == "clicked" ? push.facts.action.map { " on \(printable($0))" } ?? "" : ""
        guard let after = report.after else { return "  \(report.what)\(action), at an unknown time" }
        let sign = after.milliseconds < 0 ? "-" : "+"
        return
            "  \(clock.local(push.sentAt + after))  \(padded(sign + after.words, to: 12)) \(report.what)\(action)"
    }

    private var counting: [String] {
        hanging("  ", story.countedAs.isEmpty ? "nothing" : story.countedAs.joined(separator: ", "))
            + story.remarks.flatMap { hanging("  ", $0, .aside) }
    }

    private var consequences: [String] {
        guard !story.consequences.isEmpty else { return [] }
        return section("What its response did to the token")
            + story.consequences.flatMap { decision($0, story.names) }
    }
}
