import DeliveryModel
import Foundation
import Testing

/// Rows are found by these ids as long as they are kept: the values must never change.
struct ChosenIDTests {
    private static let uuid = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
    /// RFC 9562, appendix A.4.
    private static let dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    private func id(_ text: String) throws -> UUID { try #require(UUID(uuidString: text)) }

    @Test("the version 5 id of a text is that of RFC 9562's appendix A.4")
    func vector() throws {
        let id = UUID.v5(of: "www.example.com", in: try id(Self.dns))
        #expect(id == (try self.id("2ed6657d-e927-568b-95e1-2665a8aea6a2")))
    }

    /// The expected values were computed with Python's `uuid.uuid5`.
    @Test(
        "any text but a UUID becomes the id that Python's uuid5 computes in the app's namespace",
        arguments: [
            (1, "order-4711", "c3498e42-d7a1-595e-be0b-597e72c402d7"),
            (2, "order-4711", "64483b74-1247-58c0-ac11-6780d9a9e284"),
            (3_145_728, "order-4711", "46b23aa4-1c19-56bc-82bc-388ec994ae52"),
            (1, "4711", "146e97ea-3cdd-5b25-8b69-0708976ab46c"),
            (1, "Caf\u{E9}", "6f19496e-3594-5863-b05b-57dc972a9226"),
            (
                1, "projects/p/messages/0:1500415314455276%31bd1c96",
                "c00cd2b0-1a78-572a-9b34-0e842ad2aa17"
            ),
            (1, String(repeating: "a", count: 255), "51b43bff-5755-5594-9791-5a9601fede27"),
            (1, String(repeating: "\u{1F389}", count: 60), "7e81fac8-b7aa-5a89-831b-9204fa4d3fa3"),
        ])
    func texts(appID: Int64, text: String, expected: String) throws {
        let chosen = try ChosenID(text)
        #expect(chosen == .text(text))
        #expect(chosen.uuid(inApp: appID) == (try id(expected)))
        #expect(chosen.uuid(inApp: appID).versionSevenInstant == nil)
    }

    @Test("the namespace of an app depends on its number alone")
    func namespaces() throws {
        let shop = App(appID: 1, slug: "shop")
        #expect(shop.namespace == (try id("340ab567-09f3-548b-a839-447c267ede7b")))
        #expect(App(appID: 1, slug: "store").namespace == shop.namespace)
        #expect(App(appID: 2, slug: "shop").namespace != shop.namespace)
    }

    @Test("a UUID is taken as it is, in either case, in every app")
    func uuids() throws {
        for text in [Self.uuid, Self.uuid.uppercased(), " \(Self.uuid)\n", "\u{FEFF}\(Self.uuid)"] {
            #expect(try ChosenID(text) == .uuid(try id(Self.uuid)))
            #expect(try ChosenID(text).uuid(inApp: 7) == (try id(Self.uuid)))
        }
    }

    @Test(
        "other spellings of a UUID are texts like any other",
        arguments: [
            "6f9619ff8b864011b42d00cf4fc964ff", "{6f9619ff-8b86-4011-b42d-00cf4fc964ff}",
            "urn:uuid:6f9619ff-8b86-4011-b42d-00cf4fc964ff", "+f9619ff-8b86-4011-b42d-00cf4fc964ff",
        ])
    func spellings(text: String) throws { #expect(try ChosenID(text) == .text(text)) }

    @Test(
        "one name has one id: composed and decomposed letters, and white space at the ends, make no difference",
        arguments: ["Caf\u{E9}", "Cafe\u{301}", " Caf\u{E9} ", "Cafe\u{301}\n", "\u{FEFF}Caf\u{E9}"])
    func canonical(text: String) throws {
        let id = try ChosenID(text)
        #expect(id.uuid(inApp: 1) == (try self.id("6f19496e-3594-5863-b05b-57dc972a9226")))
        guard case .text(let canonical) = id else { throw ChosenID.Fault.absent }
        #expect(canonical.utf8.elementsEqual("Caf\u{E9}".utf8))
    }

    @Test("upper and lower case, and white space within, are different texts")
    func differences() throws {
        let texts = ["order-4711", "Order-4711", "order 4711", "order-04711", "order-4711\u{301}"]
        #expect(Set(try texts.map { try ChosenID($0).uuid(inApp: 1) }).count == texts.count)
    }

    @Test(
        "words for a missing value are no ids, in any case and with spaces",
        arguments: [
            "", " ", "\t\n", "\u{FEFF}", "null", "NULL", " Null ", "(null)", "<null>", "nil", "<nil>", "None",
            "NaN", "undefined", "(undefined)", "Optional(nil)", "[object Object]", "0",
        ])
    func absences(text: String) {
        #expect(throws: ChosenID.Fault.absent) { try ChosenID(text) }
    }

    @Test(
        "words that only begin like one are ids",
        arguments: ["1", "00", "nullable", "none-1", "n", "null-null", "-1"])
    func words(text: String) throws { #expect(try ChosenID(text) == .text(text)) }

    @Test("an id has at most 255 characters, however many bytes they take, and no NUL")
    func bounds() throws {
        let longest = String(repeating: "\u{8A9E}", count: 255)
        #expect(try ChosenID(longest) == .text(longest))
        #expect(throws: ChosenID.Fault.tooLong) { try ChosenID(longest + "x") }
        #expect(throws: ChosenID.Fault.containsNUL) { try ChosenID("a\0b") }
        #expect(try ChosenID(" \(longest) ") == .text(longest))
    }
}
