internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Presets

/// `POST /v1/intake/{preset}`: what other senders post, in their own form. `GET` says what to configure.
///
/// These senders disable a hook that does not get 200. So whatever is recorded or in quarantine gets 200,
/// with the body that the sender expects.
struct IntakeController {
    /// The template of the path.
    static let path = "/v1/intake/{preset}"
    private static let route: RouterPath = "intake/:preset"
    /// More than any webhook posts. A preset reads a whole body at once, so a large one of many tiny items
    /// would take a multiple of its size.
    private static let mostBodyBytes = 4 << 20
    private static let keyPlaceholder = "lf_hook_…"
    private static let forwardedScheme = HTTPField.Name("X-Forwarded-Proto")

    let intake: EventIntake

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) { group.post(Self.route, use: record) }

    /// Adds the route that needs no key: a person opens it in a browser, and it contains no secret.
    func addSetup(to group: RouterGroup<LandfallRequestContext>) {
        group.group("v1").get(Self.route, use: setup)
    }

    @Sendable
    private func record(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let began = ContinuousClock.now
        let credential = try context.requireCredential(.hook, .server)
        let preset = try context.preset
        try intake.checkRoom(for: credential)
        var share = intake.budget.share(for: credential.flow, in: credential.app.cell)
        let most = min(Self.mostBodyBytes, intake.limits.bodyBytes(with: .server))
        let body = try await request.bytes(upTo: most, &share)
        let (post, reading) = try intake.read(
            body, headers: request.headers.byName, through: preset, began: began, credential: credential,
            &share
        )
        _ = try await withCheckedThrowingContinuation { continuation in
            intake.record(post) { continuation.resume(with: $0) }
        }
        post.cell.metrics.ingestion.skipped(reading.skipped, of: preset)
        return Response(
            status: .ok, headers: [.contentType: reading.answer.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: reading.answer.body)))
    }

    @Sendable
    private func setup(_ request: Request, context: LandfallRequestContext) throws -> Response {
        let preset = try context.preset
        let forwarded = Self.forwardedScheme.flatMap { request.headers[$0] }?.lowercased()
        let scheme = forwarded == "https" ? "https" : "http"
        let host = request.head.authority ?? "127.0.0.1:8080"
        let text =
            preset.setup("\(scheme)://\(host)/v1/intake/\(preset.name)", Self.keyPlaceholder)
            + "\n\(Self.keyPlaceholder) is a hook key: landfall key create --kind hook\n"
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension LandfallRequestContext {
    /// - Throws: 404 with the names of the presets. It does not quote the path, which may contain a key.
    fileprivate var preset: Preset {
        get throws(Problem) {
            guard let preset = parameters.get("preset").flatMap(Preset.named) else {
                let names = Preset.all.map(\.name).joined(separator: ", ")
                throw .notFound("there is no such preset: use one of \(names)")
            }
            return preset
        }
    }
}

extension HTTPFields {
    /// Values by lower-case name, without the key.
    fileprivate var byName: [String: String] {
        reduce(into: [:]) { fields, field in
            guard field.name != .authorization else { return }
            let name = field.name.canonicalName
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }
}
