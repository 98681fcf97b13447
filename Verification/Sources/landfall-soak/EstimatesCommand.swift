internal import ArgumentParser
internal import DeliveryModel
internal import ReferenceModel
internal import Reports

struct EstimatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "estimates",
        abstract: "Compare the estimated arrivals of simulated days with what really happened.",
        discussion: """
            Prints on how many days the 95 % interval of arrival_estimated contains the truth. Fewer than \
            93 % of 200 days is more than bad luck; the exit code is then 1. The same seeds always generate \
            the same days.

            Example:
              landfall-soak estimates --days 200 --seed 1
            """)

    @Option(help: "The number of days, each with its own seed, counting up.")
    var days: UInt64 = 200

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "The number of phones that are sent to in a day.")
    var installations = 600

    /// The share of intervals that must contain the truth.
    private static let leastShare = 0.93

    func validate() throws {
        guard days > 0, installations > 0 else {
            throw ValidationError("--days and --installations must be at least 1")
        }
    }

    func run() async throws {
        var trials: [EstimateTrial] = []
        for seed in seed..<seed + days {
            try Task.checkCancellation()
            trials.append(EstimateTrial.play(seed: seed, installations: installations))
            if trials.count.isMultiple(of: 50) { note("\(trials.count) days") }
        }
        let containing = trials.count(where: \.containsTruth)
        let share = Proportion(Int64(containing), of: Int64(trials.count)).value ?? 0
        let estimated = trials.compactMap(\.estimated?.value)
        print(
            """
            seeds \(seed) to \(seed + days - 1), \(installations) phones: \(percent(share)) % of the 95 % intervals contain the \
            truth (\(containing) of \(trials.count)); at least \(percent(Self.leastShare)) % are required
            on average \(percent(mean(trials.map(\.truth)))) % really arrived, \(percent(mean(estimated))) % are estimated, \
            \(percent(mean(trials.map(\.reported)))) % were reported; \(trials.count - estimated.count) days without an estimate
            """)
        if share < Self.leastShare { throw ExitCode(1) }
    }

    private func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    private func percent(_ fraction: Double) -> String {
        let tenths = Int((fraction * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
