internal import Basics

/// gaurun's logs (mercari/gaurun 9181637, `gaurun/log.go`): JSON with the fields of a push. `id` counts from
/// 1 in each process, so it is no id of a message; `identifier` is the caller's.
///
/// `accepted-push` says that gaurun queued it, and `disabled-push` that it sends nothing to the platform.
enum GaurunLog {
    static func read(_ line: [UInt8]) -> [PresetItem] {
        guard let entry = JSONCursor.value(in: line) else { return [.malformed(Array("{}".utf8))] }
        guard let type = entry["type"]?.text, ["succeeded-push", "failed-push"].contains(type) else {
            return []
        }
        guard let time = entry["time"]?.text.flatMap(instant) else {
            return [
                .unread("invalid_instant", "the zone of time is ambiguous: start gaurun with TZ=UTC", entry)
            ]
        }
        return [
            LoggedPush(
                sender: "gaurun", entry: entry, messageID: entry["identifier"]?.text, sentAt: time,
                number: entry["id"]?.text ?? "", unmasking: "the token in its log"
            ).item()
        ]
    }

    /// Zones whose abbreviations are not ambiguous. Go writes others as an offset, such as `+03`.
    private static let zones = [
        "UTC": "Z", "GMT": "Z", "JST": "+09:00", "KST": "+09:00", "CET": "+01:00", "CEST": "+02:00",
    ]

    /// Such as `2026/11/27 16:04:05 JST`.
    private static func instant(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 3 else { return Instant(rfc3339: text) }
        let zone = zones[String(parts[2])] ?? offset(parts[2])
        return zone.flatMap { Instant(rfc3339: "\(parts[0].replacing("/", with: "-"))T\(parts[1])\($0)") }
    }

    private static func offset(_ text: Substring) -> String? {
        guard let parts = text.wholeMatch(of: /([-+][0-9]{2}):?([0-9]{2})?/)?.output else { return nil }
        return "\(parts.1):\(parts.2 ?? "00")"
    }
}
