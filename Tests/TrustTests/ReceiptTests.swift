import Foundation
import Testing
import Trust

struct ReceiptTests {
    @Test("receipts are those of the test vectors, and valid for their id alone")
    func vectors() throws {
        let vectors = try TrustVectors.read()
        let key = SigningKey(vectors.receiptKey)
        #expect(vectors.receipts.count == 3)
        for vector in vectors.receipts {
            #expect(Receipt.text(for: vector.id, key: key) == vector.receipt)
            let receipt = try #require(Receipt(vector.receipt))
            #expect(receipt.isValid(for: vector.id, keys: [key]))
            #expect(!receipt.isValid(for: UUID(), keys: [key]))
        }
    }

    @Test("while a key is replaced, receipts of both are valid; without a key, none")
    func keys() throws {
        let (old, new, id) = (SigningKey("lf_receipt_old"), SigningKey("lf_receipt_new"), UUID())
        for key in [old, new] {
            let receipt = try #require(Receipt(Receipt.text(for: id, key: key)))
            #expect(receipt.isValid(for: id, keys: [old, new]))
            #expect(!receipt.isValid(for: id, keys: []))
        }
        let receipt = try #require(Receipt(Receipt.text(for: id, key: old)))
        #expect(!receipt.isValid(for: id, keys: [new]))
    }

    @Test(
        "a receipt is 16 bytes in base64url or base64, with or without padding",
        arguments: [
            ("49H0E21cg8d70liVUd26ug", true), ("49H0E21cg8d70liVUd26ug==", true),
            ("__________________-_-w", true), ("//////////////////+/+w==", true),
            ("", false), ("49H0E21cg8d70liVUd26u", false), ("49H0E21cg8d70liVUd26ugA", false),
            ("49H0E21cg8d70liVUd26u!", false), ("e3d1f4136d5c83c77bd2589551ddbaba", false),
        ])
    func texts(text: String, isReceipt: Bool) {
        #expect((Receipt(text) != nil) == isReceipt)
    }
}
