internal import HTTPTypes
internal import Hummingbird
internal import People

/// The cookie that carries a session's secret.
///
/// Browsers keep `__Host-` cookies only if they came over HTTPS, and never send them to another host or a subdomain. A console that
/// is opened on the machine itself has no HTTPS, so the name there is a plain one.
struct ConsoleCookie {
    /// Whether the browser reaches the server directly, on the machine itself.
    let isLoopback: Bool

    /// - Parameter hasProxy: whether the settings name a proxy. Then the connection says nothing about the browser.
    init(_ request: Request, _ context: LandfallRequestContext, hasProxy: Bool) {
        let socket = context.channel.remoteAddress.flatMap { IPAddress($0) }
        isLoopback =
            !hasProxy && socket?.isLoopback == true && Self.namesLoopback(request.head.authority)
            && !request.headers.contains { Self.isOfProxy($0.name) }
    }

    /// Whether only proxies send the field.
    private static func isOfProxy(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return name.hasPrefix("x-forwarded") || fieldsOfProxies.contains(name)
    }

    private static let fieldsOfProxies: Set = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-host",
        "x-original-url",
        "x-scheme", "cf-connecting-ip", "cf-visitor", "true-client-ip", "fastly-client-ip", "front-end-https",
    ]

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
