import Connecting
import Foundation
import Testing

/// The list of senders, compared with the documents.
@Suite("Senders") struct SenderPagesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs/connect")

    private func page(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent("\(name).md"), encoding: .utf8)
    }

    @Test("each has a page, and each page is of a sender, of the mirror, or the index")
    func pages() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
        let names = ConnectableSender.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(pages).symmetricDifference(names + ["README", "mirror"]) == [])
    }

    @Test("the index links each, in the order of the list's names or another")
    func index() throws {
        let index = try page("README")
        for sender in ConnectableSender.all {
            #expect(index.contains("(\(sender.name).md)"), "\(sender.name)")
        }
    }

    @Test("the lines to paste are those of the page", arguments: ConnectableSender.all)
    func lines(of sender: ConnectableSender) throws {
        let text = try page(sender.name)
        let pasted = sender.setup(url: "https://push.example.com", key: sender.keyPlaceholder)
        #expect(pasted.contains("https://push.example.com") && pasted.contains(sender.keyPlaceholder))
        // Names and addresses, without what differs from sender to sender.
        let calls = pasted.matches(of: #/\w+(?=\()|/v1/[\w/]+|[a-z]+_[a-z_]+:/#).map { String($0.output) }
        for call in calls where !["Provider", "PushClient"].contains(call) {
            #expect(text.contains(call), "\(sender.name): \(call)")
        }
    }

    @Test("list, index and page agree on whether something is lost", arguments: ConnectableSender.all)
    func losses(of sender: ConnectableSender) throws {
        let text = try page(sender.name)
        let losesNothing =
            text.contains("**Lost:** nothing") || !text.contains(#/\*\*(What is lost\.|Lost:)\*\*/#)
        #expect(losesNothing == (sender.loss == nil), "the page")
        let row = try #require(
            page("README").split(separator: "\n").first { $0.contains("(\(sender.name).md)") })
        #expect(row.hasSuffix("| – |") == (sender.loss == nil), "\(row)")
    }
}
