import DeliveryModel
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite("Annotations", .database) struct AnnotationTests {
    private let bench = PeopleBench()

    private func add(
        _ text: String, of app: App, at span: Span, until: Span? = nil, campaign: String? = nil,
        on connection: PostgresConnection
    ) throws -> Annotation {
        try Annotations.add(
            text, of: app, at: bench.now + span, until: until.map { bench.now + $0 }, campaign: campaign,
            by: "ada", now: bench.now, on: connection)
    }

    @Test("annotations that touch the window are listed by time, of this app only")
    func window() throws {
        let connection = try TestDatabase.current.connect()
        let (shop, news) = try bench.apps(on: connection)
        let sale = try add(
            "Sale", of: shop, at: .hours(-48), until: .hours(1), campaign: "spring", on: connection)
        _ = try add("Before", of: shop, at: .hours(-1), on: connection)
        let start = try add("Build 212 released", of: shop, at: .hours(0), on: connection)
        _ = try add("End", of: shop, at: .hours(24), on: connection)
        _ = try add("Elsewhere", of: news, at: .hours(1), on: connection)
        let listed = try Annotations.list(
            of: shop, in: bench.now..<(bench.now + .hours(24)), on: connection)
        #expect(listed == [sale, start])
        #expect(sale.campaign == "spring" && sale.until == bench.now + .hours(1))
        #expect(start.createdBy == "ada" && start.createdAt == bench.now && start.until == nil)
    }

    @Test("an annotation is removed in its own app only")
    func removed() throws {
        let connection = try TestDatabase.current.connect()
        let (shop, news) = try bench.apps(on: connection)
        let added = try add("Build 212", of: shop, at: .hours(0), on: connection)
        #expect(throws: AnnotationError.noSuchAnnotation(added.id, app: "news")) {
            try Annotations.remove(added.id, of: news, on: connection)
        }
        #expect(try Annotations.remove(added.id, of: shop, on: connection) == added)
        #expect(throws: AnnotationError.noSuchAnnotation(added.id, app: "shop")) {
            try Annotations.remove(added.id, of: shop, on: connection)
        }
    }

    @Test(
        "the text is one line of up to 200 characters",
        arguments: ["", "  ", "a\nb", "a\u{1B}[31m", "\u{202E}a", String(repeating: "a", count: 201)])
    func text(text: String) throws {
        let connection = try TestDatabase.current.connect()
        let (shop, _) = try bench.apps(on: connection)
        #expect(throws: AnnotationError.invalidText) {
            try add(text, of: shop, at: .hours(0), on: connection)
        }
    }

    @Test("the end is after the start, and a campaign has a name")
    func otherMistakes() throws {
        let connection = try TestDatabase.current.connect()
        let (shop, _) = try bench.apps(on: connection)
        #expect(throws: AnnotationError.endsBeforeStart) {
            try add("Sale", of: shop, at: .hours(0), until: .hours(0), on: connection)
        }
        #expect(throws: AnnotationError.invalidCampaign) {
            try add("Sale", of: shop, at: .hours(0), campaign: "", on: connection)
        }
        let long = try add(String(repeating: "é", count: 200), of: shop, at: .hours(0), on: connection)
        #expect(long.id == TestDatabase.id(1))
    }
}
