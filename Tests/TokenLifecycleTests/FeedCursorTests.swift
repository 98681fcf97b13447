import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import Vault

@testable import TokenLifecycle

@Suite struct FeedCursorTests {
    private let vault = TokenVault(.random())
    private let cursor = FeedCursor(tokenID: 123_456_789_012, changesAfter: 17)

    private func filter(
        _ state: TokenState = .active, account: String? = nil, tag: String? = nil
    ) -> FeedFilter {
        var filter = FeedFilter()
        filter.states = [state]
        filter.account = account
        filter.tag = tag
        return filter
    }

    @Test("a cursor is read back as written, and fits into a query without encoding")
    func roundTrip() {
        let filter = filter(account: "anna", tag: "vip")
        let text = cursor.text(of: 7, filter, vault)
        #expect(FeedCursor(text, of: 7, filter, vault) == cursor)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test("the cursor of another app, filter or key is rejected")
    func foreign() {
        let text = cursor.text(of: 7, filter(account: "a", tag: nil), vault)
        #expect(FeedCursor(text, of: 8, filter(account: "a"), vault) == nil)
        #expect(FeedCursor(text, of: 7, filter(account: nil, tag: "a"), vault) == nil)
        #expect(FeedCursor(text, of: 7, filter(account: "b"), vault) == nil)
        #expect(FeedCursor(text, of: 7, filter(.stale, account: "a"), vault) == nil)
        #expect(FeedCursor(text, of: 7, filter(), vault) == nil)
        #expect(FeedCursor(text, of: 7, filter(account: "a"), TokenVault(.random())) == nil)
    }

    @Test("every changed character and every other length is noticed")
    func tampered() {
        let text = cursor.text(of: 7, filter(), vault)
        for position in text.indices.dropLast() {
            var changed = text
            changed.replaceSubrange(position...position, with: text[position] == "A" ? "B" : "A")
            #expect(FeedCursor(changed, of: 7, filter(), vault) == nil)
            #expect(FeedCursor(String(text[..<position]), of: 7, filter(), vault) == nil)
        }
        #expect(FeedCursor(text + "AAAA", of: 7, filter(), vault) == nil)
    }
}
