internal import Foundation
internal import Trust

/// The time that it takes to read a receipt and to check it.
enum ReceiptMeasurement {
    private static let ids = 1_000
    private static let repeats = 200

    /// Checks valid receipts on one thread.
    static func measure() async -> Figure {
        let key = SigningKey(SigningKey.randomText(.receipt))
        let receipts = (0..<ids).map { _ in
            let id = UUID()
            return (id: id, text: Receipt.text(for: id, key: key))
        }
        var valid = 0
        let seconds = await measuring {
            for _ in 0..<repeats {
                for receipt in receipts
                where Receipt(receipt.text)?.isValid(for: receipt.id, keys: [key]) == true {
                    valid += 1
                }
            }
        }
        precondition(valid == ids * repeats, "a valid receipt was not accepted")
        return Figure("receipt_checks", "receipts checked, one thread", count: valid, seconds: seconds)
    }
}
