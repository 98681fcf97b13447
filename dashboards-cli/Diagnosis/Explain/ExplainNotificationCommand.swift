internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import Rendering
internal import Reports

/// `landfall explain notification`: prints a `NotificationStory`.
struct ExplainNotificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification",
        abstract:
            "Show the response to a notification, its device events, what it counts as, and its effect on its token.",
        discussion: """
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --app shop
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --tz Europe/Berlin --json
              landfall explain notification 01942f0e-1c80-7a11-8d27-0c5f7d2f4a10 --device 0b9c1d5e-6d0a-4f6b-9d43-0a8f7c1d2e3f
            """)

    @Argument(
        help: ArgumentHelp(
            "The UUID that the sender chose and put into the payload.", valueName: "notification-id"),
        transform: { try uuid($0, of: "notification") })
    var notificationID: UUID

    @Option(
        help: ArgumentHelp(
            "The device, if the id is a message_id (one payload for many devices).",
            valueName: "device-id"),
        transform: { try uuid($0, of: "device") })
    var device: UUID?

    @OptionGroup var options: StoryOptions

    func run() throws {
        try options.tell(
            { try NotificationStory.read(notificationID: explained, $0, on: $1) },
            document: \.document, text: { NotificationStoryText($0, $1).lines })
    }

    private var explained: UUID {
        device.map { .notification(ofMessage: notificationID, toDevice: $0) } ?? notificationID
    }
}
