internal import Foundation
internal import Synchronization

/// The `Date` of responses (RFC 9110, section 5.6.7), formatted once a second.
enum HTTPDate {
    private static let latest = Mutex((second: 0, text: ""))

    static var now: String {
        let second = time(nil)
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(second)) }
            return latest.text
        }
    }

    /// A text such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func text(_ second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let length = strftime(start, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
