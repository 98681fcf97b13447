internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import People

/// The cookie that carries a session's secret.
///
/// Browsers keep `__Host-` cookies only if they came over HTTPS, and never send them to another host or a subdomain. A console that
/// is opened on the machine itself has no HTTPS, so the name there is a plain one.
struct ConsoleCookie {
    /// Whether the browser reaches the server directly, on the machine itself.
    let isLoopback: Bool

    init(_ request: Request, _ context: LandfallRequestContext) {
        let socket = context.channel.remoteAddress.flatMap { IPAddress($0) }
        let isForwarded = ["X-Forwarded-For", "Forwarded", "X-Forwarded-Proto"].contains { name in
            HTTPField.Name(name).map { request.headers[$0] != nil } ?? false
        }
        isLoopback = !isForwarded && socket?.isLoopback == true && Self.namesLoopback(request.head.authority)
    }

    /// Whether the host that the browser was asked to open is this machine, so that no other site's name leads here.
    private static func namesLoopback(_ authority: String?) -> Bool {
        guard let authority else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { host in
            authority == host || authority.hasPrefix(host + ":")
        }
    }

    var name: String { isLoopback ? "landfall" : "__Host-landfall" }

    func secret(of request: Request) -> Secret? {
        request.cookies[name].flatMap { Secret(text: $0.value) }
    }

    /// The value of `Set-Cookie` that begins a session. Without `Max-Age`, so that it ends with the browser at the latest.
    func beginning(_ secret: Secret) -> String { field(secret.text) }

    /// The value that ends it.
    var ending: String { field("") + "; Max-Age=0" }

    private func field(_ value: String) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax\(isLoopback ? "" : "; Secure")"
    }
}
