internal import ArgumentParser
internal import Foundation
internal import Rendering
internal import Reports

/// `landfall explain device`: prints a `DeviceStory`.
struct ExplainDeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract:
            "Show the traits of a device, its accounts, its tokens and their history, and its last notifications.",
        discussion: """
              landfall explain device 6f9619ff-8b86-4011-b42d-00cf4fc964ff --app shop
              landfall explain device 6f9619ff-8b86-4011-b42d-00cf4fc964ff --tz Europe/Berlin --since 60d --json
            """)

    @Argument(
        help: ArgumentHelp("The UUID under which the app registers the device.", valueName: "device-id"),
        transform: { try uuid($0, of: "device") })
    var deviceID: UUID

    @OptionGroup var options: StoryOptions

    func run() throws {
        try options.tell(
            { try DeviceStory.read(deviceID: deviceID, $0, on: $1) }, document: \.document,
            text: { DeviceStoryText($0, $1).lines })
    }
}
