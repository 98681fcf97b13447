import Access
import Testing

@testable import LandfallServer

/// Which of many open pages are told of a change.
@Suite struct OpenPagesTests {
    private let shop = App(appID: 1, slug: "shop")
    private let bank = App(appID: 2, slug: "bank")

    /// Pages that have been told what they are told at the beginning.
    private func opened(_ count: Int, of app: App, in pages: inout OpenPages) -> [Int] {
        let ids = (0..<count).compactMap { pages.open(app, by: Int64($0 / 10))?.id }
        while !pages.told(of: []).isEmpty {}
        return ids
    }

    @Test("a page is told once after it opens, and then only of changes of its own app")
    func own() throws {
        var pages = OpenPages()
        let opened = pages.open(shop, by: 1)
        let id = try #require(opened).id
        let told = [[], [], [bank], [shop, bank]].map { pages.told(of: $0) }
        #expect(told == [[id], [], [], [id]])
        #expect(pages.watched == [shop])
        pages.close(id)
        let later = pages.told(of: [shop])
        #expect(later == [])
        #expect(pages.watched == [])
    }

    @Test("of many pages, all are told in turn, however often something changes")
    func inTurn() {
        var pages = OpenPages()
        let ids = opened(120, of: shop, in: &pages)
        var told: [Int: Int] = [:]
        for _ in 0..<12 {
            let now = pages.told(of: [shop])
            #expect(now.count == OpenPages.mostTold)
            for id in now { told[id, default: 0] += 1 }
        }
        #expect(Set(told.keys) == Set(ids))
        #expect(told.values.allSatisfy { (4...6).contains($0) })
    }

    @Test("there are at most 500, and a closed one makes room")
    func most() {
        var pages = OpenPages()
        let ids = opened(OpenPages.most, of: shop, in: &pages)
        #expect(ids.count == 500)
        let further = pages.open(bank, by: 99)
        #expect(further == nil)
        pages.close(ids[0])
        let next = pages.open(bank, by: 99)
        #expect(next != nil)
    }

    @Test("a person's 51st page ends the oldest, and no page of others")
    func mostPerPerson() throws {
        var pages = OpenPages()
        let others = pages.open(shop, by: 2)
        let opened = (0..<51).compactMap { _ in pages.open(shop, by: 1) }
        #expect(others != nil && opened.count == 51)
        #expect(opened.map(\.ended) == Array(repeating: nil, count: 50) + [opened[0].id])
        let told = (0..<2).flatMap { _ in pages.told(of: [shop]) }
        #expect(!told.contains(opened[0].id) && told.contains(opened[50].id))
    }
}
