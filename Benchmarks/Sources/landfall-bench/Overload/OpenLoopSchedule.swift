/// The due times of requests that are sent by the clock, whether or not earlier ones got a response.
struct OpenLoopSchedule: Equatable, Sendable {
    /// Requests.
    let perSecond: Double
    let seconds: Double

    /// All requests.
    var count: Int { Int((perSecond * seconds).rounded()) }

    /// The number of requests due after this many seconds; the first one is due at once.
    func due(after elapsed: Double) -> Int {
        elapsed < 0 ? 0 : min(count, Int(elapsed * perSecond) + 1)
    }

    /// The due time of a request, in seconds since the beginning; the first request is number 0.
    func instant(of number: Int) -> Double { Double(number) / perSecond }
}
