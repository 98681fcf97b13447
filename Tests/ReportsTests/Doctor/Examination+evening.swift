import DeliveryModel

@testable import Doctor

/// The times of the tests of single diagnoses.
extension Examination {
    static let evening = Examination(app: shop, asOf: instant("2026-03-15T19:05:00Z"))
    /// The start of the last whole hour.
    static let lastHour = instant("2026-03-15T18:00:00Z")
}
