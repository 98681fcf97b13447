/// The reason why the demo failed: its numbers are not those of what really happened.
struct DemoProblem: Error, Equatable, CustomStringConvertible {
    let numbers: Int
    let counters: Int64

    var description: String {
        "\(numbers) numbers differ from what really happened, and \(counters) counters from the notifications"
    }
}
