internal import Connecting
internal import DeliveryModel
internal import Foundation
internal import Rendering
internal import Reports

/// What `landfall connect` prints before it waits.
struct ConnectText {
    let app: App
    /// The address to which events are posted.
    let address: String

    /// Writes what to paste to stdout, and remarks about it to stderr.
    func write(_ sender: ConnectableSender, _ keys: ConnectKeys) throws {
        note("\(sender.title): paste this; \(sender.page) explains it.")
        try Stdout.write(lines: setup(sender, keys))
        if let loss = sender.loss { note("Not learned this way: \(loss)") }
        if let unused = keys.unused { note(unused) }
        for sentence in keys.created { note(sentence) }
        guard !keys.created.isEmpty else { return }
        note("Save what is above now: a key is shown only once. To use it again, set LANDFALL_KEY or --key.")
    }

    func setup(_ sender: ConnectableSender, _ keys: ConnectKeys) -> [String] {
        let pasted = sender.setup(url: address, key: keys.sender)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let device = keys.device else { return pasted }
        return pasted + [
            "", "The app's Info.plist, or what it passes to Landfall (docs/kit.md):", "",
            "LandfallURL        \(address)", "LandfallDeviceKey  \(device)",
        ]
    }
}

/// Says what is new, each line and each mistake once.
struct ConnectNews {
    /// More would scroll the mistakes away.
    private static let mostPushes = 50

    private var said: Set<String> = []
    private var pushLines = 0

    /// The lines that have not been said yet: pushes in the order of sending, then what is wrong with them.
    mutating func lines(of progress: ConnectProgress) -> [String] {
        var lines = progress.pushes.reversed().map(Self.line).filter { said.insert($0).inserted }
        lines = Array(lines.prefix(Self.mostPushes - pushLines))
        pushLines += lines.count
        if pushLines == Self.mostPushes, said.insert("further").inserted {
            lines.append("Further pushes are not listed.")
        }
        for trouble in progress.troubles where said.insert(trouble.kind).inserted {
            lines += ["  ! \(trouble.sentence)", "    Fix: \(trouble.fix)"]
        }
        if case .connected(let push) = progress.stage { lines += Self.end(push, progress.summary) }
        return lines
    }

    /// `018f…: alert by APNs, production, com.example.shop: accepted, arrived after 1.2 s`.
    private static func line(_ push: NewestPush) -> String {
        let record = push.record
        let details = record.response.map { response in
            let kind = "\(response.pushType.isEmpty ? "push" : response.pushType) by "
            return [
                kind + providerName(response.provider), response.environment, response.topic,
                response.campaign.isEmpty ? "" : "campaign \(response.campaign)",
            ].filter { !$0.isEmpty }.joined(separator: ", ") + ": "
        }
        return "\(record.notificationID.uuidString.lowercased()): \(details ?? "")\(record.fate)"
    }

    private static func end(_ push: PushRecord, _ summary: String) -> [String] {
        let id = push.notificationID.uuidString.lowercased()
        return ["", summary, ""]
            + ConnectProgress.funnel(of: push).map { stage in
                "  \(padded(stage.measure.rawValue, to: 12))\(stage.count)"
            } + ["", "All of it: landfall explain notification \(id)"]
    }
}
