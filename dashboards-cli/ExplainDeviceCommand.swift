internal import ArgumentParser
internal import Foundation
internal import Reports

/// `landfall explain device`: prints a `DeviceStory`.
struct ExplainDeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract:
            "What a device says about itself, its accounts, its tokens and what became of them, its last notifications.",
        discussion: """
              landfall explain device 6f9619ff-8b86-4011-b42d-00cf4fc964ff --app shop
              landfall explain device 6f9619ff-8b86-4011-b42d-00cf4fc964ff --tz Europe/Berlin --since 60d --json
            """)

    @Argument(
        help: ArgumentHelp("The UUID under which the app registers it.", valueName: "device-id"),
        transform: { try uuid($0, of: "device") })
    var deviceID: UUID

    @OptionGroup var options: StoryOptions

    func run() throws {
        try options.tell(
            { try DeviceStory.read(deviceID: deviceID, $0, on: $1) }, document: \.document,
            text: { DeviceStoryText($0, $1).lines })
    }
}
