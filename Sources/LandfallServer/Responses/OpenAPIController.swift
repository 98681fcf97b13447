internal import Hummingbird
internal import NIOCore

/// `GET /openapi.yaml`, without a key: the description of the whole interface.
struct OpenAPIController {
    private static let document = Response(
        status: .ok, headers: [.contentType: "application/yaml"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_yaml)))

    func addRoutes(to router: RouterGroup<LandfallRequestContext>) {
        router.get("openapi.yaml") { _, _ in Self.document }
    }
}
