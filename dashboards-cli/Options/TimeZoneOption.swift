internal import ArgumentParser
internal import Reports

/// The time zone of a command's days and times.
struct TimeZoneOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The IANA time zone of days and times, such as Europe/Berlin. Default: UTC.", valueName: "zone"))
    var tz: String?

    var zone: ReportTimeZone {
        get throws(ReportError) {
            guard let tz else { return .utc }
            return try ReportTimeZone(tz)
        }
    }

    func validate() throws {
        try asValidation { _ = try zone }
    }
}
