internal import Hummingbird
internal import NIOCore

/// `GET /openapi.yaml`, without a key: what the whole interface is, for people and programs.
struct OpenAPIController {
    private static let document = Response(
        status: .ok, headers: [.contentType: "application/yaml"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_yaml)))

    func addRoutes(to router: Router<LandfallRequestContext>) {
        router.get("openapi.yaml") { _, _ in Self.document }
    }
}
