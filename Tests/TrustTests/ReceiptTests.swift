import DeliveryModel
import Foundation
import Testing
import Trust

struct ReceiptTests {
    @Test("receipts are those of the test vectors, and valid for their id alone")
    func vectors() throws {
        let vectors = try TrustVectors.read()
        let key = SigningKey(vectors.receiptKey)
        #expect(vectors.receipts.count == 6)
        for vector in vectors.receipts {
            let id = try ChosenID(vector.id)
            #expect(Receipt.text(for: id, key: key) == vector.receipt)
            let receipt = try #require(Receipt(vector.receipt))
            #expect(receipt.isValid(for: id, keys: [key]))
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

    @Test("no receipt with any other byte is valid, whichever byte it is")
    func forged() throws {
        let (key, id) = (SigningKey("lf_receipt_test"), UUID())
        let code = Array(try #require(Data(base64URL: Receipt.text(for: id, key: key))))
        for position in code.indices {
            for byte in UInt8.min...UInt8.max where byte != code[position] {
                var forged = code
                forged[position] = byte
                let receipt = try #require(Receipt(Data(forged).base64URL))
                #expect(!receipt.isValid(for: id, keys: [key]))
            }
        }
        for _ in 0..<5_000 {
            let guess = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
            #expect(try #require(Receipt(guess.base64URL)).isValid(for: id, keys: [key]) == false)
        }
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
