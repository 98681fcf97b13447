internal import ArgumentParser
internal import Rendering
internal import Reports

/// `landfall rejections`: prints a `RejectionsReport`.
struct RejectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejections",
        abstract: "Report why pushes were rejected, and what to do.",
        discussion: """
            Without --by, breaks down by topic, environment and app version, which tell builds and their \
            credentials apart. Of several responses to one push, only the most final one counts, and none if \
            the push was accepted in the end. A share is of all pushes attempted under the same key. \
            --compare combines all responses of a key, and is not available with --csv.

              landfall rejections --from 24h
              landfall rejections --by campaign --environment production
              landfall rejections --from 7d --by day --json
            """)

    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard options.compare == nil || options.output.chosenFormat != .csv else {
            throw ValidationError(
                "--csv has one line per response, and --compare combines all responses of a key: omit one of "
                    + "them. --json has both")
        }
    }

    func run() async throws {
        try await options.write("rejections") { try RejectionsReport.run($0, on: $1, now: $2) }
    }
}
