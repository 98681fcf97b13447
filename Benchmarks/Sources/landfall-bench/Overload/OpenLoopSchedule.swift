/// When requests are due that are sent by the clock, whether or not earlier ones were answered.
struct OpenLoopSchedule: Equatable, Sendable {
    /// Requests.
    let perSecond: Double
    let seconds: Double

    /// How many there are in all.
    var count: Int { Int((perSecond * seconds).rounded()) }

    /// How many are due when so many seconds have passed since the beginning; the first one is due at once.
    func due(after elapsed: Double) -> Int {
        elapsed < 0 ? 0 : min(count, Int(elapsed * perSecond) + 1)
    }

    /// When a request is due, in seconds since the beginning; the first one has the number 0.
    func instant(of number: Int) -> Double { Double(number) / perSecond }
}
