import DeliveryModel
import Testing

@testable import LandfallServer

/// Which of many open pages are told of a change.
@Suite struct OpenPagesTests {
    private let shop = App(appID: 1, slug: "shop")
    private let bank = App(appID: 2, slug: "bank")

    /// Pages that have been told what they are told at the beginning.
    private func opened(_ count: Int, of app: App, in pages: inout OpenPages) -> [Int] {
        let ids = (0..<count).compactMap { _ in pages.open(app) }
        while !pages.told(of: []).isEmpty {}
        return ids
    }

    @Test("a page is told once after it opens, and then only of changes of its own app")
    func own() throws {
        var pages = OpenPages()
        let opened = pages.open(shop)
        let id = try #require(opened)
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
        let further = pages.open(bank)
        #expect(further == nil)
        pages.close(ids[0])
        let next = pages.open(bank)
        #expect(next != nil)
    }
}
