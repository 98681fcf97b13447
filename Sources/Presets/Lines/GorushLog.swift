internal import Basics

/// gorush's logs (appleboy/gorush 891b453, `logx/log.go`): logrus writes JSON if the output is no terminal,
/// with the entry of a push in `msg`, as JSON if `log.format` is `json`. Successes are in the access log,
/// failures in the error log.
enum GorushLog {
    static func read(_ line: [UInt8], now: Instant) -> [PresetItem] {
        guard let record = JSONCursor.value(in: line) else {
            return isPush(String(decoding: line, as: UTF8.self)) ? [format] : []
        }
        if record["platform"] != nil {
            // Otherwise the id would contain the time of reading, and a repeated line would count again.
            guard let id = record["notif_id"]?.text else {
                let detail = "time and notif_id are missing in a line of gorush's log"
                return [.unread("invalid_instant", detail, record)]
            }
            return [record.gorushPush(sentAt: .sending(id, reportedAt: now)).item()]
        }
        guard let message = record["msg"]?.text else { return [] }
        guard let entry = JSONCursor.value(in: Array(message.utf8)) else {
            return isPush(message) ? [format] : []
        }
        guard entry["platform"] != nil else { return [] }
        guard let time = record["time"]?.text.flatMap({ Instant(rfc3339: $0) }) else {
            return [.unread("invalid_instant", "time is missing in a line of gorush's log", entry)]
        }
        return [entry.gorushPush(sentAt: time).item()]
    }

    /// Whether the text is about a push, in gorush's format for people, which has no id, or cut off.
    private static func isPush(_ text: String) -> Bool { text.contains(/(?:succeeded|failed)-push/) }

    /// The line itself is left out, because it contains the text of the notification.
    private static let format = PresetItem.unread(
        code: "unread_post",
        detail: "the line is not JSON, or cut off: set log.format: json in gorush's configuration",
        posted: Array("{}".utf8))
}
