/// The requests whose costs are compared.
struct GrowthBenchSettings: Sendable, Encodable {
    /// Items per request, ascending. The last is compared with the one before.
    var sizes = [10, 500, 10_000]
    /// Items of each kind and size, at least one request.
    var items = 4_000
    /// Requests of the largest size.
    var largest = 2
    /// Responses of first contact, and as many about registered tokens.
    var firstContact = 100_000
    var firstContactConnections = 4
    /// First registrations of a release day.
    var registrations = 50_000
    var registrationConnections = 64

    static let full = GrowthBenchSettings()

    static let quick = GrowthBenchSettings(
        sizes: [10, 100, 1_000], items: 300, largest: 1, firstContact: 5_000, registrations: 1_000,
        registrationConnections: 8)

    func requests(of size: Int) -> Int { size == sizes.last ? largest : max(1, items / size) }
}
