internal import ArgumentParser
internal import ChildPrograms

/// A command whose work Ctrl-C, a closed terminal and SIGTERM cancel.
protocol StoppableCommand: AsyncParsableCommand, Sendable {
    func work() async throws
}

extension StoppableCommand {
    func run() async throws {
        try await StopSignals.cancelling { try await self.work() }
    }
}
