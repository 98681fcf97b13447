import DeliveryModel
import Ingestion
import Testing

@testable import LandfallServer

/// The memory for bodies of several cells.
@Suite struct IntakeBudgetTests {
    private func flow(_ appID: Int64) -> Flow { Flow(appID: appID, poster: .server) }

    private func takes(_ share: inout IntakeBudget.Share, _ count: Int) -> Bool {
        do {
            try share.take(count)
            return true
        } catch {
            return false
        }
    }

    @Test("the bodies of one cell leave room for those of others")
    func cells() throws {
        let one = try #require(CellNumber(1))
        let budget = IntakeBudget(bytes: 90, isDivided: true)
        var first = budget.share(for: flow(1))
        var second = budget.share(for: flow(2))
        var third = budget.share(for: flow(3))
        var other = budget.share(for: flow(4), in: one)
        var another = budget.share(for: flow(5), in: one)
        let taken = [takes(&first, 50), takes(&second, 12), takes(&third, 1)]
        #expect(taken == [true, true, false])
        #expect(budget.isSpent(for: flow(3)) && !budget.isSpent(for: flow(4), in: one))
        // A cell's only body may take all that is left, a further one a part.
        let elsewhere = [takes(&other, 28), takes(&another, 1)]
        #expect(elsewhere == [true, false])
        first.giveBack()
        let later = [takes(&another, 1), takes(&third, 1)]
        #expect(later == [true, true])
        second.giveBack()
        third.giveBack()
        other.giveBack()
        another.giveBack()
        #expect(!budget.isSpent(for: flow(1)) && !budget.isSpent(for: flow(4), in: one))
    }

    @Test("with one cell, a flow has two thirds")
    func one() {
        let budget = IntakeBudget(bytes: 90)
        var first = budget.share(for: flow(1))
        let isTaken = takes(&first, 60)
        #expect(isTaken && budget.isSpent(for: flow(1)) && !budget.isSpent(for: flow(2)))
        first.giveBack()
    }
}
