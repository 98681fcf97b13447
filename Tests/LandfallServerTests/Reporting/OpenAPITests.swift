import DeliveryModel
import Foundation
import Hummingbird
import Logging
import Presets
import Reports
import TestDatabase
import Testing
import TokenLifecycle

@testable import Ingestion
@testable import LandfallServer

/// `/openapi.yaml` agrees with the server.
@Suite("The API description") struct OpenAPITests {
    private let document: OpenAPIDocument

    init() throws {
        document = try OpenAPIDocument()
    }

    @Test("is served to every client", .database)
    func served() async throws {
        let text = try String(contentsOf: OpenAPIDocument.file, encoding: .utf8)
        try await TestServer.run { server async throws in
            let response = try await server.send(.get, "/openapi.yaml", as: nil)
            #expect(response.status == 200)
            #expect(response.contentType == "application/yaml")
            #expect(response.text == text)
            #expect(text.contains("\n  version: \(LandfallVersion.current)\n"))
        }
    }

    @Test("has every route of the router, and no other", .database)
    func routes() async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        let router = buildRouter(
            configuration, backend: backend, SmallPostIntake(configuration, backend: backend, logger: logger),
            FeedWaits(backend, limit: 1))
        let routes = router.routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(document.operations) == Set(routes))
        #expect(document.operations.count == routes.count)
        try await backend.close()
    }

    @Test("names every code in the server's responses, and no other")
    func codes() throws {
        let codes = document.list(document.section("components", "schemas", "ProblemCode"))
        #expect(Set(codes) == (try ProblemCodes.all()))
        #expect(Set(codes).count == codes.count)
        let rejections = document.list(document.section("components", "schemas", "RejectionCode"))
        #expect(rejections == ItemRejection.Code.allCases.map(\.rawValue))
        let warnings = document.list(document.section("components", "schemas", "WarningCode"))
        #expect(Set(warnings) == Set(ItemWarnings.all.map(\.code)))
    }

    @Test("names every field of every event, and no other")
    func fields() {
        let described = eventSchemas.flatMap {
            document.names(document.section("components", "schemas", $0, "properties"), depth: 4)
        }
        #expect(Set(described) == Set(PostedField.allCases.map(\.name)))
    }

    @Test("names every parameter of every report, and no other", arguments: ReportRoute.all.map(\.name))
    func parameters(report: String) throws {
        let route = try #require(ReportRoute.all.first { $0.name == report })
        let described = document.parameters(of: "/v1/reports/\(report)")
        #expect(described.sorted() == (route.parameters + ["If-None-Match"]).sorted())
    }

    @Test("names every dimension")
    func dimensions() {
        #expect(words("Dimension") == Dimension.allCases.map(\.rawValue))
        let keys = document.names(document.section("components", "schemas", "RowKey", "properties"), depth: 4)
        #expect(keys == Dimension.allCases.map(\.rawValue))
    }

    @Test("names every class of rejection and every piece of advice")
    func advice() {
        #expect(words("RejectionClass") == RejectionClass.allCases.map(\.rawValue))
        #expect(words("Retryable") == RejectedResponse.Retry.allCases.map(\.rawValue))
        #expect(words("TokenVerdict") == TokenVerdict.allCases.map(\.rawValue))
        let counted = document.names(
            document.section("components", "schemas", "FunnelCountsRejected", "properties"), depth: 4)
        #expect(counted == RejectionClass.allCases.map(\.rawValue))
    }

    @Test("names every preset")
    func presets() {
        #expect(Set(words("Preset")) == Set(Preset.all.map(\.name)))
    }

    @Test("names every kind of token, permission and type of event")
    func words() {
        #expect(words("TokenKind") == TokenKind.allCases.map(\.rawValue))
        #expect(words("Permission") == Array(Registration.permissions))
        #expect(words("TokenState") == TokenState.allCases.map(\.rawValue))
        #expect(
            Set(eventSchemas)
                == Set(
                    ["response", "arrival", "presentation", "click", "dismissal", "recall"]
                        .map { $0.capitalized + "Event" }))
    }

    /// Generators name a class after each schema. For a nested one without a name they invent a name that no
    /// one can guess, or create none.
    @Test("has a name for every object: none is nested in another, and none is composed of others")
    func flat() {
        let schemas = document.section("components", "schemas")
        #expect(!schemas.contains { $0.contains("allOf:") })
        let objects = schemas.filter { $0.hasSuffix("type: object") }
        #expect(objects.count > 50)
        #expect(objects.allSatisfy { $0 == "      type: object" })
        let others = document.section("paths") + document.section("components", "parameters")
        #expect(!others.contains { $0.contains("type: object") || $0.contains("enum:") })
    }

    private var eventSchemas: [String] {
        document.names(document.section("components", "schemas"), depth: 2)
            .filter { $0.hasSuffix("Event") && $0 != "Event" }
    }

    /// The words of an enumeration that is written in one line.
    private func words(_ schema: String) -> [String] {
        let line = document.section("components", "schemas", schema).first { $0.contains("enum: [") }
        let list = line?.firstMatch(of: #/\[(.*)\]/#)?.1 ?? ""
        // YAML reads an unquoted no as false.
        return list.split(separator: ", ").map { $0 == "'no'" ? "no" : String($0) }
    }
}
