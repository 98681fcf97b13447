internal import Basics
internal import Crypto
internal import Foundation

/// The signature of a webhook: HMAC-SHA256 of a text that contains the time of signing.
enum HookSignature {
    /// A sender repeats a post that got no response with its first signature, Customer.io for seven days. An
    /// attacker who repeats one changes nothing: its events are duplicates.
    static let longestDelay = Span.days(8)
    static let furthestFuture = Span.minutes(5)

    /// Compares in constant time.
    static func isValid(_ code: some ContiguousBytes, of text: [UInt8], key: some ContiguousBytes) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text, using: SymmetricKey(data: key))
    }

    /// - Parameter timestamp: in seconds or milliseconds since 1970.
    static func isTimely(_ timestamp: String, now: Instant) -> Bool {
        guard let number = Int64(timestamp), (0...1 << 50).contains(number) else { return false }
        let signedAt = Instant(millisecondsSinceEpoch: number < 100_000_000_000 ? number * 1_000 : number)
        return signedAt >= now - longestDelay && signedAt <= now + furthestFuture
    }

    /// The bytes of hexadecimal digits; `nil` if it is anything else.
    static func bytes(ofHex text: Substring) -> [UInt8]? {
        let digits = Array(text)
        guard digits.count.isMultiple(of: 2), digits.allSatisfy(\.isHexDigit) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    static func fault(_ detail: String) -> PresetFault {
        PresetFault(code: "invalid_signature", detail: detail)
    }
}
