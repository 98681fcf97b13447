internal import Foundation
internal import Presets

extension ConnectableSender {
    /// Senders that post by themselves once they are configured as their presets say.
    static let hooks = [
        hook(
            .gorush, "gorush", until: .rejection,
            loss: "Successes, unless its log is posted, too (landfall post --from gorush-log), the timestamp "
                + "of a 410, and mutable-content."),
        hook(.onesignal, "OneSignal", loss: "Push tokens, and the words of APNs and FCM."),
        hook(.customerio, "Customer.io", loss: "Often, the words of APNs and FCM."),
        hook(
            .sns, "Amazon SNS", until: .response,
            loss: "Arrivals: the payload cannot contain the id that SNS makes."),
        hook(
            .huawei, "Huawei Push Kit", until: .receipt, loss: "The API's own responses: post them, too."),
        hook(.expo, "Expo, any language"),
    ]

    private static func hook(
        _ preset: Preset, _ title: String, until end: ConnectEnd = .meeting, loss: String? = nil
    ) -> ConnectableSender {
        ConnectableSender(
            preset.name, title, .hook, until: end, loss: loss,
            preset.setup("{url}/v1/intake/\(preset.name)", "{key}").trimmingCharacters(in: .newlines))
    }
}
