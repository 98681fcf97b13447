internal import ArgumentParser
internal import Foundation
internal import Reports

/// `landfall explain notification`: prints a `NotificationStory`.
struct ExplainNotificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification",
        abstract:
            "What was answered, what the device reported and when, what it counts as, and what it did to its token.",
        discussion: """
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --app shop
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --tz Europe/Berlin --json
            """)

    @Argument(
        help: ArgumentHelp(
            "The UUID that the sender chose and put into the payload.", valueName: "notification-id"),
        transform: { try uuid($0, of: "notification") })
    var notificationID: UUID

    @OptionGroup var options: StoryOptions

    func run() throws {
        try options.tell(
            { try NotificationStory.read(notificationID: notificationID, $0, on: $1) },
            document: \.document, text: { NotificationStoryText($0, $1).lines })
    }
}
