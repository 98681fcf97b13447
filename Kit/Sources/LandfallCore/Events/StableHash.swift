internal import Foundation

/// FNV-1a: the same in every process, on every device. It names files and tells records apart, and keeps no
/// secret.
package struct StableHash {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init(_ text: String) {
        for byte in text.utf8 {
            value ^= UInt64(byte)
            value = value &* 0x100_0000_01b3
        }
    }

    /// 16 hex digits.
    package var hex: String {
        String(format: "%016llx", value)
    }
}
