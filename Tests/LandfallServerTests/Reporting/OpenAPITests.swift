import DeliveryModel
import Foundation
import Hummingbird
import Logging
import Reports
import TestDatabase
import Testing
import TokenLifecycle

@testable import Ingestion
@testable import LandfallServer

/// `/openapi.yaml` is what the server does.
@Suite("The description of the interface") struct OpenAPITests {
    private let document: OpenAPIDocument

    init() throws {
        document = try OpenAPIDocument()
    }

    @Test("is served to everybody", .database)
    func served() async throws {
        let text = try String(contentsOf: OpenAPIDocument.file, encoding: .utf8)
        try await TestServer.run { server async throws in
            let answer = try await server.send(.get, "/openapi.yaml", as: nil)
            #expect(answer.status == 200)
            #expect(answer.contentType == "application/yaml")
            #expect(answer.text == text)
            #expect(text.contains("\n  version: \(LandfallVersion.current)\n"))
        }
    }

    @Test("has every route of the router, and no other", .database)
    func routes() async throws {
        var configuration = ServerConfiguration(databaseURL: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        let router = buildRouter(
            configuration, backend: backend, SmallPosts(configuration, backend: backend, logger: logger))
        let routes = router.routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(document.operations) == Set(routes))
        #expect(document.operations.count == routes.count)
        try await backend.close()
    }

    @Test("names every code that the server answers, and no other")
    func codes() throws {
        let codes =
            document.list(document.section("components", "schemas", "ProblemCode"))
            + document.list(document.section("components", "schemas", "RejectionCode"))
        #expect(Set(codes) == (try ProblemCodes.all()))
        #expect(Set(codes).count == codes.count)
        #expect(
            document.list(document.section("components", "schemas", "RejectionCode"))
                == ItemRejection.Code.allCases.map(\.rawValue))
    }

    @Test("names every field of every event, and no other")
    func fields() {
        let schemas = ["NotificationName", "ResponseEvent", "DeviceEvent", "ClickEvent", "RecallEvent"]
        let described = schemas.flatMap {
            document.names(document.section("components", "schemas", $0, "properties"), depth: 4)
        }
        let known = PostedField.allCases.map(\.name)
        // `type` stands in one line with its value.
        #expect(Set(described).union(["type"]) == Set(known))
    }

    @Test("names every parameter of every report, and no other", arguments: ReportRoute.all.map(\.name))
    func parameters(report: String) throws {
        let route = try #require(ReportRoute.all.first { $0.name == report })
        let described = document.parameters(of: "/v1/reports/\(report)")
        #expect(described.sorted() == (route.parameters + ["If-None-Match"]).sorted())
    }

    @Test("names every dimension")
    func dimensions() {
        let list = "enum: [\(Dimension.allCases.map(\.rawValue).joined(separator: ", "))]"
        #expect(document.section("components", "parameters", "By").contains { $0.hasSuffix(list) })
    }

    @Test("names every class of rejection, and all that is advised")
    func advice() {
        let rejections = document.section("components", "schemas", "Rejections")
        let retries = RejectedAnswer.Retry.allCases.map(\.rawValue)
        let verdicts = TokenVerdict.allCases.map(\.rawValue)
        for words in [RejectionClass.allCases.map(\.rawValue), retries, verdicts] {
            // YAML takes a bare no for false.
            let list = words.map { $0 == "no" ? "'no'" : $0 }.joined(separator: ", ")
            #expect(rejections.contains { $0.hasSuffix("enum: [\(list)]") }, "\(list)")
        }
    }

    @Test("names every kind of token, permission and type of event")
    func words() {
        let kinds = TokenKind.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(
            document.section("components", "schemas", "TokenKind").contains {
                $0.contains("[\(kinds), null]")
            })
        let permissions = Registration.permissions.joined(separator: ", ")
        #expect(
            document.section("components", "schemas", "Registration").contains { $0.contains(permissions) })
        let types = document.names(document.section("components", "schemas"), depth: 2).filter {
            $0.hasSuffix("Event")
        }
        #expect(
            Set(types).subtracting(["Event", "DeviceEvent"])
                == Set(
                    ["response", "arrival", "presentation", "click", "dismissal", "recall"]
                        .map { $0.capitalized + "Event" }))
    }
}
