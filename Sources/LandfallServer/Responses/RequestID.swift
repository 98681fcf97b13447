internal import HTTPTypes
internal import Synchronization

/// The id shared by a request, its response and its log lines: the caller's `X-Request-ID` if it is safe to
/// log, otherwise a generated one.
struct RequestID: Equatable {
    let text: String

    private static let longest = 128
    static let fieldName = "X-Request-ID"
    private static let headerName = HTTPField.Name(fieldName)
    /// Identifies this process among all others; the number after it counts up.
    private static let process = String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16)
    private static let made = Atomic<UInt64>(0)

    init(of headers: HTTPFields) {
        self.init(Self.headerName.flatMap { headers[$0] })
    }

    init(_ proposed: String?) {
        text = proposed.flatMap { Self.isSane($0) ? $0 : nil } ?? Self.next()
    }

    func write(to headers: inout HTTPFields) {
        if let name = Self.headerName { headers[name] = text }
    }

    private static func next() -> String {
        "\(process)-\(made.wrappingAdd(1, ordering: .relaxed).newValue)"
    }

    /// 1 to 128 visible ASCII characters.
    private static func isSane(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
