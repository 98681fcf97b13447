internal import HTTPTypes
internal import Hummingbird

/// What ties a request, its answer and its log lines together: the caller's own `X-Request-ID` when it can be trusted in a log
/// line, else the one that Hummingbird made.
struct RequestID: Equatable {
    let text: String

    private static let longest = 128
    private static let headerName = HTTPField.Name("X-Request-ID")

    init(of request: Request, orElse made: String) {
        self.init(Self.headerName.flatMap { request.headers[$0] }, orElse: made)
    }

    init(_ proposed: String?, orElse made: String) {
        text = proposed.flatMap { Self.isSane($0) ? $0 : nil } ?? made
    }

    func answer(in response: inout Response) {
        if let name = Self.headerName { response.headers[name] = text }
    }

    /// 1 to 128 visible ASCII characters.
    private static func isSane(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
