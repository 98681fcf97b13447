public import Foundation

// Declarations of Apple's ActivityKit, as far as the kit uses them. None does anything.
public protocol ActivityAttributes: Codable {}
public final class Activity<Attributes: ActivityAttributes>: Sendable {
    public static var activityUpdates: AsyncStream<Activity<Attributes>> { AsyncStream.makeStream().stream }
    public static var pushToStartTokenUpdates: AsyncStream<Data> { AsyncStream.makeStream().stream }
    public var pushTokenUpdates: AsyncStream<Data> { AsyncStream.makeStream().stream }
}
