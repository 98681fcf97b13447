internal import Crypto
internal import Hummingbird
internal import Rendering

/// The style sheet and the script of the console. Their names contain their digests, so browsers keep them for a year.
struct ConsoleAsset: Sendable {
    let path: String
    private let contentType: String
    private let body: ByteBuffer

    static let styles = ConsoleAsset(
        "console", "css", "text/css; charset=utf-8",
        Array(HTMLPage.styleSheet.utf8) + PackageResources.console_css)
    static let script = ConsoleAsset(
        "console", "js", "text/javascript; charset=utf-8", PackageResources.console_js)

    private init(_ name: String, _ ending: String, _ contentType: String, _ bytes: [UInt8]) {
        let digest = SHA256.hash(data: bytes).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }
        path = "/assets/\(name)-\(digest.joined()).\(ending)"
        self.contentType = contentType
        body = ByteBuffer(bytes: bytes)
    }

    static func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        for asset in [styles, script] {
            group.get("\(asset.path)") { _, _ in asset.response }
        }
    }

    private var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: contentType, .cacheControl: "public, max-age=31536000, immutable"],
            body: ResponseBody(byteBuffer: body))
    }
}
